/** The owner's files: which are served, and the sizes of images. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it, test } from 'node:test';
import { root } from '../../lib/config.ts';
import { readImageSize } from '../../lib/site/image-size.ts';
import { loadSite, SAMPLE_SITE } from '../../lib/site/site.ts';
import { listSiteFiles } from '../../lib/site/site-files.ts';
import { mistakesOf } from '../support/mistakes.ts';
import { startService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary.ts';

test('every plain file of the three folders is served, except hidden ones', () => {
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
  const served = listSiteFiles(own);
  assert.deepEqual(
    Array.from(served.public, ([url, file]) => [url, fs.readFileSync(file, 'utf8')]),
    [['/public/a.pdf', 'public/a.pdf']],
  );
  assert.deepEqual(
    [...served.gated.keys()],
    ['/images/b.svg', '/images/in/a%20folder/c.svg', '/media/d.mp4'],
  );
  fs.rmSync(path.join(own, 'public'), { recursive: true });
  assert.equal(listSiteFiles(own).public.size, 0);
  fs.symlinkSync('other', path.join(own, 'public'));
  assert.equal(listSiteFiles(own).public.size, 0);
});

test('a file that vanishes after it was listed is a mistake', () => {
  const own = temporaryFolder();
  fs.cpSync(SAMPLE_SITE, own, { recursive: true });
  const vanish = () => fs.rmSync(path.join(own, 'images/01-window.svg'));
  const [mistake = ''] = mistakesOf(() => loadSite(own, '', 'start', vanish));
  assert.ok(mistake.startsWith(`${own} cannot be read (ENOENT: `), mistake);
});

test('a link is named with its path, at any depth', () => {
  const own = temporaryFolder();
  for (const name of ['public/a', 'images'])
    fs.mkdirSync(path.join(own, name), { recursive: true });
  for (const name of ['public/a/b', 'images/c.svg', 'images/.d', 'media'])
    fs.symlinkSync('nowhere', path.join(own, name));
  assert.deepEqual(
    [...listSiteFiles(own).warnings],
    ['public/a/b', 'images/c.svg', 'media'].map(
      (name) => `${name} is a link, which is not served; replace it by its target`,
    ),
  );
});

for (const [kind, made, mistake] of [
  ['a link', 'ln -s /etc/passwd', 'is a link, which is not followed'],
  ['a FIFO', 'mkfifo', 'is not a file'],
  ['a folder', 'mkdir', 'is not a file'],
] as const)
  test(`a content file that is ${kind} is a mistake`, () => {
    const own = temporaryFolder();
    spawnSync('sh', ['-c', `${made} content.json`], { cwd: own });
    const file = path.join(own, 'content.json');
    assert.deepEqual(
      mistakesOf(() => loadSite(own, '')),
      [`${file}: content.json ${mistake}; put the file itself there`],
    );
  });

describe('a file of the owner', async () => {
  const own = temporaryFolder();
  const names = [
    'a.js',
    'a.MJS',
    'a.css',
    'a.Html',
    'a.htm',
    'a.xhtml',
    'a.xht',
    'a.xml',
    'a.svgz',
  ];
  const pictures = ['a.svg', 'b.SVG'];
  fs.cpSync(SAMPLE_SITE, own, { recursive: true });
  for (const folder of ['public', 'images', 'media']) {
    fs.mkdirSync(path.join(own, folder), { recursive: true });
    for (const name of [...names, ...pictures, 'a.png'])
      fs.writeFileSync(path.join(own, folder, name), '<svg viewBox="0 0 1 1"/>');
  }
  fs.writeFileSync(path.join(own, 'media/a.pdf'), '%PDF-1.7 and the rest');
  const { send } = await startService({}, undefined, own);
  const ask = (folder: string, name: string) => send(`HEAD /${folder}/${name}`, { as: 'invitee' });

  for (const folder of ['public', 'images', 'media']) {
    it(`in ${folder} has no type that is run or parsed`, async () => {
      for (const name of names) {
        const { status, headers } = await ask(folder, name);
        assert.equal(status, 200, name);
        assert.equal(headers.get('content-type'), 'application/octet-stream', name);
        assert.equal(headers.get('content-security-policy'), null, name);
      }
      assert.equal((await ask(folder, 'a.png')).headers.get('content-type'), 'image/png');
    });

    it(`in ${folder} has a sandbox if it is an SVG`, async () => {
      for (const name of pictures) {
        const { headers } = await ask(folder, name);
        assert.equal(headers.get('content-type'), 'image/svg+xml');
        assert.match(
          headers.get('content-security-policy') ?? '',
          /^default-src 'none'; .*sandbox$/,
        );
      }
    });
  }

  it('that is a PDF is shown to visitors, in parts too', async () => {
    const ask = (as: 'invitee' | 'stranger', headers = {}) =>
      send('GET /media/a.pdf', { as, headers });
    const { status, headers, text } = await ask('invitee');
    assert.deepEqual([status, text], [200, '%PDF-1.7 and the rest']);
    assert.equal(headers.get('content-type'), 'application/pdf');
    for (const name of ['content-disposition', 'content-security-policy'])
      assert.equal(headers.get(name), null, name);
    const part = await ask('invitee', { range: 'bytes=5-7' });
    assert.deepEqual([part.status, part.text], [206, '1.7']);
    const stranger = await ask('stranger');
    assert.deepEqual([stranger.status, stranger.headers.get('location')], [302, '/']);
  });

  it('does not change the types of the pages', async () => {
    const type = async (url: string) =>
      (await send(`HEAD ${url}`, { as: 'invitee' })).headers.get('content-type');
    assert.equal(await type('/entry.js'), 'text/javascript; charset=utf-8');
    assert.equal(await type('/entry.css'), 'text/css; charset=utf-8');
    assert.equal(await type('/timeline-mobile.css'), 'text/css; charset=utf-8');
  });
});

test('a missing content file is named with its folder', () => {
  const own = temporaryFolder();
  const [mistake = '', ...others] = mistakesOf(() => loadSite(own, ''));
  assert.ok(
    mistake.startsWith(`${own}/content.json: content.json cannot be read (ENOENT`),
    mistake,
  );
  assert.deepEqual(others, []);
});

/** A picture of 321 × 123 pixels from Chromium. The plain WebP files lack its colour profile. */
const bytesOf = (name: string): Buffer =>
  fs.readFileSync(path.join(root, 'test/site/images', name));

const SIZE = { width: 321, height: 123 };
/**
 * EXIF data with the orientation N and nothing else, as a camera writes it, in both byte orders.
 */
const EXIF = [
  'ffe10022 457869660000 49492a0008000000 0100 1201 0300 01000000 0N000000 00000000',
  'ffe10022 457869660000 4d4d002a00000008 0001 0112 0003 00000001 000N0000 00000000',
];
test('a rotated JPEG has its size as displayed', () => {
  const file = bytesOf('321x123.jpg');
  for (const data of EXIF)
    for (const orientation of [1, 3, 5, 6, 7, 8]) {
      const exif = Buffer.from(data.replace('N', `${orientation}`).replaceAll(' ', ''), 'hex');
      const turned = Buffer.concat([file.subarray(0, 2), exif, file.subarray(2)]);
      const size = orientation < 5 ? SIZE : { width: 123, height: 321 };
      assert.deepEqual(readImageSize(turned, '.jpg'), size);
    }
});

test('the orientation is that of the main picture, not of its thumbnail', () => {
  // Directory 0 is empty; directory 1 has orientation 6.
  const exif = Buffer.from(
    '457869660000 49492a0008000000 0000 0e000000 0100 120103000100000006000000 00000000'.replaceAll(
      ' ',
      '',
    ),
    'hex',
  );
  const head = Buffer.from([0xff, 0xe1, 0, exif.length + 2]);
  const jpeg = bytesOf('321x123.jpg');
  const file = Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)]);
  assert.deepEqual(readImageSize(file, '.jpg'), { width: 321, height: 123 });
});

for (const [name, head] of [
  ['321x123.png', '\x89PNG'],
  ['321x123.jpg', '\xff\xd8'],
  ['321x123-extended.webp', 'RIFF....WEBPVP8X'],
  ['321x123-lossy.webp', 'RIFF....WEBPVP8 '],
  ['321x123-lossless.webp', 'RIFF....WEBPVP8L'],
] as const)
  test(`${name} has a size, unless it is cut`, () => {
    const file = bytesOf(name);
    assert.match(file.toString('latin1'), new RegExp(`^${head}`, 's'));
    assert.deepEqual(readImageSize(file, '.png'), SIZE);
    assert.equal(readImageSize(file.subarray(0, 20), '.png'), undefined);
    assert.equal(readImageSize(file, '.svg'), undefined);
  });

for (const [svg, size] of [
  ['<?xml version="1.0"?><svg fill="none" viewBox="0 0 321 123"/>', SIZE],
  ["<svg viewBox='-5,-5, 321,123'/>", SIZE],
  ['<svg width="321" height="123px"/>', SIZE],
  ['<svg aria-label="a > b" viewBox="0 0 321 123"/>', SIZE],
  ['<!DOCTYPE svg [ <!ENTITY a "b"> ]><!-- <b> --><svg:svg viewBox="0 0 321 123"/>', SIZE],
  ['<svg width="100%" height="123"/>', undefined],
  ['<svg width="321" height="12cm"/>', undefined],
  ['<svg viewBox="0 0 0 0"/>', undefined],
  ['', undefined],
] as const)
  test(`an SVG has the size of its viewBox: ${svg}`, () => {
    assert.deepEqual(readImageSize(Buffer.from(svg), '.svg'), size);
    assert.equal(readImageSize(Buffer.from(svg), '.png'), undefined);
  });

/** The site of the sample with a PNG of this size as its first picture, or as its card. */
function siteWith(width: number, height: number, bytes = 0): string {
  const own = temporaryFolder();
  fs.cpSync(SAMPLE_SITE, own, { recursive: true });
  const png = Buffer.concat([bytesOf('321x123.png'), Buffer.alloc(bytes)]);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  fs.mkdirSync(path.join(own, 'public'), { recursive: true });
  for (const name of ['images/a.png', 'public/card.png'])
    fs.writeFileSync(path.join(own, name), png);
  const content = JSON.parse(fs.readFileSync(path.join(own, 'content.json'), 'utf8'));
  content.timeline[0].image = { src: 'a.png', alt: '' };
  content.theme = { card: { src: 'card.png', alt: '' } };
  fs.writeFileSync(path.join(own, 'content.json'), JSON.stringify(content));
  return own;
}

test('very large pictures and unfit cards are named', () => {
  const warnings = (own: string) => loadSite(own, '').warnings.join('\n');
  assert.doesNotMatch(warnings(siteWith(1200, 630)), /pixels|\d MB/);
  assert.match(warnings(siteWith(599, 630)), /card\.png has 599 by 630 pixels, too few/);
  assert.match(warnings(siteWith(1200, 630, 650_000)), /card\.png has 0\.7 MB; some messengers/);
  assert.match(warnings(siteWith(5001, 5000)), /a\.png has 5001 by 5000 pixels, slow/);
  const [mistake = ''] = mistakesOf(() => loadSite(siteWith(25_001, 10_000), ''));
  assert.match(
    mistake,
    /timeline\[0\]\.image\.src: images\/a\.png has 25001 by 10000 pixels, which/,
  );
});
