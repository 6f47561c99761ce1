/** Which files of a site are served to whom, and what is read from them. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { imageSize } from '../../lib/site/image-size.ts';
import { loadSite } from '../../lib/site/site.ts';
import { fillTemplate } from '../../lib/site/template.ts';
import { ORIGIN, temporaryFolder } from '../service.ts';
import { loadWith, SVG, writeSite } from './own-site.ts';

test('the folder of a file says who gets it', () => {
  const { files } = loadWith({}, { 'public/deep/b.txt': '', 'media/c d.pdf': '', 'e.txt': '' });
  assert.deepEqual([...files.public.keys()].sort(), ['/public/deep/b.txt', '/public/logo.svg']);
  assert.deepEqual([...files.gated.keys()].sort(), [
    '/images/a.svg',
    '/media/a.mp4',
    '/media/c%20d.pdf',
  ]);
});

test('the URL of a file is what a browser asks for', () => {
  const { files } = loadWith({}, { 'public/lamp@2x, 50%.svg': SVG });
  assert.ok(files.public.has('/public/lamp@2x,%2050%25.svg'));
});

test('hidden files, links, and what is behind a linked folder are not served', () => {
  const elsewhere = temporaryFolder();
  fs.writeFileSync(path.join(elsewhere, 'secret.svg'), SVG);
  const folder = writeSite(undefined, { 'public/.env': 'secret', 'images/.git/config': 'secret' });
  fs.symlinkSync(path.join(elsewhere, 'secret.svg'), path.join(folder, 'public/link.svg'));
  fs.symlinkSync(elsewhere, path.join(folder, 'images/linked'));
  const { files } = loadSite(folder, ORIGIN);
  assert.deepEqual([...files.public.keys()], ['/public/logo.svg']);
  assert.deepEqual([...files.gated.keys()], ['/images/a.svg', '/media/a.mp4']);

  fs.renameSync(path.join(folder, 'public'), path.join(folder, 'aside'));
  fs.symlinkSync(path.join(folder, 'aside'), path.join(folder, 'public'));
  assert.throws(() => loadSite(folder, ORIGIN), /theme\.logo\.src: there is no file public\/logo/);
});

test('a name that macOS has decomposed is found', () => {
  const name = 'Tür "März" 100 %.svg';
  const files = { [`images/${name.normalize('NFD')}`]: SVG };
  const { pages } = loadWith({ 'timeline[0].image.src': name.normalize('NFC') }, files);
  assert.ok(pages.desktop.includes('src="/images/T%C3%BCr%20%22M%C3%A4rz%22%20100%20%25.svg"'));
});

test('a file that may not be read is a mistake', { skip: process.getuid?.() === 0 }, () => {
  const folder = writeSite();
  fs.chmodSync(path.join(folder, 'media/a.mp4'), 0);
  assert.throws(() => loadSite(folder, ORIGIN), /timeline\[2\]\.video\.src: media\/a\.mp4 cannot/);
});

test('a folder without content.json is named', () => {
  const missing = { message: /^the site in .* cannot be read \(ENOENT/ };
  assert.throws(() => loadSite(temporaryFolder(), ORIGIN), missing);
});

test('site.css is loaded after our styles, where there is one', () => {
  const own = '<link rel="stylesheet" href="/public/site.css">';
  const { pages } = loadWith({}, { 'public/site.css': ':root { --paper: #fff; }' });
  for (const page of [pages.entry, pages.desktop, pages.mobile])
    assert.ok(page.indexOf(own) > page.indexOf('href="/theme.css"'));
  assert.ok(!loadWith({}).pages.entry.includes('site.css'));
});

const JPEG_SIZE = '\xff\xc4\0\x02\xff\xc2\0\x11\x08\0\x7b\x01\x41';

/** The headers of pictures of 321 by 123 pixels. */
const PICTURES = {
  PNG: '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\x41\0\0\0\x7b',
  JPEG: `\xff\xd8\xff\xff\xe0\0\x04JF${JPEG_SIZE}`,
  'WebP, lossy': `RIFF....WEBPVP8 ${'.'.repeat(10)}\x41\x01\x7b\0`,
  'WebP, lossless': 'RIFF....WEBPVP8L....\x2f\x40\x81\x1e\0',
  'WebP, extended': 'RIFF....WEBPVP8X........\x40\x01\0\x7a\0\0',
  SVG: '<?xml version="1.0"?>\n<svg width="9" viewBox="0, 0 321 123">',
};

test('the size of a picture is read from its header', () => {
  for (const [kind, header] of Object.entries(PICTURES)) {
    const bytes = Buffer.from(header, 'latin1');
    assert.deepEqual(imageSize(bytes), { width: 321, height: 123 }, kind);
    assert.equal(imageSize(bytes.subarray(0, 16)), undefined, `${kind}, cut off`);
  }
  for (const other of ['', '<svg width="3">', '<svg viewBox="0 0 0 0">', 'GIF89a'])
    assert.equal(imageSize(Buffer.from(other)), undefined, other);
});

/**
 * A JPEG whose EXIF has an orientation, and a directory for a position, with one entry.
 *
 * @param order of bytes
 */
function photo(tag: number, order: 'II' | 'MM', orientation = 1): Buffer {
  const tiff = Buffer.alloc(56, order, 'latin1');
  const write = (value: number, bytes: 2 | 4, at: number) =>
    order === 'II' ? tiff.writeUIntLE(value, at, bytes) : tiff.writeUIntBE(value, at, bytes);
  write(8, 4, 4);
  write(2, 2, 8);
  write(0x0112, 2, 10);
  write(orientation, 2, 18);
  write(0x8825, 2, 22);
  write(38, 4, 30);
  write(1, 2, 38);
  write(tag, 2, 40);
  const head = Buffer.from('\xff\xd8\xff\xe1\0\x40Exif\0\0', 'latin1');
  return Buffer.concat([head, tiff, Buffer.from(JPEG_SIZE, 'latin1')]);
}

test('a photograph that a phone took upright has the size that browsers show', () => {
  for (const order of ['II', 'MM'] as const) {
    assert.deepEqual(imageSize(photo(0, order, 1)), { width: 321, height: 123 });
    assert.deepEqual(imageSize(photo(0, order, 6)), { width: 123, height: 321 });
  }
});

test('a photograph that says where it was taken is named, also if no field names it', () => {
  const remedy = 'exiftool -overwrite_original -gps:all= images/b.JPG';
  for (const order of ['II', 'MM'] as const)
    assert.deepEqual(loadWith({}, { 'images/b.JPG': photo(2, order) }).warnings, [
      `images/b.JPG says where it was taken; remove it: ${remedy}`,
    ]);
  const withoutLatitude = photo(0, 'II');
  const withoutExif = Buffer.from(PICTURES.JPEG, 'latin1');
  const cutOff = photo(2, 'II').subarray(0, 30);
  for (const bytes of [withoutLatitude, withoutExif, cutOff])
    assert.deepEqual(loadWith({}, { 'public/c.jpeg': bytes }).warnings, []);
});

test('a template is filled once, and texts are escaped', () => {
  const template =
    '{{a}}{{#list}}[{{a}}{{b}}{{#c}}({{d}}){{/c}}]{{/list}}{{#no}}x{{/no}}{{#yes}}y{{/yes}}';
  const list = [
    { a: '{{b}}', b: '&', c: undefined },
    { b: `<"'>`, c: { d: 3 } },
  ];
  const filled = fillTemplate(template, { a: 'A', list, no: '', yes: 'z' });
  assert.equal(filled, 'A[{{b}}&#38;][A&#60;&#34;&#39;&#62;(3)]y');
  assert.throws(() => fillTemplate('{{title}}', {}), /the template names \{\{title\}\}/);
});
