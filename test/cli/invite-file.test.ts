/** Files of people to invite: columns, delimiters and encodings. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { readInviteFile } from '../../lib/cli/invite-file.ts';
import { temporaryFolder } from '../support/site.ts';

const folder = temporaryFolder();

function read(content: string | Buffer) {
  const file = path.join(folder, 'people.csv');
  fs.writeFileSync(file, content);
  return readInviteFile(file).map(({ email, firstName }) => [email, firstName]);
}

const ADA = ['ada@example.com', 'Ada'];
const ZOE = ['zoe@example.com', 'Zoë'];

describe('a file of people', () => {
  for (const [what, text] of [
    ['addresses first', 'ada@example.com,Ada\nzoe@example.com,Zoë\n'],
    ['names first', 'Ada;ada@example.com\r\nZoë;zoe@example.com\r\n'],
    ['tabs', 'ada@example.com\tAda\tLovelace\nzoe@example.com\tZoë\tBauer\n'],
    ['a heading', 'email,first name\nada@example.com,Ada\nzoe@example.com,Zoë'],
    ['a heading E-Mail', 'E-Mail;Vorname\nada@example.com;Ada\nzoe@example.com;Zoë\n'],
    ['a heading with the name first', 'Given name,Email\nAda,ada@example.com\nZoë,zoe@example.com'],
    ['a heading in its second column', 'Rufname;E-Mail\nAda;ada@example.com\nZoë;zoe@example.com'],
    [
      'a heading of many columns',
      'Name\tFirst_Name\tPhone\tEmail address\nLovelace\tAda\t1\tada@example.com\nBauer\tZoë\t\tzoe@example.com',
    ],
    [
      'a heading below an empty line, and lines of empty cells',
      '\uFEFF\n"E-Mail","Name"\n"ada@example.com",Ada\nzoe@example.com,"Zoë"\n;;\n',
    ],
  ] as const)
    it(`may have ${what}`, () => assert.deepEqual(read(text), [ADA, ZOE]));

  it('uses no other column of several as the first name', () => {
    const text = 'email,company,phone\nada@example.com,Analytical Engines,1\n';
    assert.deepEqual(read(text), [['ada@example.com', null]]);
  });

  it('is refused if it is not UTF-8, with the line', () => {
    const latin1 = Buffer.from('ada@example.com,Ada\nzoe@example.com,Zoë\n', 'latin1');
    assert.throws(() => read(latin1), /^Error: line 2: it is not UTF-8; nobody was invited/);
    const utf16 = Buffer.from('\uFEFFada@example.com\n', 'utf16le');
    assert.throws(() => read(utf16), /^Error: line 1: it is not UTF-8/);
  });

  it('may contain the replacement character itself', () => {
    assert.deepEqual(read('ada@example.com,\uFFFD'), [['ada@example.com', '\uFFFD']]);
  });
});
