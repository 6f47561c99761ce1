/** What an email address and a first name are. */
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  linkTo,
  readEmail,
  readFirstName,
  readInvitedEmail,
  toText,
  unwrapAddress,
} from '../lib/addresses.ts';

const LONGEST = `${'a'.repeat(242)}@example.com`;

/** What is typed, and what it is as a login. */
const EMAILS: readonly (readonly [text: string, email: string | undefined])[] = [
  ['ada@example.com', 'ada@example.com'],
  [' \t\nADA@Example.COM\u00a0', 'ada@example.com'],
  ['\u200b\ufeffada@example.com\u2060\u200b ', 'ada@example.com'],
  ["o'hara+news@mail.example.com", "o'hara+news@mail.example.com"],
  ['', undefined],
  ['ada@example', undefined],
  ['ada@.', undefined],
  ['@example.com', undefined],
  ['ada@@example.com', undefined],
  ['a da@example.com', undefined],
  ['Ada <ada@example.com>', undefined],
  [LONGEST, LONGEST],
  [`a${LONGEST}`, undefined],

  ['ada@Bücher.example', 'ada@xn--bcher-kva.example'],
  ['ada@bu\u0308cher.example', 'ada@xn--bcher-kva.example'],
  ['zoë@example.com', 'zoë@example.com'],
  ['ada@ü.example/x', undefined],
  ['ada@ü.example:80', undefined],
  ['ada@ü%41.example', undefined],
  ['ada@１２７.0.0.1', undefined],
  ['ada@\u2060.ü', undefined],
  [`ada@${'ü'.repeat(250)}`, undefined],
];

for (const [text, email] of EMAILS)
  test(`${JSON.stringify(text).slice(0, 50)} logs in as ${email?.slice(0, 50)}`, () => {
    assert.equal(readEmail(text), email);
  });

test('an invite takes what a login takes, but for what no mail program does', () => {
  for (const text of ['ada@example.com', 'zoë@bücher.example', "o'hara+news@example.com"])
    assert.equal(readInvitedEmail(text), readEmail(text));
  for (const character of '<>(),;:"[]\\\u0000\u0007\u200b\u2060\u202e\ud800')
    assert.equal(readInvitedEmail(`a${character}da@example.com`), undefined);
  // Its conversion would drop it.
  assert.equal(readInvitedEmail('ada@exam\u00adple.ü'), undefined);
  for (const domain of ['exam_ple.com', 'example..com', 'example.com/x.y', 'example.com”'])
    assert.equal(readInvitedEmail(`ada@${domain}`), undefined);
});

const FIRST_NAMES: readonly (readonly [text: string, name: string | null | undefined])[] = [
  [' Ada \u200b', 'Ada'],
  ['a\u202edA\u202c', 'adA'],
  ['עדה\u200f', 'עדה'],
  ['', null],
  [' \u200b\t', null],
  ['x'.repeat(100), 'x'.repeat(100)],
  ['x'.repeat(101), undefined],
  ['Ada\nMaria', undefined],
  ['Ada\u0000', undefined],
];

for (const [text, name] of FIRST_NAMES)
  test(`${JSON.stringify(text).slice(0, 30)} is the first name ${name?.slice(0, 30)}`, () => {
    assert.equal(readFirstName(text), name);
  });

test('a value of JSON is its text', () => {
  const values: unknown[] = [undefined, null, { toString: null }, 'a', 1, true, ['a'], {}];
  const texts = ['', '', '', 'a', '1', 'true', 'a', '[object Object]'];
  assert.deepEqual(values.map(toText), texts);
  assert.equal(toText([['a', null], [[1, {}]]]), 'a,,1,[object Object]');
});

test('arrays in arrays take a fraction of the time of String()', () => {
  const values: unknown[] = [];
  for (let i = 0; i < 100; i += 1) values.push(JSON.parse('['.repeat(2000) + ']'.repeat(2000)));
  const measure = (read: (value: unknown) => string): number => {
    const start = process.cpuUsage();
    for (const value of values) read(value);
    return process.cpuUsage(start).user;
  };
  assert.ok(measure(toText) < measure(String) / 3);
});

/** What people copy, and the address in it. */
const COPIES: readonly (readonly [text: string, address: string])[] = [
  ['"Lovelace, Ada" <mailto:ada@example.com>;', 'ada@example.com'],
  ['mailto:ada@example.com?subject=Hello', 'ada@example.com'],
  ["'ada@example.com'", 'ada@example.com'],
  ['«\u200bada@example.com» ', 'ada@example.com'],
  ['„ada@example.com“.', 'ada@example.com'],
  ['（ada@example.com）', 'ada@example.com'],
  ['smith&ltd@example.com', 'smith&ltd@example.com'],
  ['•[ada@example.com],', 'ada@example.com'],
  ['- ada@example.com:', 'ada@example.com'],
  ['&gt; - ada@example.com', 'ada@example.com'],
  ['&lt;ada@example.com&gt;', 'ada@example.com'],
  ['_x000D_ada@example.com', 'ada@example.com'],
  ['-anna-@example.com', '-anna-@example.com'],
  ["!{~o'hara@example.com", "!{~o'hara@example.com"],
  ['Ada <ada@example.com', 'Ada <ada@example.com'],
];

for (const [text, address] of COPIES)
  test(`${text} is ${address}, and only that can be invited`, () => {
    assert.equal(unwrapAddress(text), address);
    if (text !== address) assert.equal(readInvitedEmail(text), undefined);
  });

test('a link keeps what an address may hold', () => {
  const link = linkTo('https://preview.example.com', 'a+b%zoë@example.com');
  assert.equal(link, 'https://preview.example.com/#a+b%25zo%C3%AB@example.com');
  assert.equal(decodeURIComponent(new URL(link).hash.slice(1)), 'a+b%zoë@example.com');
});

test('100,000 characters of anything are read in a second of a processor', () => {
  for (const character of [' ', '\u200b', '.', '@', 'a', '\ud800']) {
    const text = character.repeat(100_000);
    for (const each of [text, `a${text}b`, `a@${text} @`]) {
      const start = process.cpuUsage();
      readInvitedEmail(each);
      unwrapAddress(each);
      readFirstName(each);
      const { user } = process.cpuUsage(start);
      assert.ok(user < 1e6, `${JSON.stringify(each.slice(0, 3))} took ${user} µs`);
    }
  }
});
