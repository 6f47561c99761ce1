/** What strangers see: nothing that is for guests, link previews, and what crawlers may read. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../lib/config.ts';
import { SAMPLE_SITE } from '../../lib/site/site.ts';
import { inject } from '../support/inject.ts';
import { temporaryFolder } from '../support/site.ts';

const PUBLIC_ORIGIN = 'https://preview.example.com';
const { begin, send } = await inject({ publicOrigin: PUBLIC_ORIGIN });
const cookie = await begin('invitee');

const { entry: _, ...gated } = JSON.parse(
  fs.readFileSync(path.join(root, 'pages/sample/content.json'), 'utf8'),
);

const get = (url: string, cookie?: string) => send(`GET ${url}`, { cookie });

/** The files of this site that a page names, images and icons aside. */
async function filesOf(url: string): Promise<readonly string[]> {
  const { text: html } = await get(url, cookie);
  const names = [...html.matchAll(/<(?:link|script)\b[^>]*\b(?:href|src)="(\/[^"]+)"/g)];
  return names.map(([, name = '']) => name).filter((name) => name !== '/favicon.svg');
}

test('no public file contains text for invitees', async () => {
  const words = JSON.stringify(gated).matchAll(/[:[,]"([^"\\]+)"(?!:)/g);
  const secrets = [...words].map(([, word = '']) => word);
  assert.ok(secrets.includes('Halden') && secrets.length > 60);
  for (const name of ['/', '/robots.txt', '/favicon.svg', '/card.png', ...(await filesOf('/'))]) {
    const response = await get(name);
    assert.equal(response.status, 200, name);
    for (const secret of secrets)
      assert.ok(!response.text.includes(secret), `${name} holds "${secret}"`);
  }
});

test('only the entry page has Open Graph tags, with the card of the owner', async () => {
  const folder = temporaryFolder();
  for (const from of [SAMPLE_SITE, path.join(root, 'test/site/talwind')])
    fs.cpSync(from, folder, { recursive: true });
  const talwind = await inject({ publicOrigin: PUBLIC_ORIGIN }, undefined, folder);
  const { text: html } = await talwind.send('GET /');
  const tags = html.matchAll(/<meta (?:property="og|name="twitter):(\S+)" content="(.+)">/g);
  assert.deepEqual(Object.fromEntries([...tags].map(([, name, content]) => [name, content])), {
    type: 'website',
    url: `${PUBLIC_ORIGIN}/`,
    title: 'Talwind: Vorschau',
    description: 'Eine Vorschau für Eingeladene. Treten Sie mit Ihrer E-Mail-Adresse ein.',
    card: 'summary_large_image',
    image: `${PUBLIC_ORIGIN}/public/karte.png`,
    'image:width': '1200',
    'image:height': '630',
    'image:alt': 'Der Schriftzug Talwind auf dunklem Grün.',
  });
  const { status, headers } = await talwind.send('GET /public/karte.png');
  assert.deepEqual([status, headers.get('content-type')], [200, 'image/png']);
  for (const view of ['desktop', 'mobile'])
    assert.ok(!(await get(`/timeline?view=${view}`, cookie)).text.includes('og:'));
});

test('robots.txt lets messengers read the entry page and its card, and nothing else', async () => {
  const { text } = await get('/robots.txt');
  const rules = text.split('\n').filter((line) => /^(Allow|Disallow):/.test(line));
  const allowed = ['/$', '/?', '/card.png', '/public/'].map((url) => `Allow: ${url}`);
  assert.deepEqual(rules, [...allowed, 'Disallow: /']);
});
