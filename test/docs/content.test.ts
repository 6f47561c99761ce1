/** docs/content.md: its examples are valid, show every field, and its messages are real. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../lib/config.ts';
import { ContentError } from '../../lib/site/reader.ts';
import { loadSite } from '../../lib/site/site.ts';
import { temporaryFolder } from '../support/site.ts';

const document = fs.readFileSync(path.join(root, 'docs/content.md'), 'utf8');
const examples = [...document.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, json = '']) =>
  JSON.parse(json),
);
const [whole] = examples;

const folder = temporaryFolder();
for (const from of ['pages/sample', 'test/site/talwind'])
  fs.cpSync(path.join(root, from), folder, { recursive: true });
fs.cpSync(path.join(root, 'test/site/media/hevc.mp4'), path.join(folder, 'media/phone.mp4'));
fs.writeFileSync(path.join(folder, 'images/photo.heic'), '');

function load(content: unknown): ReturnType<typeof loadSite> {
  const file = Buffer.isBuffer(content) ? content : JSON.stringify(content);
  fs.writeFileSync(path.join(folder, 'content.json'), file);
  return loadSite(folder, '');
}

function mistakes(content: unknown): string {
  try {
    load(content);
  } catch (error) {
    if (error instanceof ContentError) return error.message;
    throw error;
  }
  return '';
}

test('every example is valid within the whole file', () => {
  assert.ok(examples.length > 8);
  for (const example of examples) assert.deepEqual(load({ ...whole, ...example }).warnings, []);
});

test('the examples show every field', () => {
  const shown = new Set<string>();
  const unknown = (value: unknown, at: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => unknown(each, `${at}[]`));
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value).map(([name, part]) => {
      shown.add(`${at}.${name}`);
      return [name, unknown(part, `${at}.${name}`)];
    });
    return Object.fromEntries([...fields, ['?', at]]);
  };
  const known = examples
    .flatMap((example) => mistakes(unknown({ ...whole, ...example }, '')).split('\n'))
    // The words have a table of their own.
    .filter((line) => !line.includes(' words: '))
    .flatMap((line) => {
      const [, at = '', names = ''] =
        /json: (?:(\S+): )?unknown field "\?"; known are (.*)/.exec(line) ?? [];
      const place = at === '' ? '' : `.${at.replace(/\[\d+\]/g, '[]')}`;
      return names === '' ? [] : names.split(', ').map((name) => `${place}.${name}`);
    });
  assert.ok(known.length > 50);
  assert.deepEqual(
    [...new Set(known)].filter((field) => !shown.has(field)),
    [],
  );
});

test('each message of the table is what the service says', () => {
  const [, table = ''] = document.split('| Message');
  const messages = [...table.matchAll(/^\| `(.+?)` +\|/gm)].map(([, message = '']) => message);
  const entry = (own: object) => ({
    ...whole,
    timeline: [{ date: '2025-11-02', headline: 'Fog', text: 'Cold.', ...own }],
  });
  const image = (src: string) => entry({ image: { src, alt: '' } });
  const video = { src: 'phone.mp4', poster: 'fahrt.jpg', description: 'A road.' };
  const said = [
    Buffer.from('{ "title": "Talwind" "tagline": "" }'),
    Buffer.from('{ "title": "Gr\xfcn" }', 'latin1'),
    { ...whole, titel: 'Talwind' },
    { ...whole, title: 7 },
    entry({ date: '2.11.2025' }),
    image('Window.jpg'),
    image('../window.jpg'),
    image('photo.heic'),
    entry({ images: [{ src: 'motor.jpg', alt: '' }], video: { ...video, src: 'fahrt.mp4' } }),
    entry({ text: '[here](http://example.com)' }),
    { ...whole, words: { welcome: 'Willkommen' } },
    entry({ video }),
    { ...whole, theme: { accent: '#00a08a', background: '#ffffff' } },
  ].map(mistakes);
  assert.equal(messages.length, said.length);
  for (const [i, message] of messages.entries()) assert.ok(said[i]?.includes(message), said[i]);
});
