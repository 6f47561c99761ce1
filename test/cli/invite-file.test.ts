/** Files of people to invite. What a line may be is in test/address-list.test.ts. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readInviteFile } from '../../lib/cli/invite-file.ts';

function read(content: string | Buffer) {
  const readInput = () => Buffer.from(content);
  return readInviteFile({ readInput }, '-').map(({ email, firstName }) => [email, firstName]);
}

it('a file is refused if it is not UTF-8, with the line', () => {
  const latin1 = Buffer.from('ada@example.com,Ada\nzoe@example.com,Zoë\n', 'latin1');
  assert.throws(() => read(latin1), /^Error: line 2: it is not UTF-8; nobody was invited/);
  const utf16 = Buffer.from('\uFEFFada@example.com\n', 'utf16le');
  assert.throws(() => read(utf16), /^Error: line 1: it is not UTF-8/);
});

it('a file is refused with its first bad line, and why it is bad', () => {
  for (const [line, why] of [
    ['not an address', /line 3: "not an address": not an address; nobody was invited/],
    ['x@example.com|y@example.com', /: not an address/],
    [`${'y'.repeat(101)};x@example.com`, /: first name over 100 characters/],
    ['Lovelace;Ada;x@example.com', /: two names without a line of headings/],
    ['x@example.com,\uFFFD', /: has lost characters/],
  ] as const)
    assert.throws(() => read(`ada@example.com\n\n${line}\nworse`), why);
});

it('a file may have a byte order mark, headings and any number of people', () => {
  const people = Array.from({ length: 20_000 }, (_, i) => `guest${i}@example.com,Zoë`);
  const read20000 = read(`\uFEFFEmail,First name\n${people.join('\n')}`);
  assert.deepEqual(
    [read20000.length, read20000.at(-1)],
    [20_000, ['guest19999@example.com', 'Zoë']],
  );
});
