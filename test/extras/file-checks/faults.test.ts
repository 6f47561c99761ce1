/** Files with a wrong or incomplete content: films, fonts, captions, pictures. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../../lib/config.ts';
import { examineFiles } from '../../../lib/extras/file-checks/examine-files.ts';
import type { Fault } from '../../../lib/site/field-readers.ts';
import { loadSite, SAMPLE_SITE } from '../../../lib/site/site.ts';
import { mistakesOf } from '../../support/mistakes.ts';
import { temporaryFolder } from '../../support/temporary.ts';

const folder = temporaryFolder();
function write(name: string, content: Buffer | string): string {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, typeof content === 'string' ? Buffer.from(content, 'latin1') : content);
  return file;
}

/** The faults of a file that is served by this name: `media/film.mp4`. */
function faultsOf(name: string, file: string): readonly Fault[] {
  const faults = new Map<string, readonly Fault[]>();
  const gated = new Map([[`/${name}`, file]]);
  examineFiles({ public: new Map(), gated, faults, warnings: new Set() });
  return faults.get(`/${name}`) ?? [];
}

/** The faults, a line each, as in `warning: is empty; copy it there again`. */
const saidOf = (name: string, content: Buffer | string): string =>
  faultsOf(name, write(name, content))
    .map(({ isMistake, text }) => `${isMistake ? 'mistake' : 'warning'}: ${text}`)
    .join('\n');

const NAMES = {
  video: 'media/film.mp4',
  font: 'public/face.woff2',
  captions: 'media/film.vtt',
  pdf: 'media/book.pdf',
  image: 'images/lamp.png',
};

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

const FILES: readonly (readonly [
  kind: keyof typeof NAMES,
  content: string,
  said: RegExp | undefined,
])[] = [
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
  ['pdf', '\xef\xbb\xbf\n%PDF-1.4', undefined],
  ['pdf', `${' '.repeat(2000)}%PDF-1.4`, /^mistake: is not a PDF/],
  ['pdf', POINTER, /^mistake: is a pointer of git LFS/],
  ['image', POINTER, /^mistake: is a pointer of git LFS/],
];
for (const [kind, content, said] of FILES)
  test(`${kind} ${JSON.stringify(content).slice(0, 50)} ${said ? 'is named' : 'is right'}`, () => {
    const found = saidOf(NAMES[kind], content);
    if (said) assert.match(found, said);
    else assert.equal(found, '');
  });

test('only the first index of a film is read', () => {
  const begin = performance.now();
  assert.equal(saidOf(NAMES.video, FTYP + MOOV.repeat(10_000) + '\0'.repeat(4e6)), '');
  assert.ok(performance.now() - begin < 4000, `${performance.now() - begin} ms`);
});

test('a PDF of more than 50 MB is a warning', () => {
  const file = write(NAMES.pdf, '%PDF-1.7');
  fs.truncateSync(file, 50e6);
  assert.deepEqual(faultsOf(NAMES.pdf, file), []);
  fs.truncateSync(file, 51e6);
  assert.deepEqual(faultsOf(NAMES.pdf, file), [
    {
      isMistake: false,
      alsoInLinks: true,
      text: 'has 51 MB, which is slow to open; make it smaller',
    },
  ]);
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
  [`<?xml version="1.0"?><svg ${NS}><g><path/></g><path/>\n`, /^warning: is incomplete/],
  [`<svg xmlns="http&#58;//www.w3.org/2000/svg"></svg>`, undefined],
  [`<!DOCTYPE svg [ <!ENTITY a "http://www.w3.org/"> ]><svg xmlns="&a;2000/svg"></svg>`, undefined],
  [`<été:svg xmlns:été="http://www.w3.org/2000/svg"></été:svg>`, undefined],
];
for (const [content, said] of DRAWINGS)
  test(`the drawing ${content.slice(0, 60)} ${said ? 'is named' : 'is right'}`, () => {
    const found = saidOf('public/drawing.svg', content);
    if (said) assert.match(found, said);
    else assert.equal(found, '');
  });

const image = (name: string) => fs.readFileSync(path.join(root, 'test/site/images', name));

test('a missing end of a picture is found, whatever follows', () => {
  const names = ['jpg', 'png', '-lossy.webp', '-lossless.webp', '-extended.webp'];
  for (const name of names.map((end) =>
    end.startsWith('-') ? `321x123${end}` : `321x123.${end}`,
  )) {
    const whole = image(name);
    const said = (content: Buffer) => saidOf(`public/${name}`, content);
    assert.equal(said(whole), '');
    assert.equal(said(Buffer.concat([whole, Buffer.from('ffda0008', 'hex')])), '');
    assert.match(said(whole.subarray(0, whole.length - 20)), /^warning: is incomplete: its end/);
  }
  const webp = image('321x123-lossy.webp');
  assert.equal(saidOf('public/a.webp', webp.subarray(0, webp.length - 1)), '');
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
    for (const folder of ['images', 'public'])
      assert.equal(
        saidOf(`${folder}/${name}`, content).includes('is transparent; in the dark scheme'),
        expected && folder === 'images',
        `${folder}/${name} ${expected}`,
      );
});

test('cut and random files are read without an exception', () => {
  const heads = FILES.map(([, head]) => head);
  for (const name of ['321x123.jpg', '321x123.png', '321x123-lossless.webp'])
    heads.push(image(name).toString('latin1'));
  for (const head of heads)
    for (let end = 0; end < Math.min(head.length, 120); end += 3)
      for (const name of Object.values(NAMES))
        saidOf(name, head.slice(0, end) + '\xff'.repeat(end % 16));
});

/** A site that names files in its fields and in a link. */
function siteWith(
  files: Readonly<Record<string, Buffer | string>>,
  fields = {},
  link = '',
): string {
  const own = temporaryFolder();
  fs.cpSync(SAMPLE_SITE, own, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.join(own, path.dirname(name)), { recursive: true });
    fs.writeFileSync(path.join(own, name), content);
  }
  const file = path.join(own, 'content.json');
  const content = JSON.parse(fs.readFileSync(file, 'utf8'));
  content.entry.contact = 'Ask ada@example.org.';
  const [first] = content.timeline;
  content.timeline[0] = { date: first.date, headline: first.headline, text: first.text, ...fields };
  if (link !== '') content.join.text = `[The file](${link})`;
  fs.writeFileSync(file, JSON.stringify(content));
  return own;
}

/** What a start says of such a site. */
function saidOfSite(...site: Parameters<typeof siteWith>): readonly string[] {
  const own = siteWith(...site);
  const load = () => loadSite(own, '', 'start', examineFiles).warnings;
  const said: string[] = [...mistakesOf(load)];
  if (said.length === 0) said.push(...load());
  return said.map((line) => line.slice(own.length + 1));
}

const PICTURE = { image: { src: 'a.png', alt: '' } };
const FILM = { video: { src: 'a.mp4', poster: '01-window.svg', description: 'A film.' } };
const MISTAKE = 'content.json: timeline[0]';
const png = image('321x123.png');
const transparent = Buffer.from(png);
transparent[25] = 6;

const SITES: readonly (readonly [
  what: string,
  said: readonly string[],
  ...site: Parameters<typeof siteWith>,
])[] = [
  [
    'a field that names no film',
    [`${MISTAKE}.video.src: media/a.mp4 is not a film that browsers play, or is incomplete; `],
    { 'media/a.mp4': '<html>' },
    FILM,
  ],
  [
    'a field that names a sound',
    ['media/a.mp4 is sound, not a film; '],
    { 'media/a.mp4': 'ID3' },
    FILM,
  ],
  [
    'a field that names a pointer of git LFS',
    [`${MISTAKE}.image.src: images/a.png is a pointer of git LFS, not the file itself; `],
    { 'images/a.png': POINTER },
    PICTURE,
  ],
  [
    'a cut picture on a dark background',
    ['images/a.png is transparent; ', 'images/a.png is incomplete: its end is missing; '],
    { 'images/a.png': transparent.subarray(0, transparent.length - 20) },
    PICTURE,
  ],
  [
    'a link to a file that is no PDF',
    [
      'content.json: join.text: media/letter.PDF is not a PDF, whatever its name says; save it as P',
    ],
    { 'media/letter.PDF': 'Dear Ada' },
    {},
    '/media/letter.PDF',
  ],
  [
    'a link to a pointer of git LFS',
    ['content.json: join.text: media/pointer.zip is a pointer of git LFS'],
    { 'media/pointer.zip': POINTER },
    {},
    '/media/pointer.zip',
  ],
  [
    'a link to a drawing without its namespace',
    ['content.json: join.text: images/a.svg lacks its namespace'],
    { 'images/a.svg': '<svg/>' },
    {},
    '/images/a.svg',
  ],
  // Browsers may show it as a text.
  ['a link to captions that are SRT', [], { 'media/a.vtt': '1\n' }, {}, '/media/a.vtt'],
  [
    'faulty files that nothing names',
    [],
    { 'media/a.mp4': '', 'images/a.svg': '', 'media/b.pdf': '' },
  ],
];
for (const [what, said, ...site] of SITES)
  test(`a start ${said.length === 0 ? 'accepts' : 'names'} ${what}`, () => {
    const found = saidOfSite(...site);
    assert.deepEqual(
      found.map((line, i) => line.slice(0, said[i]?.length)),
      said,
    );
  });
