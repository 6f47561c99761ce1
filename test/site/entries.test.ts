/** The pictures and the video of an entry, and how a mistake in them is named. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../../lib/config.ts';
import { entry } from '../../lib/site/content.ts';
import { siteFiles } from '../../lib/site/files.ts';
import { mistakesOf } from '../support/mistakes.ts';
import { temporaryFolder } from '../support/site.ts';

const folder = temporaryFolder();
fs.mkdirSync(path.join(folder, 'media'));
fs.writeFileSync(path.join(folder, 'media', 'film.mp4'), '');
fs.cpSync(path.join(root, 'test/site/images'), path.join(folder, 'images'), { recursive: true });
const CAPTIONS = {
  'plain.vtt': 'WEBVTT',
  'mark.vtt': '\uFEFFWEBVTT - Größe\r\n',
  'srt.vtt': '1\n00:00:00,000 --> 00:00:01,000\nHello.\n',
  'almost.vtt': 'WEBVTTX\n',
};
for (const [name, text] of Object.entries(CAPTIONS))
  fs.writeFileSync(path.join(folder, 'media', name), text);
fs.writeFileSync(path.join(folder, 'media', 'latin.vtt'), 'WEBVTT\n\nGr\xf6\xdfe', 'latin1');

const picture = { src: '321x123.png', alt: 'A picture.' };
const video = { src: 'film.mp4', poster: '321x123.jpg', description: 'A video.' };

const read = (fields: object, files = siteFiles(folder)) =>
  entry(files)({ date: '2025-01-21', headline: 'x', text: 'x', ...fields }, 'timeline[0]');

const mistakes = (fields: object) => mistakesOf(() => read(fields));

test('several pictures bring their sizes', () => {
  const { images } = read({ images: [picture, { src: '321x123-lossy.webp', alt: '' }] });
  assert.deepEqual(
    images?.map(({ src, alt }) => [src.url, src.width, src.height, alt]),
    [
      ['/images/321x123.png', 321, 123, 'A picture.'],
      ['/images/321x123-lossy.webp', 321, 123, ''],
    ],
  );
  assert.deepEqual(mistakes({ images: [picture, { src: '321x123.png' }] }), [
    'timeline[0].images[1].alt: missing or not a text',
  ]);
});

test('a video brings its files, with the size of its poster', () => {
  const files = siteFiles(folder);
  const { video: found } = read({ video: { ...video, captions: { src: 'plain.vtt' } } }, files);
  assert.equal(found?.src.url, '/media/film.mp4');
  assert.equal(found?.poster.width, 321);
  assert.deepEqual([found?.loop, found?.captions?.language], [false, undefined]);
  assert.deepEqual([...files.found.media.keys()], ['/media/film.mp4', '/media/plain.vtt']);
  assert.deepEqual([...files.found.images.keys()], ['/images/321x123.jpg']);
  assert.deepEqual(mistakes({ video: { ...video, captions: { src: 'mark.vtt' } } }), []);
});

test('an entry has only one of image, images and video', () => {
  const images = [picture];
  for (const scenes of [
    { image: picture, images },
    { image: picture, video },
    { images, video },
  ])
    assert.deepEqual(mistakes(scenes), ['timeline[0]: only one of image, images and video']);
});

for (const [fields, at, what] of [
  [{ src: 'none.mp4' }, 'src', /^there is no file media\/none\.mp4$/],
  [{ src: 'a.mov' }, 'src', /^media\/a\.mov is of a kind that is not supported; convert/],
  [{ src: '../film.mp4' }, 'src', /plain name of a file in media/],
  [{ poster: undefined }, 'poster', /^missing or not a text$/],
  [{ poster: 'film.mp4' }, 'poster', /is of a kind that is not supported/],
  [{ description: '' }, 'description', /^missing or not a text$/],
  [{ loop: 'yes' }, 'loop', /^not true or false$/],
  [{ captions: 'plain.vtt' }, 'captions', /^not an object$/],
  [{ captions: { src: 'plain.vtt', language: 'x y' } }, 'captions.language', /^not a language tag/],
  [{ captions: { src: 'srt.vtt' } }, 'captions.src', /^media\/srt\.vtt is not WebVTT/],
  [{ captions: { src: 'almost.vtt' } }, 'captions.src', /^media\/almost\.vtt is not WebVTT/],
  [{ captions: { src: 'latin.vtt' } }, 'captions.src', /^media\/latin\.vtt is not WebVTT/],
] as const)
  test(`a video with ${JSON.stringify(fields)} is a mistake at ${at}`, () => {
    const [mistake = '', ...others] = mistakes({ video: { ...video, ...fields } });
    const prefix = `timeline[0].video.${at}: `;
    assert.ok(mistake.startsWith(prefix), mistake);
    assert.match(mistake.slice(prefix.length), what);
    assert.deepEqual(others, []);
  });
