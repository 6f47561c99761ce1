/** The site tool: `check` reads a site as a start does, `init` begins one. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { DEFAULT_WORDS } from '../../lib/site/default-words.ts';
import { SAMPLE_SITE } from '../../lib/site/site.ts';
import { siteForEach, temporaryFolder } from '../support/site.ts';
import { toolsOn } from '../support/tools.ts';

const site = siteForEach();
const { says, tool } = toolsOn(site.store, site.root);
/** The owner's own site. */
const own = path.join(site.root, 'data', 'site');

const sample = fs.readFileSync(path.join(SAMPLE_SITE, 'content.json'), 'utf8');
const LARGE = `<svg viewBox="0 0 9 9"><!-- ${'x'.repeat(2e6)} --></svg>`;

describe('check', () => {
  const { says, tool } = toolsOn(site.store);
  const folder = path.join(temporaryFolder(), 'Über uns');
  const content = path.join(folder, 'content.json');
  beforeEach(() => {
    fs.rmSync(folder, { recursive: true, force: true });
    fs.cpSync(SAMPLE_SITE, folder, { recursive: true });
  });

  // What is a mistake is in test/site.
  it('names each mistake with the path of its field, and has status 1', async () => {
    fs.writeFileSync(content, sample.replace('2025-03-04', 'soon').replace('Count me in', ''));
    const mistakes = [
      `${content}: timeline[1].date: not a date (YYYY-MM-DD)`,
      `${content}: join.button: missing or not a text`,
    ];
    const { status, stdout } = await tool('site check', folder, '--json');
    assert.deepEqual([status, JSON.parse(stdout).mistakes], [1, mistakes]);
    const stderr = mistakes.map((each) => `${each}\n`).join('');
    assert.deepEqual(await tool('site check', folder), { status: 1, stdout: '', stderr });
  });

  it('finds nothing wrong without a folder of images, if the content shows none', async () => {
    fs.rmSync(path.join(folder, 'images'), { recursive: true });
    const text = JSON.stringify({ ...JSON.parse(sample), opening: undefined });
    fs.writeFileSync(content, text.replace(/,"(image|video)":\{[^}]*\}/g, ''));
    assert.equal(await says('site check', folder), 'no mistakes found\n');
  });
});

describe('init', () => {
  const names = (folder: string) => fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });

  it('copies the sample, readable by its owner only, and refuses to do so again', async () => {
    assert.ok((await says('site init')).includes(own));
    const copied = names(own);
    for (const name of names(SAMPLE_SITE)) assert.ok(copied.includes(name), name);
    assert.equal(fs.statSync(own).mode & 0o077, 0);
    const english = fs.readFileSync(path.join(own, 'words-en.json'), 'utf8');
    assert.deepEqual(JSON.parse(english), { words: DEFAULT_WORDS });
    const content = path.join(own, 'content.json');
    fs.writeFileSync(content, '{}');
    const stderr = `there is something at ${own} already; it was not changed\n`;
    assert.deepEqual(await tool('site init'), { status: 1, stdout: '', stderr });
    assert.equal(fs.readFileSync(content, 'utf8'), '{}');
    assert.deepEqual(fs.readdirSync(path.dirname(own)), ['site']);
  });

  it('in German begins with one entry, which is fine as it is', async () => {
    await says('site init --language de');
    const content = JSON.parse(fs.readFileSync(path.join(own, 'content.json'), 'utf8'));
    assert.deepEqual([content.language, content.timeline.length], ['de', 1]);
    assert.equal(await says('site check'), 'no mistakes found\n');
    assert.deepEqual(fs.readdirSync(path.join(own, 'images')), ['01-window.svg']);
  });

  it('refuses a link in the place of the folder', async () => {
    fs.mkdirSync(path.dirname(own));
    fs.symlinkSync('/nowhere', own);
    assert.equal((await tool('site init')).status, 1);
    assert.ok(fs.lstatSync(own).isSymbolicLink());
  });
});

describe('a start', () => {
  beforeEach(() => fs.cpSync(SAMPLE_SITE, own, { recursive: true }));

  it('is refused with the lines of the check', async () => {
    fs.writeFileSync(path.join(own, 'content.json'), '{}');
    const { status, stdout, stderr } = site.run();
    assert.match(stderr, /^data\/site\/content\.json: title: missing or not a text\n/);
    assert.deepEqual(await tool('site check'), { status, stdout, stderr });
  });

  it('warns as the check does', async () => {
    fs.writeFileSync(path.join(own, 'images', 'large.svg'), LARGE);
    fs.writeFileSync(path.join(own, 'content.json'), sample.replace('01-window', 'large'));
    const server = await site.start();
    await server.stop();
    const warning = 'images/large.svg has 2.0 MB, long to load on a phone; 0.3 MB are enough';
    assert.deepEqual(server.stderr, [`data/site/${warning}`]);
    assert.equal(await says('site check'), `data/site/${warning}\nno mistakes found\n`);
  });
});
