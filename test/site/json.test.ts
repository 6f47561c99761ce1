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

for (const [what, broken, said] of [
  [
    'a missing comma',
    set(2, '  "title": "Halden"'),
    /^line 3: not JSON: Expected ',' or '}' after /,
  ],
  ['a comma too many', set(7, '    "button": "x",'), /^line 8: not JSON: Expected double-quoted /],
  ['a quote that is not closed', set(2, '  "title": "Halden,'), /^line 2: not JSON: Bad control /],
  [
    'quotes of a word processor',
    set(2, '  “title”: 1,'),
    /^line 2: not JSON: Expected property name/,
  ],
  ['an end that is missing', LINES.slice(0, -1).join('\n'), /^line 8: not JSON: Expected ',' or /],
  ['a word without quotes', set(2, '  "title": Halden'), /^not JSON: .* "title": Halden/],
  ['nothing at all', '', /^not JSON: Unexpected end of JSON input$/],
  [
    'a text of many MB, like a pasted picture',
    `{\n"a": "${'A'.repeat(1e7)}",\n"b" "c"}`,
    /^line 3: /,
  ],
] as const)
  test(`JSON with ${what} is refused in one line that names the place`, () => {
    const [mistake = '', ...others] = mistakes(broken);
    assert.deepEqual(others, []);
    assert.match(mistake, said);
    assert.doesNotMatch(mistake, /\n|position/);
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
