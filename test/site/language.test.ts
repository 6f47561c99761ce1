/**
 * The owner's language and words, and what each page shows of them; strangers see nothing for
 * guests.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../lib/config.ts';
import { DEFAULT_WORDS, SCRIPT_WORDS } from '../../lib/site/default-words.ts';
import { dateWriter, otherDirection, readLanguage } from '../../lib/site/language.ts';
import { SAMPLE_SITE } from '../../lib/site/site.ts';
import { startService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** A text that names its field, with characters that have a meaning in HTML and templates. */
const mark = (name: string) => `«${name} "&'<b>{/b»`;

const placesOf = (english: string) => (english.match(/\{\w+\}/g) ?? []).join('');
const marked = Object.fromEntries(
  Object.entries(DEFAULT_WORDS).map(([key, english]) => [key, mark(key) + placesOf(english)]),
);

const folder = temporaryFolder();
for (const from of [SAMPLE_SITE, path.join(root, 'test/site/talwind')])
  fs.cpSync(from, folder, { recursive: true });
const CONTENT = {
  language: 'ar',
  theme: { card: { src: 'karte.png', alt: mark('card') } },
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
const PUBLIC_ORIGIN = 'https://preview.example.com';
const { beginSession, send } = await startService(
  { publicOrigin: PUBLIC_ORIGIN },
  undefined,
  folder,
);
const cookie = await beginSession('administrator');

for (const [tag, lang, dir] of [
  ['de', 'de', 'ltr'],
  ['EN-gb', 'en-GB', 'ltr'],
  ['ar', 'ar', 'rtl'],
  ['iw', 'he', 'rtl'],
  ['az-arab', 'az-Arab', 'rtl'],
] as const)
  test(`the language ${tag} is ${lang}, written ${dir}`, () =>
    assert.deepEqual(readLanguage(tag, 'field'), { lang, dir }));

for (const [text, page, dir] of [
  ['שלום, עולם!', 'ltr', 'rtl'],
  ['شكـــرًا ١٢', 'ltr', 'rtl'],
  ['Halden, 2025.', 'rtl', 'ltr'],
  ['ランプ', 'rtl', 'ltr'],
  ['Halden', 'ltr', undefined],
  ['שלום', 'rtl', undefined],
  ['שלום Halden', 'ltr', undefined],
  ['Halden שלום', 'rtl', undefined],
  ['2025 – 12:30', 'rtl', undefined],
  ['', 'rtl', undefined],
] as const)
  test(`on a page written ${page}, ${text || 'no text'} gets ${dir ?? 'no direction'}`, () =>
    assert.equal(otherDirection(text, page), dir));

for (const [lang, day, shortDay, year] of [
  ['en', '4 March 2025', '4 Mar', '2025'],
  ['de', '4. März 2025', '4. März', '2025'],
  ['ja', '2025年3月4日', '3月4日', '2025年'],
  // A language that Node does not know.
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

/** The texts of a page that a person reads or hears, without dates. */
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

test('the administrator page is in English', async () => {
  const html = await load('/svcops');
  assert.match(html, /^<!doctype html>\n<html lang="en">/);
});

test('no public file contains text for invitees', async () => {
  const sample = await startService();
  const content = fs.readFileSync(path.join(SAMPLE_SITE, 'content.json'), 'utf8');
  const { entry: _, ...gated } = JSON.parse(content);
  const words = JSON.stringify(gated).matchAll(/[:[,]"([^"\\]+)"(?!:)/g);
  const secrets = [...words].map(([, word = '']) => word);
  assert.ok(secrets.includes('Halden') && secrets.length > 60);
  const { text: html } = await sample.send('GET /');
  const named = [...html.matchAll(/<(?:link|script)\b[^>]*\b(?:href|src)="(\/[^"]+)"/g)];
  assert.ok(named.length > 2);
  for (const name of ['/', '/robots.txt', '/card.png', ...named.map(([, name = '']) => name)]) {
    const { status, text } = await sample.send(`GET ${name}`);
    assert.equal(status, 200, name);
    for (const secret of secrets) assert.ok(!text.includes(secret), `${name} holds "${secret}"`);
  }
});

test('only the entry page has Open Graph tags, with the owner’s card', async () => {
  const { text: html } = await send('GET /');
  const tags = html.matchAll(/<meta (?:property="og|name="twitter):(\S+)" content="(.+)">/g);
  const found = [...tags].map(([, name, content = '']) => [name, decode(content)]);
  assert.deepEqual(Object.fromEntries(found), {
    type: 'website',
    url: `${PUBLIC_ORIGIN}/`,
    title: mark('title'),
    description: mark('description'),
    card: 'summary_large_image',
    image: `${PUBLIC_ORIGIN}/public/karte.png`,
    'image:width': '1200',
    'image:height': '630',
    'image:alt': mark('card'),
  });
  const { headers } = await send('GET /public/karte.png');
  assert.equal(headers.get('content-type'), 'image/png');
  assert.ok(!(await load('/timeline')).includes('og:'));
});

test('robots.txt lets messengers read the entry page and its card alone', async () => {
  const { text } = await send('GET /robots.txt');
  const rules = text.split('\n').filter((line) => /^(Allow|Disallow):/.test(line));
  const allowed = ['/$', '/?', '/card.png', '/public/'].map((url) => `Allow: ${url}`);
  assert.deepEqual(rules, [...allowed, 'Disallow: /']);
});
