/** Which files of a site are served to whom, and what is read from them. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { loadSite } from '../../lib/site/site.ts';
import { fillTemplate } from '../../lib/site/template.ts';
import { ORIGIN, temporaryFolder } from '../service.ts';
import { loadWith, SVG, writeSite } from './own-site.ts';

function urlsOf(files: ReadonlyMap<string, string>): string {
  return [...files.keys()].sort().join(' ');
}

test('the folder of a file says who gets it', () => {
  const { files } = loadWith({}, { 'public/deep/b.txt': '', 'e.txt': '' });
  assert.equal(urlsOf(files.public), '/public/b.svg /public/deep/b.txt /public/logo.svg');
  assert.equal(urlsOf(files.gated), '/images/a.svg /media/a%20plan.pdf /media/a.mp4 /media/a.vtt');
});

test('a file has the URL that a page writes, and the one that a style sheet writes', () => {
  const name = 'Inter[wght]^|@2x, 50%.woff2';
  const { files } = loadWith({}, { [`public/${name}`]: '' });
  const page = '/public/Inter%5Bwght%5D%5E%7C@2x,%2050%25.woff2';
  const sheet = '/public/Inter[wght]^|@2x,%2050%25.woff2';
  assert.ok(files.public.has(page));
  assert.equal(files.public.get(page), files.public.get(sheet));
});

test('hidden files, links, and what is behind a linked folder are not served', () => {
  const elsewhere = temporaryFolder();
  fs.writeFileSync(path.join(elsewhere, 'secret.svg'), SVG);
  const folder = writeSite(undefined, { 'public/.env': 'secret', 'images/.git/config': 'secret' });
  fs.symlinkSync(path.join(elsewhere, 'secret.svg'), path.join(folder, 'public/link.svg'));
  fs.symlinkSync(elsewhere, path.join(folder, 'images/linked'));
  const { files } = loadSite(folder, ORIGIN);
  const without = loadWith({}).files;
  assert.equal(urlsOf(files.public), urlsOf(without.public));
  assert.equal(urlsOf(files.gated), urlsOf(without.gated));

  fs.renameSync(path.join(folder, 'public'), path.join(folder, 'aside'));
  fs.symlinkSync(path.join(folder, 'aside'), path.join(folder, 'public'));
  assert.throws(() => loadSite(folder, ORIGIN), /theme\.logo\.src: public\/logo\.svg is missing/);
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
  assert.throws(() => loadSite(folder, ORIGIN), /\.video\.src: media\/a\.mp4 is missing/);
});

test('a folder that is missing or empty is one clear line', () => {
  const folder = temporaryFolder();
  for (const wrong of [folder, path.join(folder, 'missing')])
    assert.throws(() => loadSite(wrong, ORIGIN), {
      message: `${path.join(wrong, 'content.json')} is missing`,
    });
});

test('site.css is loaded after our styles, where there is one', () => {
  const own = '<link rel="stylesheet" href="/public/site.css">';
  const { pages } = loadWith({}, { 'public/site.css': ':root { --paper: #fff; }' });
  for (const page of [pages.entry, pages.desktop, pages.mobile])
    assert.ok(page.indexOf(own) > page.indexOf('href="/theme.css"'));
  assert.ok(!loadWith({}).pages.entry.includes('site.css'));
});

/** The entry of EXIF that has the latitude, in both orders of bytes. */
const LATITUDES = ['\x02\0\x05\0\x03\0\0\0\x4a\x01\0\0', '\0\x02\0\x05\0\0\0\x03\0\0\x01\x4a'];

test('a photograph that says where it was taken is named, also if no field names it', () => {
  const remedy = "exiftool -overwrite_original -gps:all= 'images/b[1].JPG'";
  for (const latitude of LATITUDES) {
    const photograph = Buffer.from(`\xff\xd8\xff\xe1\0\x40Exif\0\0${latitude}`, 'latin1');
    assert.deepEqual(loadWith({}, { 'images/b[1].JPG': photograph }).warnings, [
      `images/b[1].JPG contains the place where it was taken; remove the place: ${remedy}`,
    ]);
    const without = photograph.subarray(0, -latitude.length);
    assert.deepEqual(loadWith({}, { 'public/c.jpeg': without }).warnings, []);
  }
});

test('a template is filled once, and texts are escaped', () => {
  const template =
    '{{a}}{{#list}}[{{a}}{{b}}{{#c}}({{d}}){{/c}}]{{/list}}{{#no}}x{{/no}}{{#yes}}y{{/yes}}';
  const list = [
    { a: '{{b}}', b: '&', c: undefined },
    { b: `<"'>`, c: { d: '3' } },
  ];
  const filled = fillTemplate(template, { a: 'A', list, no: false, yes: 'z' });
  assert.equal(filled, 'A[{{b}}&#38;][A&#60;&#34;&#39;&#62;(3)]y');
  assert.throws(() => fillTemplate('{{title}}', {}), /the template names \{\{title\}\}/);
});
