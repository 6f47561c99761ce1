/** That every sentence which a visitor can meet is one of the owner's words. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../lib/config.ts';
import { SAMPLE } from '../../lib/site/site.ts';
import { SAID, WORDS } from '../../lib/site/words.ts';
import { inject } from '../support/inject.ts';
import { temporaryFolder } from '../support/site.ts';

/** A text that names its field, and what HTML and templates would take for their own. */
const mark = (name: string) => `«${name} "&'<b>{/b»`;

const words = Object.fromEntries(
  Object.entries(WORDS).map(([key, english]) => [
    key,
    mark(key) + (english.match(/\{\w+\}/g) ?? []).join(''),
  ]),
);

const folder = temporaryFolder();
fs.cpSync(SAMPLE, folder, { recursive: true });
fs.writeFileSync(
  path.join(folder, 'content.json'),
  JSON.stringify({
    language: 'ar',
    words,
    invitation: `${mark('invitation')}{address}`,
    reminder: `${mark('reminder')}{address}`,
    entry: { title: mark('title'), sentence: mark('sentence'), description: mark('description') },
    title: mark('name'),
    tagline: mark('tagline'),
    timeline: ['2025-01-21', '2026-01-21'].map((date) => {
      return { date, headline: mark('headline'), text: mark('text') };
    }),
    join: { headline: mark('question'), text: mark('answer'), button: mark('button') },
  }),
);
const { begin, send } = await inject({}, undefined, folder);
const cookie = await begin('administrator');

const PAGES = {
  entry: ['/'],
  timeline: ['/timeline?view=desktop', '/timeline?view=mobile'],
} as const;

const load = async (url: string) => (await send(`GET ${url}`, { cookie })).text;

const decode = (html: string) =>
  html
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');

/** What a person reads or hears of a page, dates aside. */
function textsOf(html: string): readonly string[] {
  const plain = html.replace(/<(time|span class="year")[\s\S]*?<\/\w+>|<h2>[^<«]*<\/h2>/g, '');
  const shown = [...plain.matchAll(/>([^<]+)</g)].map(([, text = '']) => text.trim());
  const read =
    /<meta (?:name="description"|property="og:(?!url|type|image")[^"]*") content="(.*?)"/g;
  const heard = / (?:aria-label|alt|title|placeholder)="(.*?)"/g;
  const named = [read, heard].flatMap((part) => [...plain.matchAll(part)]);
  return [...shown, ...named.map(([, text = '']) => text)].filter(Boolean).map(decode);
}

for (const [page, urls] of Object.entries(PAGES))
  for (const url of urls)
    test(`${url} shows no word but the owner's`, async () => {
      const html = await load(url);
      assert.match(html, /^<!doctype html>\n<html lang="ar" dir="rtl">/);
      const texts = textsOf(html);
      assert.ok(texts.length > 8);
      const own = /^(: )?«\w+ "&'<b>\{\/b»$|^([←→\d]|١|٢)/;
      for (const text of texts) assert.match(text, own);
      const said = JSON.parse(decode(/<body [^>]*data-words="(.*?)"/.exec(html)?.[1] ?? ''));
      const keys = Object.keys(page === 'entry' ? SAID.entry : SAID.timeline);
      assert.deepEqual(said, Object.fromEntries(keys.map((key) => [key, words[key]])));
    });

test('every word is used by a page or by its programs', async () => {
  const pages = await Promise.all([...PAGES.entry, ...PAGES.timeline].map(load));
  const shown = decode(pages.join());
  for (const key of Object.keys(WORDS)) assert.ok(shown.includes(`«${key} `), key);
  const programs = PROGRAMS.map(([, text]) => text).join('');
  for (const key of Object.keys({ ...SAID.entry, ...SAID.timeline }))
    assert.match(programs, new RegExp(`'${key.replace(/Nameless$/, '')}'`), key);
});

const PROGRAMS = ['everyone', 'invitees']
  .map((folder) => path.join(root, 'pages', folder))
  .flatMap((folder) => fs.readdirSync(folder).map((name) => path.join(folder, name)))
  .filter((file) => file.endsWith('.ts'))
  .map((file) => [path.basename(file), fs.readFileSync(file, 'utf8')] as const);

for (const [name, text] of PROGRAMS)
  test(`${name} has no sentence of its own`, () => {
    const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').replace(/new Error\(.*/g, '');
    const literals = code.match(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g) ?? [];
    for (const literal of literals)
      assert.doesNotMatch(literal, /^.[A-Z][a-z]+[^-\w]|[a-z] [a-z]+ [a-z]/);
  });

test('the administrator page has the owner’s invitation and reminder, and is in English', async () => {
  const html = await load('/svcops');
  assert.match(html, /^<!doctype html>\n<html lang="en">/);
  for (const letter of ['invitation', 'reminder'])
    assert.ok(decode(html).includes(`data-${letter}="${mark(letter)}{address}"`), letter);
});
