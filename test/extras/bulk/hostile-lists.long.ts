/** Lists that are made to be slow: the largest that the page accepts is read in a bounded time. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readList } from '../../../lib/extras/bulk/read-list.ts';

const A = 'ada@example.com';

const MEBIBYTE = 1024 * 1024;

/** Hostile lists: the text before, the text that fills a mebibyte, and the text after. */
const HOSTILE: readonly (readonly [before: string, unit: string, behind: string])[] = [
  ['', '\n', `"${A}`],
  ['', '<<a@b.c>>,', ';'],
  ['Email,Name\n', "\tİ`'%FF%2540\n", ''],
  ['Email,Name\n', '"a""\n', ''],
  ['"Email"\n', '"a""\n', `"${A}`],
  ['Email,Name\n', 'x\n', ''],
  ['Email,Name\n', 'é@б,\n', ''],
  ['Email;First name;Mail\n', 'ﬁ\n', ''],
  ['Email\n', 'x@\n', ''],
  ['Email\n', 'a@b.c,', ''],
  ['Email\n', 'xn--’', ''],
  ['', 'a@b.c;a@b.c,', ''],
  ['', '.ада@б.рф\t', ''],
  ['', '""\r。\u200b', ''],
  ['', '\ufffd\t.', ''],
  ['"', '|Email,Name', ''],
  ['"', '""', ','],
  ['sep=|\n', 'İ\n。(', ''],
  ['', '@', ''],
  ['', '\t"', ''],
  ['Email,', '%40', ''],
  ['', 'A b ', A],
];

for (const [before, unit, behind] of HOSTILE)
  it(`a mebibyte of ${JSON.stringify(unit)} takes a bounded time`, () => {
    const text = before + unit.repeat(MEBIBYTE / Buffer.byteLength(unit)) + behind;
    const start = process.cpuUsage();
    const { entries } = readList(text);
    const { user, system } = process.cpuUsage(start);
    assert.ok(entries.length <= MEBIBYTE / 2);
    // A second on an idle machine; tests run beside others.
    assert.ok(user + system < 4_000_000, `${(user + system) / 1e6} s`);
  });

it('a row with more cells than a spreadsheet has columns is no header row', () => {
  const list = (columns: number) => readList(`${'Email,'.repeat(columns)}\n${A}`);
  assert.equal(list(16_384).read.address, 'Email');
  assert.equal(list(25_000).read.address, null);
});
