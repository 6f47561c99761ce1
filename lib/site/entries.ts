/** The entries of the timeline, with their pictures and videos. */
import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import type { Files } from './files.ts';
import { language } from './language.ts';
import { paragraphs } from './paragraphs.ts';
import { picture } from './picture.ts';
import { alt, fail, line, list, object, optional, type Reader } from './reader.ts';

export type Entry = ReturnType<ReturnType<typeof entry>>;

export function entry(files: Files) {
  const fields = object({
    date,
    headline: line,
    text: paragraphs,
    image: optional(object({ src: files.image('images'), alt }), undefined),
    images: optional(list(picture(files, 'images')), undefined),
    video: optional(video(files), undefined),
  });
  return (value: unknown, at: string) => {
    const entry = fields(value, at);
    const scenes = [entry.image, entry.images, entry.video].filter((scene) => scene !== undefined);
    return scenes.length > 1 ? fail(at, 'only one of image, images and video') : entry;
  };
}

function video(files: Files) {
  const webVtt: Reader<{ readonly url: string }> = (value, at) => {
    const file = files.media('captions')(value, at);
    const body = fs.readFileSync(file.path);
    return isUtf8(body) && /^\uFEFF?WEBVTT\s/.test(`${body}\n`)
      ? file
      : fail(at, `media/${value} is not WebVTT: its first line must be WEBVTT, in UTF-8`);
  };
  return object({
    src: files.media('video'),
    poster: files.image('images'),
    description: line,
    captions: optional(object({ src: webVtt, language: optional(language, undefined) }), undefined),
    loop: optional(yesOrNo, false),
  });
}

const yesOrNo: Reader<boolean> = (value, at) =>
  typeof value === 'boolean' ? value : fail(at, 'not true or false');

const date: Reader<string> = (value, at) => {
  const day = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : '-';
  // Date reads 31 February as a day of March, and 32 January as invalid.
  return JSON.stringify(new Date(day)).startsWith(day, 1)
    ? day
    : fail(at, 'not a date (YYYY-MM-DD)');
};
