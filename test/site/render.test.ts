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
const { send } = await inject({ publicOrigin: PUBLIC_ORIGIN });

test('no public file contains text for invitees', async () => {
  const sample = fs.readFileSync(path.join(SAMPLE_SITE, 'content.json'), 'utf8');
  const { entry: _, ...gated } = JSON.parse(sample);
  const words = JSON.stringify(gated).matchAll(/[:[,]"([^"\\]+)"(?!:)/g);
  const secrets = [...words].map(([, word = '']) => word);
  assert.ok(secrets.includes('Halden') && secrets.length > 60);
  const { text: html } = await send('GET /');
  const named = [...html.matchAll(/<(?:link|script)\b[^>]*\b(?:href|src)="(\/[^"]+)"/g)];
  assert.ok(named.length > 2);
  for (const name of ['/', '/robots.txt', '/card.png', ...named.map(([, name = '']) => name)]) {
    const { status, text } = await send(`GET ${name}`);
    assert.equal(status, 200, name);
    for (const secret of secrets) assert.ok(!text.includes(secret), `${name} holds "${secret}"`);
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
  assert.equal(
    (await talwind.send('GET /public/karte.png')).headers.get('content-type'),
    'image/png',
  );
  assert.ok(!(await talwind.send('GET /timeline', { as: 'invitee' })).text.includes('og:'));
});

test('robots.txt lets messengers read the entry page and its card, and nothing else', async () => {
  const { text } = await send('GET /robots.txt');
  const rules = text.split('\n').filter((line) => /^(Allow|Disallow):/.test(line));
  const allowed = ['/$', '/?', '/card.png', '/public/'].map((url) => `Allow: ${url}`);
  assert.deepEqual(rules, [...allowed, 'Disallow: /']);
});
