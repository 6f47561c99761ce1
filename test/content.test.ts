/** What `pages/content.json` may hold, and how a mistake in it is named. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { ContentError, readContent } from '../lib/content.ts';
import { root } from '../lib/root.ts';
import { install } from './installation.ts';

const IMAGES = new Map([
  ['01-window.svg', { width: 1200, height: 900 }],
  ['broken.png', undefined],
]);

/** The example of the documentation: a file with every field. */
const EXAMPLE = /```json\n([\s\S]*?)```/.exec(
  fs.readFileSync(path.join(root, 'docs/content.md'), 'utf8'),
)?.[1];
assert.ok(EXAMPLE);

/** The example, with one field set to another value or, without one, left out: `set('join.text', 3)`. */
function set(field: string, value?: unknown): string {
  const names = field.split(/[.[\]]+/).filter(Boolean);
  const last = names.pop() ?? '';
  const content = JSON.parse(EXAMPLE ?? '');
  const owner = names.reduce((part, name) => part[name], content);
  owner[last] = value;
  return JSON.stringify(content);
}

function mistake(json: string): string {
  try {
    readContent(json, IMAGES);
  } catch (error) {
    if (error instanceof ContentError) return error.message;
    throw error;
  }
  return 'none';
}

test('the example of the documentation holds, and an image brings its size', () => {
  const { entry, title, timeline, join } = readContent(EXAMPLE, IMAGES);
  assert.equal(entry.sentence, 'This preview is by invitation.');
  assert.equal(title, 'Halden');
  assert.equal(timeline[0]?.image?.width, 1200);
  assert.equal(timeline[1]?.image, undefined);
  assert.equal(join.button, 'Count me in');
});

test('without words of its own the entry page is neutral', () => {
  const { entry } = readContent(set('entry'), IMAGES);
  assert.deepEqual(entry, readContent(EXAMPLE, IMAGES).entry);
});

test('an image that says nothing may have an empty description', () => {
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
  ['timeline[0].image.src', 'door.svg', 'there is no image pages/images/door.svg'],
  ['timeline[0].image.src', 'broken.png', 'cannot read the size of pages/images/broken.png'],
  ['timeline', [], 'not a list with at least one item'],
  ['timeline', {}, 'not a list with at least one item'],
  ['entry', 'Welcome', 'not an object'],
  ['join', undefined, 'not an object'],
] as const;

for (const [field, value, what] of WRONG)
  test(`${field} must not be ${JSON.stringify(value) ?? 'left out'}`, () => {
    assert.equal(mistake(set(field, value)), `${field}: ${what}`);
  });

test('an unknown field is named, with those that are known', () => {
  assert.equal(
    mistake(set('timeline[1].headlin', 'x')),
    'timeline[1]: unknown field "headlin"; known are date, headline, text, image',
  );
  assert.match(mistake(set('titel', 'x')), /^content\.json: unknown field "titel"/);
  assert.match(mistake(set('entry.text', 'x')), /^entry: unknown field "text"/);
  assert.match(mistake(set('join.link', 'x')), /^join: unknown field "link"/);
});

test('what is not JSON at all is said', () => {
  assert.match(mistake('{ "title": '), /^content\.json: not JSON \(/);
});

test('a mistake stops the start with the path of the field', async (t) => {
  const { root: folder, run, remove } = install();
  t.after(remove);
  fs.writeFileSync(path.join(folder, 'pages/content.json'), set('timeline[1].date', 'soon'));
  const { status, stdout, stderr } = run();
  assert.equal(stderr, 'pages/content.json: timeline[1].date: not a date (YYYY-MM-DD)\n');
  assert.equal(stdout, '');
  assert.equal(status, 1);
});
