/** What `content.json` may hold, and how a mistake in it is named. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../lib/config.ts';
import { readContent } from '../../lib/site/content.ts';
import { siteFiles } from '../../lib/site/files.ts';
import { parseJson } from '../../lib/site/json.ts';
import { ContentError } from '../../lib/site/reader.ts';
import { SAMPLE } from '../../lib/site/site.ts';
import { mistakesOf } from '../support/mistakes.ts';

const read = (json: string) => readContent(Buffer.from(json), siteFiles(SAMPLE));

/** The example of the documentation: a file with every field. */
const EXAMPLE = /```json\n([\s\S]*?)```/.exec(
  fs.readFileSync(path.join(root, 'docs/content.md'), 'utf8'),
)?.[1];
assert.ok(EXAMPLE);

/** The example with another value of a field, or without the field: `set('join.text', 3)`. */
function set(field: string, value?: unknown): string {
  const names = field.split(/[.[\]]+/).filter(Boolean);
  const last = names.pop() ?? '';
  const content = JSON.parse(EXAMPLE ?? '');
  const owner = names.reduce((part, name) => part[name], content);
  owner[last] = value;
  return JSON.stringify(content);
}

const mistakes = (file: string | Buffer) =>
  mistakesOf(() => readContent(Buffer.from(file), siteFiles(SAMPLE)));

/** The only one. */
function mistake(file: string | Buffer): string {
  const all = mistakes(file);
  assert.ok(all.length < 2);
  return all[0] ?? 'none';
}

test('the example of the documentation is valid, and an image has its size', () => {
  const { entry, title, timeline, join } = read(EXAMPLE);
  assert.equal(entry.sentence, 'This preview is by invitation.');
  assert.equal(title, 'Halden');
  assert.equal(timeline[0]?.image?.src.width, 1200);
  assert.equal(timeline[1]?.image, undefined);
  assert.equal(join.button, 'Count me in');
});

test('without its own text the entry page is neutral', () => {
  const { entry } = read(set('entry'));
  assert.deepEqual(entry, read(EXAMPLE).entry);
});

test('a decorative image may have an empty description', () => {
  assert.equal(mistake(set('timeline[0].image.alt', '')), 'none');
});

const TEXTS = [
  'entry.title',
  'entry.sentence',
  'entry.description',
  'title',
  'tagline',
  'timeline[0].headline',
  'timeline[1].text',
  'timeline[0].image.src',
  'timeline[0].image.alt',
  'join.headline',
  'join.text',
  'join.button',
];

for (const field of TEXTS)
  test(`${field} must be a text`, () => {
    for (const wrong of [undefined, 3, null, '  '])
      assert.equal(mistake(set(field, wrong)), `${field}: missing or not a text`);
  });

const WRONG = [
  ['timeline[1].date', '2025-02-29', 'not a date (YYYY-MM-DD)'],
  ['timeline[1].date', '4 March 2025', 'not a date (YYYY-MM-DD)'],
  ['timeline[1].date', undefined, 'not a date (YYYY-MM-DD)'],
  ['timeline[0].image', 'window.svg', 'not an object'],
  ['timeline[0].image.src', 'door.svg', 'there is no file images/door.svg'],
  ['timeline[1].headline', 'Four\nin the afternoon', 'a line break can stand in "text" only'],
  ['title', 'Halden\r\n\r\nLamp', 'a line break can stand in "text" only'],
  ['timeline', [], 'not a list with at least one item'],
  ['timeline', {}, 'not a list with at least one item'],
  ['entry', 'Welcome', 'not an object'],
  ['join', undefined, 'not an object'],
] as const;

for (const [field, value, what] of WRONG)
  test(`${field} must not be ${JSON.stringify(value) ?? 'left out'}`, () => {
    assert.equal(mistake(set(field, value)), `${field}: ${what}`);
  });

test('an unknown field is named, with the known ones', () => {
  assert.equal(
    mistake(set('timeline[1].headlin', 'x')),
    'timeline[1]: unknown field "headlin"; known are date, headline, text, image, images, video',
  );
  assert.match(mistake(set('titel', 'x')), /^unknown field "titel"/);
  assert.match(mistake(set('entry.text', 'x')), /^entry: unknown field "text"/);
  assert.match(mistake(set('join.link', 'x')), /^join: unknown field "link"/);
});

test('all mistakes are named at once', () => {
  const content = JSON.parse(EXAMPLE);
  delete content.title;
  content.join = [];
  content.timeline[0] = { date: 'soon', headline: 'x', text: '', picture: {} };
  assert.deepEqual(mistakes(JSON.stringify(content)).toSorted(), [
    'join: not an object',
    'timeline[0].date: not a date (YYYY-MM-DD)',
    'timeline[0].text: missing or not a text',
    'timeline[0]: unknown field "picture"; known are date, headline, text, image, images, video',
    'title: missing or not a text',
  ]);
});

const LINES = EXAMPLE.split('\n');

for (const [what, line, broken] of [
  ['a missing comma', 8, [...LINES.slice(0, 6), '  "title": "Halden"', ...LINES.slice(7)]],
  ['a comma too many', 6, [...LINES.slice(0, 4), `${LINES[4]},`, ...LINES.slice(5)]],
  [
    'a quote that is not closed',
    7,
    [...LINES.slice(0, 6), '  "title": "Halden,', ...LINES.slice(7)],
  ],
  ['quotes of a word processor', 7, [...LINES.slice(0, 6), '  “title”: 1,', ...LINES.slice(7)]],
  ['an end that is missing', LINES.length - 2, LINES.slice(0, -2)],
  ['nothing at all', 1, ['']],
] as const)
  test(`JSON with ${what} is refused with its line`, () => {
    assert.match(mistake(broken.join('\n')), new RegExp(`^line ${line}: not JSON; `));
  });

test('JSON with a text of many MB, like a pasted picture, is refused with its line', () => {
  const pasted = `{\n"title": "${'A'.repeat(1e7)}",\n"tagline" "Lamps"}`;
  assert.match(mistake(pasted), /^line 3: not JSON; /);
});

test('as many mistakes as a content file can hold are all named', (t) => {
  // Their traces would take seconds.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  t.after(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });
  const wrong = set(
    'timeline',
    Array.from({ length: 400_000 }, () => 1),
  );
  assert.equal(mistakes(wrong).length, 400_000);
});

test('a mistake has one line, whatever it quotes', () => {
  assert.match(mistake(set('title\nof the site', 'x')), /^unknown field "title of the site"; .*$/);
  assert.match(
    mistake(set('join.text', '[two\nlines](http://example.com)')),
    /^join\.text: no link: \[two lines\].*$/,
  );
});

test('a byte order mark is accepted', () => {
  assert.equal(read(`\uFEFF${EXAMPLE}`).title, 'Halden');
});

test('text that is not UTF-8 is refused', () => {
  const said = 'not UTF-8; save the file as UTF-8';
  assert.equal(mistake(Buffer.from(set('title', 'Gr\xfcn'), 'latin1')), said);
  assert.equal(mistake(Buffer.from(`\uFEFF${EXAMPLE}`, 'utf16le')), said);
});

test('a field that is there twice is a mistake with both lines', () => {
  const twice = LINES.map((line) => line.replace(/"button": .*/, '$&,\n    "b\\u0075tton": "x"'));
  twice[6] = '  "title": "One", "title": "Two",';
  assert.deepEqual(mistakes(twice.join('\n')), [
    'line 7: a second "title"; the first: line 7',
    'line 29: a second "button"; the first: line 28',
  ]);
});

test('JSON of every kind is read as JSON.parse reads it', () => {
  for (const json of [
    '[]',
    '{}',
    ' [1, -2.5e3, "\\"\\n\\ud83d\\ude00}", null,true , {"a":[[]]}] ',
    '""',
  ])
    assert.deepEqual(parseJson(Buffer.from(json)), JSON.parse(json));
  for (const json of [
    '[1,]',
    '{"a":1,}',
    '[01]',
    "['a']",
    '[1 2]',
    '{1:2}',
    '{"a"}',
    '{} {}',
    '"\t"',
    '[1]]',
    '\u00a0[]',
    '{"a":}',
    '[,]',
    ']',
    '[NaN]',
    '"\\x"',
  ]) {
    assert.throws(() => JSON.parse(json), json);
    assert.throws(() => parseJson(Buffer.from(json)), ContentError, json);
  }
});
