/** The owner's files: what is found, and how a mistake in one is named. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { loadSite, SAMPLE_SITE } from '../../lib/site/site.ts';
import * as readers from '../../lib/site/site-files.ts';
import { mistakesOf } from '../support/mistakes.ts';
import { temporaryFolder } from '../support/site.ts';

const outside = temporaryFolder();
const folder = path.join(outside, 'Größe & more');
fs.cpSync(SAMPLE_SITE, folder, { recursive: true });
for (const name of ['public', 'images', 'media'])
  fs.mkdirSync(path.join(folder, name), { recursive: true });
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"/>';
fs.writeFileSync(path.join(outside, 'secret.svg'), SVG);

const put = (name: string, body = SVG) => fs.writeFileSync(path.join(folder, name), body);

put('images/a.png', 'no image');
put('images/.hidden.svg');

const READERS = {
  image: readers.readPoster,
  font: readers.readFont,
  video: readers.readVideoFile,
  captions: readers.readCaptionsFile,
};

/** What is said of a name. */
const mistake = (kind: keyof typeof READERS, name: string) =>
  mistakesOf(() => READERS[kind](name, 'field', readers.listSiteFiles(folder)))[0] ?? 'none';

const NONE = 'links and hidden files do not count';
const H264 = '-pix_fmt yuv420p -movflags +faststart new.mp4';
const KIND = 'is of a kind that is not supported;';
for (const [kind, name, said] of [
  ['image', '../../secret.svg', `there is no file images/../../secret.svg; ${NONE}`],
  ['image', '../content.svg', `there is no file images/../content.svg; ${NONE}`],
  ['image', '.hidden.svg', `there is no file images/.hidden.svg; ${NONE}`],
  ['image', 'a\\b.svg', `there is no file images/a\\b.svg; ${NONE}`],
  ['image', '\ud800.svg', `there is no file images/\ud800.svg; ${NONE}`],
  [
    'image',
    'a.png',
    'images/a.png has no size: damaged, not what its ending says, or an SVG without viewBox',
  ],
  ['image', 'a.GIF', `images/a.GIF ${KIND} save it as JPEG, PNG, WebP or SVG`],
  ['video', 'a.mov', `media/a.mov ${KIND} convert it: ffmpeg -i old -vf scale=-2:1080 ${H264}`],
  ['font', 'face.ttf', `public/face.ttf ${KIND} convert it to WOFF2`],
] as const)
  test(`the name ${JSON.stringify(name)} of ${kind} is a mistake`, () =>
    assert.equal(mistake(kind, name), `field: ${said}`));

test('an image that is too large is refused unread, with the figure', () => {
  fs.truncateSync(path.join(folder, 'images/a.png'), 20_100_000);
  assert.equal(mistake('image', 'a.png'), 'field: images/a.png has 20.1 MB; the most is 20 MB');
});

test('a link is not followed', () => {
  const link = (target: string, name: string) => fs.symlinkSync(target, path.join(folder, name));
  link('../../secret.svg', 'images/out.svg');
  link('01-window.svg', 'images/in.svg');
  link('nowhere.svg', 'images/dangling.svg');
  link('loop.svg', 'images/loop.svg');
  for (const name of ['out', 'in', 'dangling', 'loop'])
    assert.equal(
      mistake('image', `${name}.svg`),
      `field: there is no file images/${name}.svg; ${NONE}`,
    );
  fs.mkdirSync(path.join(outside, 'elsewhere'));
  fs.writeFileSync(path.join(outside, 'elsewhere/a.svg'), SVG);
  link('../../elsewhere', 'images/elsewhere');
  const hidden = `field: there is no file images/elsewhere/a.svg; ${NONE}`;
  assert.equal(mistake('image', 'elsewhere/a.svg'), hidden);
});

test('a folder or a pipe in the place of a file is named, and not waited for', () => {
  fs.mkdirSync(path.join(folder, 'images/folder.svg'));
  spawnSync('mkfifo', [path.join(folder, 'images/pipe.svg')]);
  for (const name of ['folder.svg', 'pipe.svg'])
    assert.equal(mistake('image', name), `field: there is no file images/${name}; ${NONE}`);
});

test('names with spaces and umlauts are found, in either Unicode form', () => {
  for (const name of ['Tür im März.svg', '100 % "neu" & #1?.svg']) {
    put(`images/${name.normalize('NFD')}`);
    const files = readers.listSiteFiles(folder);
    const { url, width } = readers.readPoster(name, 'field', files);
    assert.equal(new URL(url, 'http://x').pathname, url);
    assert.equal(decodeURIComponent(url), `/images/${name}`);
    assert.equal(width, 4);
    assert.ok(files.gated.has(url));
  }
});

test('every plain file of the three folders is served; hidden files and links are not', () => {
  const own = temporaryFolder();
  for (const name of [
    ...['content.json', 'public/a.pdf', 'public/.hidden', 'public/.git/config', 'images/b.svg'],
    ...['images/in/a folder/c.svg', 'media/.d.mp4.part', 'media/d.mp4', 'other/e.svg', '.f/g.svg'],
  ]) {
    fs.mkdirSync(path.join(own, path.dirname(name)), { recursive: true });
    fs.writeFileSync(path.join(own, name), name);
  }
  fs.symlinkSync('../content.json', path.join(own, 'public/link.svg'));
  fs.symlinkSync('../other', path.join(own, 'images/other'));
  spawnSync('mkfifo', [path.join(own, 'media/pipe.mp4')]);
  const served = readers.listSiteFiles(own);
  assert.deepEqual(
    Array.from(served.public, ([url, file]) => [url, fs.readFileSync(file, 'utf8')]),
    [['/public/a.pdf', 'public/a.pdf']],
  );
  assert.deepEqual(
    [...served.gated.keys()],
    ['/images/b.svg', '/images/in/a%20folder/c.svg', '/media/d.mp4'],
  );
  fs.rmSync(path.join(own, 'public'), { recursive: true });
  assert.equal(readers.listSiteFiles(own).public.size, 0);
  fs.symlinkSync('other', path.join(own, 'public'));
  assert.equal(readers.listSiteFiles(own).public.size, 0);
});

for (const [what, make, code] of [
  ['is missing', () => undefined, 'ENOENT'],
  ['is a folder', (file: string) => fs.mkdirSync(file), 'EISDIR'],
] as const)
  test(`a content file that ${what} is named with its folder`, () => {
    const own = temporaryFolder();
    make(path.join(own, 'content.json'));
    const [mistake = '', ...others] = mistakesOf(() => loadSite(own, ''));
    assert.ok(
      mistake.startsWith(`${own}/content.json: content.json cannot be read (${code}`),
      mistake,
    );
    assert.deepEqual(others, []);
  });
