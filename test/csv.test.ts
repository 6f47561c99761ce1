/** CSV that spreadsheets open, and that we read again. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeFile, parseTable, toCsv } from '../lib/csv.ts';

test('writes RFC 4180 with a byte order mark, times as ISO, and no formulas', () => {
  const rows = [
    { email: 'ada@example.com', firstName: null, invitedAt: 0, isAdmin: true, meta: null },
    { email: '@b', firstName: '=1+1', invitedAt: 1, isAdmin: false, meta: { view: 'mobile' } },
    { email: '+b', firstName: '\t-', invitedAt: 1, isAdmin: false, meta: 'a "b"\r\nc' },
    { email: '-b', firstName: "'=", invitedAt: 1, isAdmin: false, meta: 'a=b,c' },
  ];
  assert.equal(
    toCsv(['email', 'firstName', 'invitedAt', 'isAdmin', 'meta'], rows),
    '\uFEFFemail,firstName,invitedAt,isAdmin,meta\r\n' +
      'ada@example.com,,1970-01-01T00:00:00.000Z,true,\r\n' +
      `'@b,'=1+1,1970-01-01T00:00:00.001Z,false,"{""view"":""mobile""}"\r\n` +
      `'+b,'\t-,1970-01-01T00:00:00.001Z,false,"a ""b""\r\nc"\r\n` +
      `'-b,'=,1970-01-01T00:00:00.001Z,false,"a=b,c"\r\n`,
  );
});

test('reads what it wrote', () => {
  const texts = ['"', '""', 'a"b', ',', ';', '\n', 'a\nb', "'tis", ''];
  const rows = texts.map((text) => ({ text, end: 'x' }));
  const [, ...read] = parseTable(toCsv(['text', 'end'], rows), ',');
  const found = read.map(({ cells }) => cells[0]);
  assert.deepEqual(found, texts);
});

test('decodes UTF-8 and UTF-16, and nothing else', () => {
  const little = Buffer.from('\uFEFFZoë', 'utf16le');
  const big = Buffer.from(little).swap16();
  for (const bytes of [Buffer.from('Zoë'), Buffer.from('\uFEFFZoë'), little, big])
    assert.equal(decodeFile(bytes), 'Zoë');
  assert.equal(decodeFile(Buffer.from('Zo\xeb', 'latin1')), undefined);
});
