/** JSON of the content file: what is read, and how a mistake is named. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '../../lib/site/json.ts';
import { ContentError } from '../../lib/site/reader.ts';
import { mistakesOf } from '../support/mistakes.ts';

const LINES = [
  '{',
  '  "title": "Halden",',
  '  "timeline": [',
  '    { "date": "2025-01-21" }',
  '  ],',
  '  "join": {',
  '    "button": "Count me in"',
  '  }',
  '}',
];

/** The lines of the file with one replaced. */
const set = (line: number, text: string) => LINES.with(line - 1, text).join('\n');

const mistakes = (file: string | Buffer) => mistakesOf(() => parseJson(Buffer.from(file)));

for (const [what, line, broken] of [
  ['a missing comma', 3, set(2, '  "title": "Halden"')],
  ['a comma too many', 8, set(7, '    "button": "Count me in",')],
  ['a quote that is not closed', 2, set(2, '  "title": "Halden,')],
  ['quotes of a word processor', 2, set(2, '  “title”: 1,')],
  ['an end that is missing', 8, LINES.slice(0, -1).join('\n')],
  ['nothing at all', 1, ''],
  ['a text of many MB, like a pasted picture', 3, `{\n"a": "${'A'.repeat(1e7)}",\n"b" "c"}`],
] as const)
  test(`JSON with ${what} is refused with its line`, () => {
    assert.match(mistakes(broken).join(), new RegExp(`^line ${line}: not JSON; `));
  });

test('a field that is there twice is a mistake with both lines', () => {
  const twice = set(2, '  "title": "One", "title": "Two",').replace(
    /"button": .*/,
    '$&,\n    "b\\u0075tton": "x"',
  );
  assert.deepEqual(mistakes(twice), [
    'line 2: a second "title"; the first: line 2',
    'line 8: a second "button"; the first: line 7',
  ]);
});

test('text that is not UTF-8 is refused', () => {
  const said = ['not UTF-8; save the file as UTF-8'];
  assert.deepEqual(mistakes(Buffer.from('{ "title": "Gr\xfcn" }', 'latin1')), said);
  assert.deepEqual(mistakes(Buffer.from('\uFEFF{}', 'utf16le')), said);
});

test('JSON of every kind is read as JSON.parse reads it, with a byte order mark or without', () => {
  for (const json of [
    '[]',
    '{}',
    ' [1, -2.5e3, "\\"\\n\\ud83d\\ude00}", null,true , {"a":[[]]}] ',
    '""',
  ])
    assert.deepEqual(parseJson(Buffer.from(`\uFEFF${json}`)), JSON.parse(json));
  const broken =
    '[1,]|{"a":1,}|[01]|["\t"]|[1 2]|{1:2}|{"a"}|{} {}|[1]]|\u00a0[]|{"a":}|[,]|]|[NaN]|"\\x"';
  for (const json of broken.split('|')) {
    assert.throws(() => JSON.parse(json), json);
    assert.throws(() => parseJson(Buffer.from(json)), ContentError, json);
  }
});
