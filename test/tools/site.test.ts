/** The content as the start of the service and `site check` see it, with its images. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it, test } from 'node:test';
import { promisify } from 'node:util';
import { WORDS } from '../../lib/site/words.ts';
import { logIn, send } from '../support/client.ts';
import { siteForAll, siteForEach } from '../support/site.ts';

const site = siteForAll();
const folder = path.join(site.root, 'pages', 'sample');
const content = path.join(folder, 'content.json');
const sample = fs.readFileSync(content);

/** The messages of a start and of the check. A start that succeeds would not end. */
function refusal(): string {
  const { status, stdout, stderr } = site.run();
  assert.equal(`${status} ${stdout}`, '1 ');
  const check = site.tool('site', 'check');
  assert.deepEqual(check, { ...check, status: 1, stdout: '', stderr });
  fs.writeFileSync(content, sample);
  return stderr;
}

/** Has the first entry show a file of that name in `images/`. */
function show(name: string, file?: Buffer | string): void {
  if (file !== undefined) fs.writeFileSync(path.join(folder, 'images', name), file);
  fs.writeFileSync(content, sample.toString().replace('01-window.svg', name));
}

test('mistakes stop the start, a line for each with the path of the field', () => {
  const text = sample.toString().replace('"2025-03-04"', '"soon"').replace('"Count me in"', '""');
  fs.writeFileSync(content, text);
  const { mistakes } = JSON.parse(site.tool('site', 'check', '--json').stdout);
  assert.deepEqual(mistakes, [
    'pages/sample/content.json: timeline[1].date: not a date (YYYY-MM-DD)',
    'pages/sample/content.json: join.button: missing or not a text',
  ]);
  assert.equal(refusal(), mistakes.map((each: string) => `${each}\n`).join(''));
});

test('content that is missing stops the start with one line, which says the way out', () => {
  fs.rmSync(content);
  assert.match(refusal(), /^pages\/sample\/content\.json: there is no file content\.json\n$/);
});

for (const [name, file, said] of [
  [
    'door.heic',
    'any',
    /timeline\[0\]\.image\.src: images\/door\.heic is of a kind that is not supported; save it as JPEG/,
  ],
  ['door.GIF', 'any', /door\.GIF is of a kind that is not supported/],
  ['door.mp4', 'any', /door\.mp4 is of a kind that is not supported/],
  ['door.jpg', 'any', /images\/door\.jpg has no size: damaged/],
  ['no-such.jpg', undefined, /there is no file images\/no-such\.jpg/],
  ['../favicon.svg', undefined, /"\.\.\/favicon\.svg" is not the plain name of a file in images\//],
] as const)
  test(`the image ${name} stops the start`, () => {
    show(name, file);
    assert.match(refusal(), said);
  });

test('another folder is checked, and named as it was given', () => {
  const name = path.basename(site.root);
  fs.cpSync(folder, path.join(site.root, 'Über uns'), { recursive: true });
  const other = path.join(site.root, 'Über uns', 'content.json');
  assert.equal(site.tool('site', 'check', `${name}/Über uns`).stdout, 'the content is fine\n');
  fs.writeFileSync(other, '{\n"title": }');
  const { status, stderr } = site.tool('site', 'check', `${name}/Über uns`);
  assert.equal(status, 1);
  assert.ok(stderr.startsWith(`${name}/Über uns/content.json: line 2: not JSON`), stderr);
});

test('without a folder of images, content that shows none is fine', () => {
  const images = path.join(folder, 'images');
  fs.renameSync(images, `${images}-away`);
  fs.writeFileSync(content, sample.toString().replace(/,\s*"(image|video)": \{[^}]*\}/g, ''));
  assert.equal(site.tool('site', 'check').stdout, 'the content is fine\n');
  fs.renameSync(`${images}-away`, images);
});

test('an image of many MB is warned of, at the start too', async () => {
  const svg = fs.readFileSync(path.join(folder, 'images/01-window.svg'), 'utf8');
  show('large.svg', `${svg}<!-- ${'x'.repeat(2e6)} -->`);
  const { status, stdout } = site.tool('site', 'check');
  const warning =
    'pages/sample/images/large.svg has 2.0 MB, long to load on a phone; 0.3 MB are enough';
  assert.deepEqual([status, stdout], [0, `${warning}\nthe content is fine\n`]);
  const server = await site.start();
  await server.stop();
  assert.deepEqual(server.stderr, [warning]);
});

test('only images that the timeline shows are sent', async () => {
  show('shown.svg', fs.readFileSync(path.join(folder, 'images/01-window.svg')));
  site.invite('ada@example.com');
  const server = await site.start();
  const cookie = await logIn(server.origin, 'ada@example.com');
  const status = async (name: string) =>
    (await send(server.origin, `GET /images/${name}`, { cookie })).status;
  assert.deepEqual([await status('shown.svg'), await status('01-window.svg')], [200, 404]);
  await server.stop();
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
    assert.match(site.tool('site', 'check').stderr, /^data\/site\/content\.json: title: /);
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
    assert.match(stderr, /there is no beginning in "xx"/);
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
