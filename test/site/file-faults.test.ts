/** Files with a wrong or incomplete content: films, fonts, captions, pictures. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../lib/config.ts';
import { findFault, isCutPicture, isTransparent } from '../../lib/site/file-faults.ts';
import { readImageSize } from '../../lib/site/image-size.ts';
import { loadSite, SAMPLE_SITE } from '../../lib/site/site.ts';
import { mistakesOf } from '../support/mistakes.ts';
import { temporaryFolder } from '../support/temporary.ts';

const folder = temporaryFolder();
function write(content: Buffer | string, name = 'file'): string {
  const file = path.join(folder, name);
  fs.writeFileSync(file, typeof content === 'string' ? Buffer.from(content, 'latin1') : content);
  return file;
}

/** @param length in the place of the box's own */
function box(name: string, content = '', length = content.length + 8): string {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(length);
  return `${head.toString('latin1')}${name}${content}`;
}
const FTYP = box('ftyp', 'isom');
const MOOV = box('moov', 'abcd');
const LONG_MDAT = `${box('mdat', '', 1)}\0\0\0\0\0\0\0\x14abcd`;
const CUT_LONG_MDAT = `${box('mdat', '', 1)}\0\0\0\x01\0\0\0\x14abcd`;
/** A film with a format, which `stsd` names. */
const film = (format: string) =>
  FTYP + box('moov', box('stsd', `\0\0\0\0\0\0\0\x01\0\0\0\x60${format}`));
/** H.264 with a profile: 100 is that of most films. */
const h264 = (profile: number) =>
  film(`avc1${'\0'.repeat(82)}avcC\x01${String.fromCharCode(profile)}`);
const POINTER = 'version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n';

const FILES: readonly (readonly [kind: string, content: string, said: RegExp | undefined])[] = [
  ['video', FTYP + MOOV + box('mdat', 'x'), undefined],
  ['video', FTYP + LONG_MDAT + MOOV, undefined],
  ['video', FTYP + MOOV + box('mdat', 'all the rest', 0), undefined],
  ['video', film('avc1'), undefined],
  ['video', film('av01'), undefined],
  ['video', h264(100), undefined],
  ['video', '\x1a\x45\xdf\xa3 and the rest', undefined],
  ['video', '<!doctype html>', /^mistake: is not a film that browsers play, or is incomplete/],
  ['video', 'RIFF\0\0\0\0AVI ', /^mistake: is not a film/],
  [
    'video',
    FTYP + box('mdat', 'x', 900),
    /^mistake: is not a film that browsers play, or is incomplete/,
  ],
  ['video', FTYP + CUT_LONG_MDAT, /^mistake: is not a film that browsers play, or is incomplete/],
  ['video', FTYP + MOOV + box('mdat', 'x', 900), /^warning: is incomplete, and ends too early/],
  ['video', box('free') + MOOV + box('mdat', 'x'), /^warning: has no ftyp/],
  ['video', film('hvc1'), /^warning: is HEVC/],
  ['video', FTYP + box('mdat', 'x') + film('hev1'), /^warning: is HEVC/],
  ['video', film('dvh1'), /^warning: is HEVC/],
  ['video', film('mp4v'), /^warning: is in an old format.*yuv420p/],
  ['video', h264(110), /^warning: is H\.264 with 10 bits/],
  ['video', '', /^warning: is empty/],
  ['video', 'ID3\x04', /^warning: is sound/],
  ['video', '\xff\xfb\x90', /^warning: is sound/],
  ['video', POINTER, /^mistake: is a pointer of git LFS.*git lfs pull/],
  ['font', 'wOF2 and the rest', undefined],
  ['font', 'ttcf', /^warning: is not WOFF2/],
  ['font', '\0\x01\0\0', /^warning: is not WOFF2/],
  ['font', '<html>', /^mistake: is not WOFF2/],
  ['font', '', /^mistake: is not WOFF2/],
  ['font', POINTER, /^mistake: is a pointer of git LFS/],
  ['captions', 'WEBVTT', undefined],
  ['captions', '\xef\xbb\xbfWEBVTT - fog\r\n', undefined],
  ['captions', 'WEBVTT\n\n00:01.000 --> 00:02.000\n1,000 --> 2', undefined],
  ['captions', 'WEBVTT\n\n00:01.000 --> 00:02.000\nT\xfcr', /^warning: is not UTF-8/],
  ['captions', 'WEBVTT\n\n1\n00:00:01,000 --> 00:00:02,000\nFog', /^warning: has times with comm/],
  ['captions', '1\n00:00:01,000 --> 00:00:02,000\nFog', /^mistake: does not begin with WEBVTT/],
  ['captions', 'WEBVTTX', /^mistake: does not begin/],
  ['captions', '\xff\xfeW\0E\0B\0V\0T\0T\0', /^mistake: is not UTF-8/],
  ['pdf', '%PDF-1.4', undefined],
  ['pdf', '\n%PDF-1.4', /^mistake: is not a PDF/],
  ['pdf', POINTER, /^mistake: is a pointer of git LFS/],
  ['image', POINTER, /^mistake: is a pointer of git LFS/],
];
for (const [kind, content, said] of FILES)
  test(`${kind} ${JSON.stringify(content).slice(0, 50)} ${said ? 'is named' : 'is right'}`, () => {
    const fault = findFault(write(content), kind);
    const found = fault && `${fault.isMistake ? 'mistake' : 'warning'}: ${fault.text}`;
    if (said) assert.match(found ?? 'nothing', said);
    else assert.equal(found, undefined);
  });

test('a PDF of more than 50 MB is a warning', () => {
  const file = write('%PDF-1.7');
  fs.truncateSync(file, 50e6);
  assert.equal(findFault(file, 'pdf'), undefined);
  fs.truncateSync(file, 51e6);
  assert.deepEqual(findFault(file, 'pdf'), {
    isMistake: false,
    text: 'has 51 MB, which is slow to open; make it smaller',
  });
});

const NS = 'xmlns="http://www.w3.org/2000/svg"';

const DRAWINGS: readonly (readonly [content: string, said: RegExp | undefined])[] = [
  [`<svg ${NS} viewBox="0 0 1 1"/>`, undefined],
  [`<svg ${NS}><g/></svg>\n<!-- made by hand -->\n`, undefined],
  [`\xef\xbb\xbf<?xml version="1.0"?><!-- <b> --><svg ${NS}></svg>`, undefined],
  [
    `<!DOCTYPE svg [ <!ENTITY ns "http://www.w3.org/2000/svg"> ]><svg xmlns="&ns;"></svg>`,
    undefined,
  ],
  [`<!DOCTYPE svg [ <!ENTITY a "<g><b/></g>"> ]><svg ${NS}></svg>`, undefined],
  [`<!DOCTYPE svg [ <!-- it's --> <!ENTITY a "]>"> ]><svg ${NS}></svg>`, undefined],
  [`<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:g/></s:svg>`, undefined],
  [`<!DOCTYPE svg [ <!ENTITY nbsp "&#160;"> ]><svg ${NS}><text>a&nbsp;b</text></svg>`, undefined],
  ['<svg viewBox="0 0 1 1"/>', /^mistake: lacks its namespace/],
  [`<html><svg ${NS}/></html>`, /^mistake: does not begin with <svg>/],
  ['', /^mistake: does not begin with <svg>/],
  [`<svg ${NS}><image href="data:image/png;base64,iVBO"/><use href="#a"/></svg>`, undefined],
  [`<svg ${NS}><image href="#a"/><a href="https://example.org/a.jpg"/></svg>`, undefined],
  [`<svg ${NS}><s:image\nwidth="9" xlink:href="a.jpg"/></svg>`, /^warning: links to a\.jpg/],
  [`<svg ${NS}><text>a&nbsp;b</text></svg>`, /^warning: has &nbsp;/],
  [`<svg ${NS}><g></g><pa`, /^warning: is incomplete/],
  [`<svg ${NS}><g></g>`, /^warning: is incomplete/],
  [`<svg xmlns="http&#58;//www.w3.org/2000/svg"></svg>`, undefined],
  [`<!DOCTYPE svg [ <!ENTITY a "http://www.w3.org/"> ]><svg xmlns="&a;2000/svg"></svg>`, undefined],
  [`<été:svg xmlns:été="http://www.w3.org/2000/svg"></été:svg>`, undefined],
];
for (const [content, said] of DRAWINGS)
  test(`the drawing ${content.slice(0, 60)} ${said ? 'is named' : 'is right'}`, () => {
    const fault = findFault(write(content, 'drawing.svg'), 'image');
    const found = fault && `${fault.isMistake ? 'mistake' : 'warning'}: ${fault.text}`;
    if (said) assert.match(found ?? 'nothing', said);
    else assert.equal(found, undefined);
  });

const image = (name: string) => fs.readFileSync(path.join(root, 'test/site/images', name));

test('a missing end of a picture is found, whatever follows', () => {
  const names = ['jpg', 'png', '-lossy.webp', '-lossless.webp', '-extended.webp'];
  for (const name of names.map((end) =>
    end.startsWith('-') ? `321x123${end}` : `321x123.${end}`,
  )) {
    const whole = image(name);
    assert.ok(!isCutPicture(whole), name);
    assert.ok(!isCutPicture(Buffer.concat([whole, Buffer.from('ffda0008', 'hex')])), name);
    assert.ok(isCutPicture(whole.subarray(0, whole.length - 20)), name);
  }
  const webp = image('321x123-lossy.webp');
  assert.ok(!isCutPicture(webp.subarray(0, webp.length - 1)));
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
  const jpeg = image('321x123.jpg');
  const file = Buffer.concat([jpeg.subarray(0, 2), head, exif, jpeg.subarray(2)]);
  assert.deepEqual(readImageSize(file, '.jpg'), { width: 321, height: 123 });
});

/** The site of the sample with a PNG of this size as its first picture, or as its card. */
function siteWith(width: number, height: number, bytes = 0): string {
  const own = temporaryFolder();
  fs.cpSync(SAMPLE_SITE, own, { recursive: true });
  const png = Buffer.concat([image('321x123.png'), Buffer.alloc(bytes)]);
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

test('a transparent picture is named with the dark background', () => {
  const own = siteWith(1200, 630);
  const png = path.join(own, 'images/a.png');
  const warned = () => loadSite(own, '').warnings.filter((line) => /transparent/.test(line));
  const file = fs.readFileSync(png);
  file[25] = 2;
  fs.writeFileSync(png, file);
  assert.deepEqual(warned(), []);
  file[25] = 6;
  fs.writeFileSync(png, file);
  assert.deepEqual(warned(), [
    `${own}/images/a.png is transparent; in the dark scheme it stands on a dark background`,
  ]);
});

test('transparency is read from each format', () => {
  const webp = image('321x123-extended.webp');
  const changed = (file: Buffer, at: number, bit: number) => {
    const copy = Buffer.from(file);
    copy[at] = (copy[at] ?? 0) | bit;
    return copy;
  };
  const opaque = (file: Buffer, at: number, bit: number) => {
    const copy = Buffer.from(file);
    copy[at] = (copy[at] ?? 0) & ~bit;
    return copy;
  };
  const lossless = image('321x123-lossless.webp');
  for (const [content, name, expected] of [
    [changed(webp, 20, 0x10), 'a.webp', true],
    [opaque(webp, 20, 0x10), 'a.webp', false],
    [changed(lossless, 24, 0x10), 'a.webp', true],
    [opaque(lossless, 24, 0x10), 'a.webp', false],
    [image('321x123.jpg'), 'a.jpg', false],
    [Buffer.from('<svg/>'), 'a.svg', true],
    [Buffer.from('<svg fill="var(--ink)"/>'), 'a.svg', false],
  ] as const)
    assert.equal(isTransparent(content, name), expected, `${name} ${expected}`);
});

test('cut and random files are read without an exception', () => {
  for (const [kind, head] of FILES)
    for (let end = 0; end < Math.min(head.length, 120); end += 3)
      findFault(write(head.slice(0, end) + '\xff'.repeat(end % 16)), kind);
});
