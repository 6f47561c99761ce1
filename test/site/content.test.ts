/** What `content.json` may hold, and how a mistake in its JSON or in a field is named. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../lib/config.ts';
import { adviseOn } from '../../lib/site/advice.ts';
import { parseContent, readContent } from '../../lib/site/content.ts';
import { timelineCss } from '../../lib/site/render.ts';
import { SAMPLE_SITE } from '../../lib/site/site.ts';
import { siteFiles } from '../../lib/site/site-files.ts';
import { mistakesOf } from '../support/mistakes.ts';

const read = (json: string) => readContent(Buffer.from(json), siteFiles(SAMPLE_SITE));

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
  const owner = names.reduce((part, name) => (part[name] ??= {}), content);
  owner[last] = value;
  return JSON.stringify(content);
}

const mistakes = (file: string | Buffer) =>
  mistakesOf(() => readContent(Buffer.from(file), siteFiles(SAMPLE_SITE)));

/** The only one. */
const mistake = (file: string) => mistakes(file).join('\n') || 'none';

test('without its own text the entry page is neutral, whatever is left out', () => {
  const { entry } = read(EXAMPLE);
  for (const field of ['entry', 'entry.title', 'entry.sentence', 'entry.description'])
    assert.deepEqual(read(set(field)).entry, entry, field);
  for (const field of ['title', 'sentence', 'description', 'contact'])
    assert.equal(mistake(set(`entry.${field}`, ' ')), `entry.${field}: missing or not a text`);
});

test('a link of the footer has an address that is safe', () => {
  const links = (href: string) => set('links', [{ text: 'Imprint', href }]);
  for (const href of ['https://example.com/imprint', 'mailto:ada@example.com', 'tel:+49761123'])
    assert.equal(read(links(href)).links[0]?.href, href);
  const said = 'links[0].href: not an address such as https://…, mailto:… or tel:…';
  for (const href of ['/imprint', 'http://example.com', 'javascript:alert(1)', 'tel:x'])
    assert.equal(mistake(links(href)), said);
});

test('the size of the title is that of its longest word, and soft hyphens divide words', () => {
  const size = (title: string) =>
    Number(/--title: (.*);/.exec(timelineCss(read(set('title', title))))?.[1]);
  assert.ok(size('Bergwind') > 4.5 && size('Bergwind') < 5.5);
  assert.equal(size('Berg\u00adwind Berg'), Math.max(size('Berg'), size('wind')));
  assert.ok(size('WWWW') > size('Illl') * 2);
});

test('a site that is valid may still need advice', () => {
  const advice = (field: string, value: unknown) => adviseOn(read(set(field, value))).join('\n');
  assert.equal(advice('language', 'en-US'), '');
  assert.match(
    advice('language', 'es'),
    /^language is es, but still in English are \d+ sentences of words, invitation, reminder, subject: start from words-en\.json$/,
  );
  assert.match(advice('title', 'Otorrinolaringologia'), /^title: "Otorrinolaringologia" breaks/);
  assert.equal(advice('title', 'Otorrino\u00adlaringologia'), '');
  assert.match(advice('timeline[0].date', '2025-03-05'), /^timeline\[1\]: its date is before/);
  assert.equal(advice('timeline[0].date', '2025-03-04'), '');
});

const SCENE = 'timeline[0].headline timeline[1].text timeline[0].image.src timeline[0].image.alt';
for (const field of `title tagline ${SCENE} join.headline join.text join.button`.split(' '))
  test(`${field} must be a text`, () => {
    for (const wrong of [undefined, 3, null, '  '])
      assert.equal(mistake(set(field, wrong)), `${field}: missing or not a text`);
  });

const [DATE, OBJECT] = ['not a date (YYYY-MM-DD)', 'not an object'];
const [LIST, LINE] = ['not a list with at least one item', 'not one line; remove the line break'];
for (const [field, value, what] of [
  ['timeline[1].date', '2025-02-29', DATE],
  ['timeline[1].date', '4 March 2025', DATE],
  ['timeline[1].date', undefined, DATE],
  ['timeline[0].image', 'window.svg', OBJECT],
  ['timeline[0].image.src', 'door.svg', 'there is no file images/door.svg'],
  ['timeline[1].headline', 'Four\nin the afternoon', LINE],
  ['title', 'Halden\r\n\r\nLamp', LINE],
  ['timeline', [], LIST],
  ['timeline', {}, LIST],
  ['entry', 'Welcome', OBJECT],
  ['join', undefined, OBJECT],
  ['join.thanks', '', 'missing or not a text'],
  ['opening.image', 'window.svg', OBJECT],
  ['links', [], LIST],
] as const)
  test(`${field} must not be ${JSON.stringify(value) ?? 'left out'}`, () =>
    assert.equal(mistake(set(field, value)), `${field}: ${what}`));

test('an unknown field is named, with the known ones', () => {
  for (const [field, said] of [
    ['timeline[1].headlin', /^timeline\[1\]: unknown field "headlin"; known are date, headline, /],
    ['titel', /^unknown field "titel"/],
    ['entry.text', /^entry: unknown field "text"/],
    ['join.link', /^join: unknown field "link"/],
  ] as const)
    assert.match(mistake(set(field, 'x')), said);
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

test('as many mistakes as a content file can hold are all named', (t) => {
  // Their traces would take seconds.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  t.after(() => {
    Error.stackTraceLimit = stackTraceLimit;
  });
  assert.equal(mistakes(set('timeline', Array(200_000).fill(1))).length, 200_000);
});

test('a mistake has one line, whatever it quotes', () => {
  assert.match(mistake(set('title\nof the site', 'x')), /^unknown field "title of the site"; .*$/);
  const link = mistake(set('join.text', '[two\nlines](http://example.com)'));
  assert.match(link, /^join\.text: no link: \[two lines\].*$/);
});

/** A content file of nine lines, with one replaced. */
const LINES = `{
  "title": "Halden",
  "timeline": [
    { "date": "2025-01-21" }
  ],
  "join": {
    "button": "Count me in"
  }
}`.split('\n');
const line = (number: number, text: string) => LINES.with(number - 1, text).join('\n');

/** What is wrong with the JSON of a file. */
const faults = (file: string | Buffer) => mistakesOf(() => parseContent(Buffer.from(file)));

for (const [what, broken, said] of [
  ['a missing comma', line(2, '  "title": "x"'), /^line 3: not JSON: Expected ',' or '}' after /],
  ['a comma too many', line(7, '    "button": "x",'), /^line 8: not JSON: Expected double-quoted /],
  ['a quote that is not closed', line(2, '  "title": "x,'), /^line 2: not JSON: Bad control /],
  ['quotes of a word processor', line(2, '  “title”: 1,'), /^line 2: not JSON: Expected property /],
  ['an end that is missing', LINES.slice(0, -1).join('\n'), /^line 8: not JSON: Expected ',' or /],
  ['a word without quotes', line(2, '  "title": Halden'), /^not JSON: .* "title": Halden/],
  ['nothing at all', '', /^not JSON: Unexpected end of JSON input$/],
  ['a text of many MB', `{\n"a": "${'A'.repeat(1e7)}",\n"b" "c"}`, /^line 3: /],
] as const)
  test(`JSON with ${what} is refused in one line that names the place`, () => {
    const [mistake = '', ...others] = faults(broken);
    assert.deepEqual(others, []);
    assert.match(mistake, said);
    assert.doesNotMatch(mistake, /\n|position/);
  });

test('text that is not UTF-8 is refused', () => {
  const said = ['not UTF-8; save the file as UTF-8'];
  assert.deepEqual(faults(Buffer.from('{ "title": "Gr\xfcn" }', 'latin1')), said);
  assert.deepEqual(faults(Buffer.from('\uFEFF{}', 'utf16le')), said);
});

test('JSON is read with a byte order mark or without', () => {
  for (const mark of ['', '\uFEFF'])
    assert.deepEqual(parseContent(Buffer.from(`${mark}{ "a": [1] }`)), { a: [1] });
});
