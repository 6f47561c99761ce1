/** The owner's files: what is found, and how a mistake in one is named. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { listServedFiles } from '../../lib/site/served-files.ts';
import { loadSite, SAMPLE_SITE } from '../../lib/site/site.ts';
import { siteFiles } from '../../lib/site/site-files.ts';
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

/** A sparse file, which claims to be large. */
function putLarge(name: string, bytes: number): void {
  put(name);
  fs.truncateSync(path.join(folder, name), bytes);
}

const files = siteFiles(folder);
const READERS = {
  image: files.image('images'),
  logo: files.image('public'),
  font: files.keep('public', 'font'),
  video: files.media('video'),
  captions: files.media('captions'),
};

/** What is said of a name. */
const mistake = (kind: keyof typeof READERS, name: string) =>
  mistakesOf(() => READERS[kind](name, 'field'))[0] ?? 'none';

const H264 = '-pix_fmt yuv420p -movflags +faststart new.mp4';
const KIND = 'is of a kind that is not supported;';
for (const [kind, name, said] of [
  ['image', '../secret.svg', '"../secret.svg" is not the plain name of a file in images/'],
  ['image', '..', '".." is not the plain name of a file in images/'],
  ['image', '.hidden.svg', '".hidden.svg" is not the plain name of a file in images/'],
  ['image', 'a\\b.svg', '"a\\b.svg" is not the plain name of a file in images/'],
  ['image', 'none.svg', 'there is no file images/none.svg'],
  ['image', 'a\0.svg', 'there is no file images/a\0.svg'],
  [
    'image',
    'a.png',
    'images/a.png has no size: damaged, not what its ending says, or an SVG without viewBox',
  ],
  ['image', 'a.heic', `images/a.heic ${KIND} save it as JPEG, PNG, WebP or SVG`],
  ['image', 'a.GIF', `images/a.GIF ${KIND} save it as JPEG, PNG, WebP or SVG`],
  ['video', 'a.mov', `media/a.mov ${KIND} convert it: ffmpeg -i old -vf scale=-2:1080 ${H264}`],
  ['font', 'face.ttf', `public/face.ttf ${KIND} convert it to WOFF2`],
] as const)
  test(`the name ${JSON.stringify(name)} of ${kind} is a mistake`, () =>
    assert.equal(mistake(kind, name), `field: ${said}`));

for (const [kind, name, bytes, said] of [
  ['image', 'images/large.png', 20_100_000, '20.1 MB; the most is 20.0 MB'],
  ['font', 'public/large.woff2', 3e6, '3.0 MB; the most is 2.0 MB'],
  ['captions', 'media/large.vtt', 5e6, '5.0 MB; the most is 1.0 MB'],
  ['video', 'media/large.mp4', 5e9, '5000.0 MB; the most is 4000.0 MB'],
] as const)
  test(`${name} that is too large is refused unread, with the figure`, () => {
    putLarge(name, bytes);
    assert.equal(mistake(kind, path.basename(name)), `field: ${name} has ${said}`);
  });

test('a link is not followed', () => {
  const link = (target: string, name: string) => fs.symlinkSync(target, path.join(folder, name));
  link('../../secret.svg', 'images/out.svg');
  link('01-window.svg', 'images/in.svg');
  link('nowhere.svg', 'images/dangling.svg');
  link('loop.svg', 'images/loop.svg');
  assert.equal(mistake('image', 'out.svg'), `field: images/out.svg ${OUT}`);
  assert.equal(mistake('image', 'in.svg'), `field: images/in.svg ${OUT}`);
  assert.equal(mistake('image', 'dangling.svg'), 'field: there is no file images/dangling.svg');
  assert.match(mistake('image', 'loop.svg'), /^field: images\/loop\.svg cannot be read \(ELOOP/);
});

test('a folder or a pipe in the place of a file is named, and not waited for', () => {
  fs.mkdirSync(path.join(folder, 'images/folder.svg'));
  spawnSync('mkfifo', [path.join(folder, 'images/pipe.svg')]);
  for (const name of ['folder.svg', 'pipe.svg'])
    assert.equal(mistake('image', name), `field: images/${name} is not a file`);
});

test('names with spaces and umlauts are found, in either Unicode form', () => {
  for (const name of ['Tür im März.svg', '100 % "neu" & #1?.svg']) {
    put(`images/${name.normalize('NFD')}`);
    const { url, width } = READERS.image(name, 'field');
    assert.equal(new URL(url, 'http://x').pathname, url);
    assert.equal(decodeURIComponent(url), `/images/${name}`);
    assert.equal(width, 4);
    const served = listServedFiles(folder).gated.map(([url]) => url);
    assert.ok(served.includes(url));
  }
});

test('a video is found and not read', () => {
  putLarge('media/film.mp4', 3.9e9);
  const { url, path: file } = READERS.video('film.mp4', 'field');
  assert.equal(url, '/media/film.mp4');
  assert.equal(file, fs.realpathSync(path.join(folder, 'media/film.mp4')));
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
  const served = listServedFiles(own);
  assert.deepEqual(
    served.public.map(([url, file]) => [url, fs.readFileSync(file, 'utf8')]),
    [['/public/a.pdf', 'public/a.pdf']],
  );
  assert.deepEqual(
    served.gated.map(([url]) => url),
    ['/images/b.svg', '/images/in/a%20folder/c.svg', '/media/d.mp4'],
  );
  fs.rmSync(path.join(own, 'public'), { recursive: true });
  assert.deepEqual(listServedFiles(own).public, []);
  fs.symlinkSync('other', path.join(own, 'public'));
  assert.deepEqual(listServedFiles(own).public, []);
});

/** What a load says, after a change of the content file that is taken back. */
function whole(change: (file: string) => void): string {
  const file = path.join(folder, 'content.json');
  const text = fs.readFileSync(file);
  change(file);
  try {
    return mistakesOf(() => loadSite(folder, '')).join();
  } finally {
    fs.rmSync(file, { recursive: true, force: true });
    fs.writeFileSync(file, text);
  }
}

/** The content file, moved out of the site. */
function moveOut(file: string): string {
  const elsewhere = path.join(outside, 'content.json');
  fs.renameSync(file, elsewhere);
  return elsewhere;
}

const OUT = 'is a link, or in a linked folder; put the file itself there';
for (const [what, change, said] of [
  ['is missing', moveOut, 'there is no file content.json'],
  [
    'is a folder',
    (file: string) => moveOut(file) && fs.mkdirSync(file),
    'content.json is not a file',
  ],
  ['leads out', (file: string) => fs.symlinkSync(moveOut(file), file), `content.json ${OUT}`],
  [
    'has 2 MB',
    (file: string) => fs.truncateSync(file, 2e6),
    'content.json has 2.0 MB; the most is 1.0 MB',
  ],
] as const)
  test(`a content file that ${what} is named with its folder`, () =>
    assert.equal(whole(change), `${folder}/content.json: ${said}`));
