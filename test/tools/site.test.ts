/** The site tool: `check` reads a site as a start does, `init` begins one. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { SAMPLE } from '../../lib/site/site.ts';
import { WORDS } from '../../lib/site/words.ts';
import { siteForEach, temporaryFolder } from '../support/site.ts';
import { toolsForEach } from '../support/tools.ts';

const { says, tool } = toolsForEach();

describe('check', () => {
  const folder = path.join(temporaryFolder(), 'Über uns');
  const content = path.join(folder, 'content.json');
  const sample = fs.readFileSync(path.join(SAMPLE, 'content.json'), 'utf8');
  const svg = fs.readFileSync(path.join(SAMPLE, 'images', '01-window.svg'), 'utf8');
  beforeEach(() => {
    fs.rmSync(folder, { recursive: true, force: true });
    fs.cpSync(SAMPLE, folder, { recursive: true });
  });

  /** Has the first entry show a file of that name in `images/`. */
  function show(name: string, file?: string): void {
    if (file !== undefined) fs.writeFileSync(path.join(folder, 'images', name), file);
    fs.writeFileSync(content, sample.replace('01-window.svg', name));
  }

  it('names each mistake with the path of its field, and has status 1', async () => {
    const text = sample.replace('"2025-03-04"', '"soon"').replace('"Count me in"', '""');
    fs.writeFileSync(content, text);
    const mistakes = [
      `${folder}/content.json: timeline[1].date: not a date (YYYY-MM-DD)`,
      `${folder}/content.json: join.button: missing or not a text`,
    ];
    const { status, stdout } = await tool('site check', folder, '--json');
    assert.deepEqual([status, JSON.parse(stdout).mistakes], [1, mistakes]);
    const stderr = mistakes.map((each) => `${each}\n`).join('');
    assert.deepEqual(await tool('site check', folder), { status: 1, stdout: '', stderr });
  });

  // What is a mistake is in test/site.
  it('refuses what it finds in the folder: images, and a file that is missing or not JSON', async () => {
    const said = async () => (await tool('site check', folder)).stderr;
    show('no-such.jpg');
    const field = 'timeline[0].image.src';
    assert.equal(await said(), `${content}: ${field}: there is no file images/no-such.jpg\n`);
    show('door.jpg', 'no image');
    assert.match(await said(), /images\/door\.jpg has no size: damaged/);
    fs.writeFileSync(content, '{\n"title": }');
    assert.ok((await said()).startsWith(`${content}: not JSON: Unexpected token '}', `));
    fs.rmSync(content);
    assert.equal(await said(), `${content}: there is no file content.json\n`);
  });

  it('finds nothing wrong without a folder of images, if the content shows none', async () => {
    fs.rmSync(path.join(folder, 'images'), { recursive: true });
    const text = JSON.stringify({ ...JSON.parse(sample), opening: undefined });
    fs.writeFileSync(content, text.replace(/,"(image|video)":\{[^}]*\}/g, ''));
    assert.equal(await says('site check', folder), 'the content is fine\n');
  });

  it('warns of an image of many MB', async () => {
    show('large.svg', `${svg}<!-- ${'x'.repeat(2e6)} -->`);
    const warning = 'images/large.svg has 2.0 MB, long to load on a phone; 0.3 MB are enough';
    assert.equal(await says('site check', folder), `${folder}/${warning}\nthe content is fine\n`);
  });
});

describe('init', () => {
  const site = siteForEach();
  const own = path.join(site.root, 'data', 'site');
  const names = (folder: string) =>
    fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

  it('copies the sample, readable by its owner only, and refuses to do so again', () => {
    const { status, stdout } = site.tool('site', 'init');
    assert.deepEqual([status, stdout.includes(own)], [0, true]);
    for (const name of names(path.join(site.root, 'pages', 'sample')))
      assert.ok(names(own).includes(name), name);
    assert.equal(fs.statSync(own).mode & 0o077, 0);
    const english = fs.readFileSync(path.join(own, 'words-en.json'), 'utf8');
    assert.deepEqual(JSON.parse(english), { words: WORDS });
    const content = path.join(own, 'content.json');
    fs.writeFileSync(content, '{}');
    const again = site.tool('site', 'init');
    assert.deepEqual([again.status, again.stdout], [1, '']);
    assert.match(
      again.stderr,
      /^there is something at .*data\/site already; it was not changed\n$/,
    );
    assert.equal(fs.readFileSync(content, 'utf8'), '{}');
    assert.deepEqual(fs.readdirSync(path.dirname(own)), ['site']);
  });

  it('in German begins with one entry, which is fine as it is', () => {
    assert.equal(site.tool('site', 'init', '--language', 'de').status, 0);
    const content = JSON.parse(fs.readFileSync(path.join(own, 'content.json'), 'utf8'));
    assert.deepEqual([content.language, content.timeline.length], ['de', 1]);
    assert.equal(site.tool('site', 'check').stdout, 'the content is fine\n');
    assert.deepEqual(fs.readdirSync(path.join(own, 'images')), ['01-window.svg']);
  });

  it('names a language that it does not have', () => {
    const { status, stderr } = site.tool('site', 'init', '--language', 'xx');
    assert.equal(status, 2);
    assert.match(stderr, /--language is "xx"; it must be one of de/);
    assert.ok(!fs.existsSync(own));
  });

  for (const [what, put] of [
    ['a file', () => fs.writeFileSync(own, 'mine')],
    ['a link', () => fs.symlinkSync('/nowhere', own)],
  ] as const)
    it(`refuses ${what} in the place of the folder`, () => {
      fs.mkdirSync(path.dirname(own));
      put();
      assert.equal(site.tool('site', 'init').status, 1);
      assert.ok(!fs.lstatSync(own).isDirectory());
    });

  it('of two at once, one copies and one refuses', async () => {
    const run = () =>
      promisify(execFile)(process.execPath, [path.join(site.root, 'tools/site.js'), 'init']);
    const outcomes = await Promise.allSettled([run(), run()]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.equal(site.tool('site', 'check').stdout, 'the content is fine\n');
    assert.deepEqual(fs.readdirSync(path.dirname(own)), ['site']);
  });
});

describe('a start', () => {
  const site = siteForEach();
  const own = path.join(site.root, 'data', 'site');
  const content = path.join(own, 'content.json');
  beforeEach(() => fs.cpSync(path.join(site.root, 'pages', 'sample'), own, { recursive: true }));

  it('is refused with the lines of the check', () => {
    fs.writeFileSync(content, '{}');
    const { status, stdout, stderr } = site.run();
    assert.match(stderr, /^data\/site\/content\.json: title: missing or not a text\n/);
    const check = site.tool('site', 'check');
    assert.deepEqual([check.status, check.stdout, check.stderr], [status, stdout, stderr]);
  });

  it('warns as the check does', async () => {
    const sample = fs.readFileSync(content, 'utf8');
    fs.writeFileSync(
      `${own}/images/large.svg`,
      `<svg viewBox="0 0 9 9"><!-- ${'x'.repeat(2e6)} --></svg>`,
    );
    fs.writeFileSync(content, sample.replace('01-window.svg', 'large.svg'));
    const server = await site.start();
    await server.stop();
    assert.match(server.stderr.join('\n'), /^data\/site\/images\/large\.svg has 2\.0 MB/);
  });
});
