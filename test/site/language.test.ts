/** The owner's language and words: what they may be, and that every sentence of a page is one of them. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { DEFAULT_WORDS, SCRIPT_WORDS } from '../../lib/site/default-words.ts';
import { dateWriter, readLanguage } from '../../lib/site/language.ts';
import { SAMPLE_SITE } from '../../lib/site/site.ts';
import { inject } from '../support/inject.ts';
import { temporaryFolder } from '../support/site.ts';

/** A text that names its field, and what HTML and templates would take for their own. */
const mark = (name: string) => `«${name} "&'<b>{/b»`;

const placesOf = (english: string) => (english.match(/\{\w+\}/g) ?? []).join('');
const marked = Object.fromEntries(
  Object.entries(DEFAULT_WORDS).map(([key, english]) => [key, mark(key) + placesOf(english)]),
);

const folder = temporaryFolder();
fs.cpSync(SAMPLE_SITE, folder, { recursive: true });
const CONTENT = {
  language: 'ar',
  words: marked,
  invitation: `${mark('invitation')}{address}`,
  reminder: `${mark('reminder')}{address}`,
  subject: mark('subject'),
  entry: { title: mark('title'), sentence: mark('sentence'), description: mark('description') },
  title: mark('name'),
  tagline: mark('tagline'),
  timeline: ['2025-01-21', '2026-01-21'].map((date) => {
    return { date, headline: mark('headline'), text: mark('text') };
  }),
  join: { headline: mark('question'), text: mark('answer'), button: mark('button') },
};
fs.writeFileSync(path.join(folder, 'content.json'), JSON.stringify(CONTENT));
const { begin, send } = await inject({}, undefined, folder);
const cookie = await begin('administrator');

for (const [tag, lang, dir] of [
  ['de', 'de', 'ltr'],
  ['EN-gb', 'en-GB', 'ltr'],
  ['ar', 'ar', 'rtl'],
  ['iw', 'he', 'rtl'],
  ['az-arab', 'az-Arab', 'rtl'],
] as const)
  test(`the language ${tag} is ${lang}, written ${dir}`, () =>
    assert.deepEqual(readLanguage(tag, 'field'), { lang, dir }));

for (const [lang, day, shortDay, year] of [
  ['en', '4 March 2025', '4 Mar', '2025'],
  ['de', '4. März 2025', '4. März', '2025'],
  ['ja', '2025年3月4日', '3月4日', '2025年'],
  // Node does not know it.
  ['qaa', 'March 4, 2025', 'Mar 4', '2025'],
] as const)
  test(`in ${lang} a date reads ${day}, in any zone`, () =>
    assert.deepEqual(dateWriter(lang)('2025-03-04'), { day, shortDay, year }));

/** The pages, and the words of their programs. */
const PAGES: Readonly<Record<string, object>> = {
  '/': SCRIPT_WORDS.entry,
  '/timeline?view=desktop': SCRIPT_WORDS.timeline,
  '/timeline?view=mobile': SCRIPT_WORDS.timeline,
};

const load = async (url: string) => (await send(`GET ${url}`, { cookie })).text;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' };
const decode = (html: string) =>
  html.replace(/&(?:#(\d+)|(\w+));/g, (entity, code, name) =>
    code ? String.fromCodePoint(code) : (ENTITIES[name] ?? entity),
  );

/** What a person reads or hears of a page, dates aside. */
function textsOf(html: string): readonly string[] {
  const plain = html.replace(/<(time|span class="year")[\s\S]*?<\/\w+>|<h2>[^<«]*<\/h2>/g, '');
  const shown = [...plain.matchAll(/>([^<]+)</g)].map(([, text = '']) => text.trim());
  const named = plain.matchAll(
    /(?: (?:aria-label|alt|title|placeholder)|<meta (?:name="description"|property="og:(?!url|type|image")[^"]*") content)="(.*?)"/g,
  );
  return [...shown, ...[...named].map(([, text = '']) => text)].filter(Boolean).map(decode);
}

for (const [url, words] of Object.entries(PAGES))
  test(`${url} shows no word but the owner's`, async () => {
    const html = await load(url);
    assert.match(html, /^<!doctype html>\n<html lang="ar" dir="rtl">/);
    const texts = textsOf(html);
    assert.ok(texts.length > 8);
    const own = /^(: )?«\w+ "&'<b>\{\/b»$|^([←→↓\d]|١|٢)/;
    for (const text of texts) assert.match(text, own);
    const said = JSON.parse(decode(/<body [^>]*data-words="(.*?)"/.exec(html)?.[1] ?? ''));
    const expected = Object.keys(words).map((key) => [key, marked[key]]);
    assert.deepEqual(said, Object.fromEntries(expected));
  });

test('the administrator page has the owner’s letters, and is in English', async () => {
  const html = await load('/svcops');
  assert.match(html, /^<!doctype html>\n<html lang="en">/);
  assert.ok(decode(html).includes(`data-reminder="${mark('reminder')}{address}"`));
});
