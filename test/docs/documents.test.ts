/** What the documents quote: examples, messages, buttons, tools and tests; and not-run.ts. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../lib/config.ts';
import { DEFAULT_WORDS } from '../../lib/site/default-words.ts';
import { loadSite } from '../../lib/site/site.ts';
import { mistakesOf } from '../support/mistakes.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { commandsOf, DOCUMENTS } from './commands.ts';
import { NOT_RUN } from './not-run.ts';

const readme = fs.readFileSync(path.join(root, 'README.md'), 'utf8');
const document = fs.readFileSync(path.join(root, 'docs/content.md'), 'utf8');
const examples = [...document.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, json = '']) =>
  JSON.parse(json),
);
const [whole] = examples;

const folder = temporaryFolder();
for (const from of ['pages/sample', 'test/site/talwind'])
  fs.cpSync(path.join(root, from), folder, { recursive: true });

function load(content: unknown): ReturnType<typeof loadSite> {
  const file = Buffer.isBuffer(content) ? content : JSON.stringify(content);
  fs.writeFileSync(path.join(folder, 'content.json'), file);
  return loadSite(folder, '');
}

const mistakes = (content: unknown) => mistakesOf(() => load(content)).join('\n');

test('every example is valid within the whole file', () => {
  assert.equal(examples.length, 2);
  for (const example of examples) {
    const { warnings } = load({ ...whole, ...example });
    const others = warnings.filter((line) => !line.includes('example.com is a placeholder'));
    // The example of words has two of them.
    const english = example.language ? /\d+ sentences are still in English: \w+/ : /^$/;
    assert.match(others.join(), english);
  }
});

test('the mistakes of the document are what the service says', () => {
  const told = [...document.matchAll(/^ {4}data\/site\/content\.json: (.*)/gm)];
  const entry = { date: '2025-11-02', headline: 'Fog', text: 'Cold.' };
  const missing = { ...entry, image: { src: 'Window.jpg', alt: '' } };
  const said = [
    Buffer.from(`{${'\n'.repeat(7)}"title": "Talwind" "tagline": "" }`),
    { ...whole, timeline: [entry, entry, entry, missing] },
  ].map(mistakes);
  const expected = told.map(([, message]) => `${folder}/content.json: ${message}`);
  assert.deepEqual(expected, said);
});

test('the command guestlist and the README name every tool', () => {
  const tools = fs.readdirSync(path.join(root, 'tools')).filter((name) => name.endsWith('.ts'));
  const names = tools.map((name) => name.replace('.ts', '')).sort();
  const { stdout } = spawnSync(path.join(root, 'guestlist'), ['--help'], { encoding: 'utf8' });
  const [, usage = ''] = /guestlist ([\w|]+) …/.exec(stdout) ?? [];
  assert.deepEqual(usage.split('|').sort(), names);
  const rows = [...readme.matchAll(/^\| `(\w+)` +\|/gm)].map(([, name]) => name);
  assert.deepEqual(rows.sort(), names);
});

test('every command that is not run stands in a document', () => {
  for (const { document, heading, begins, reason } of NOT_RUN) {
    const blocks = commandsOf(document).filter((block) => block.heading === heading);
    const found = blocks.filter(({ commands }) => commands.startsWith(begins));
    assert.ok(found.length > 0, `${document}, ${heading}: ${begins}`);
    assert.ok(reason.length > 10);
  }
});

/** A text in lower case, on one line, with one space between words. */
const plain = (text: string) => text.toLowerCase().replace(/\s+/g, ' ');

/** All texts of the program, and more. */
function readProgram(): string {
  const files = ['server.ts', 'guestlist'];
  for (const folder of ['lib', 'pages', 'tools'])
    for (const name of fs.readdirSync(path.join(root, folder), { recursive: true }))
      if (/\.(ts|html)$/.test(String(name))) files.push(path.join(folder, String(name)));
  return plain(files.map((name) => fs.readFileSync(path.join(root, name), 'utf8')).join('\n'));
}

const program = readProgram();

/** The texts between underscores, in the form of the program: `_Invite a list_`. */
function quotesOf(text: string): readonly string[] {
  const prose = text.replace(/```[\s\S]*?```|`[^`]*`/g, '');
  return [...prose.matchAll(/(?<!\w)_([^_]+)_(?!\w)/g)].map(([, quote = '']) => plain(quote));
}

/** The part of docs/operations.md below a heading. */
function partOf(heading: string): string {
  const operations = fs.readFileSync(path.join(root, 'docs/operations.md'), 'utf8');
  return operations.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
}

test('the documents quote the words that guests read', () => {
  const words = plain(Object.values(DEFAULT_WORDS).join('\n'));
  const quoted = quotesOf(partOf('A guest cannot get in'));
  assert.equal(quoted.length, 4);
  for (const text of quoted) assert.ok(words.includes(text), text);
  assert.ok(document.includes(`the button says _${DEFAULT_WORDS.joinAgain}_`));
});

test('the documents quote the faults that the service names', () => {
  const quoted = quotesOf(partOf('Find a fault'));
  assert.ok(quoted.length > 8);
  // The program fills in numbers and names, and systemd says the last one.
  for (const text of quoted)
    for (const part of text.split(/\d+ ?|…|guestlist\.db|data\/(?:site)?|\/etc\/.*/))
      if (!text.includes('address already in use')) assert.ok(program.includes(part.trim()), text);
});

/** Words that a document explains, and menus of other programs. */
const OF_OTHERS = [
  ['docs/containers.md', 'start it'],
  ['docs/content.md', '2 november 2025', 'dates', 'hello,'],
  ['docs/install.md', 'your computer', 'file, download', 'csv utf-8', 'data, from text/csv'],
  ['docs/operations.md', 'csv', 'mail merge', 'use mail merge', 'add from a spreadsheet'],
  ['docs/performance.md', 'shared commits'],
  ['docs/security.md', 'acknowledged'],
];

test('the documents quote buttons, headings and filters as they are', () => {
  const unknown: string[] = [];
  for (const name of DOCUMENTS) {
    const faults = name === 'docs/operations.md' ? partOf('Find a fault') : '';
    const text = fs.readFileSync(path.join(root, name), 'utf8').replace(faults, '');
    const others = OF_OTHERS.filter(([of]) => of === name).flat();
    for (const quote of quotesOf(text)) {
      // The page fills in a number: _Download … invitations_.
      const isSaid = program.includes(quote.replace('… ', ''));
      if (!isSaid && !others.includes(quote)) unknown.push(`${name}: ${quote}`);
    }
  }
  assert.deepEqual(unknown, []);
});

test('each promise of docs/security.md names a test', () => {
  const security = fs.readFileSync(path.join(root, 'docs/security.md'), 'utf8');
  const [, table = ''] = /^\| Promise \| Test \|\n.*\n((?:\|.*\n)+)/m.exec(security) ?? [];
  const rows = table.trim().split('\n');
  assert.ok(rows.length > 40);
  // scripts/check-documents.ts checks that each file exists.
  for (const row of rows) assert.match(row, / \| `test\/[\w/-]+\.(test|long|release)\.ts`/);
});
