/** Reads and checks `content.json`: everything that a visitor reads. */
import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import type { Files } from './files.ts';
import { parseJson } from './json.ts';
import { ENGLISH, invitation, language, reminder, words } from './language.ts';
import { address, paragraphs } from './paragraphs.ts';
import { picture } from './picture.ts';
import { alt, fail, line, list, object, optional, type Reader } from './reader.ts';
import { theme } from './theme.ts';

export type Content = ReturnType<typeof readContent>;
export type Entry = Content['timeline'][number];

/** What strangers read. The default texts reveal nothing. */
const entryPage = object({
  title: optional(line, 'Private preview'),
  sentence: optional(line, 'This preview is by invitation.'),
  description: optional(line, 'Enter with the email address that was invited.'),
  contact: optional(paragraphs, undefined),
});

/**
 * Checks a content file.
 *
 * @param files finds the files that it names
 * @throws {ContentError} with all mistakes, each with its path: `timeline[3].date: not a date …`
 */
export function readContent(file: Buffer, files: Files) {
  return object({
    language: optional(language, ENGLISH),
    words,
    theme: optional(theme(files), undefined),
    // Public, and the links; the fields below are for logged-in visitors.
    entry: (value = {}, at) => entryPage(value, at),
    links: optional(list(object({ text: line, href: address })), []),
    title: line,
    tagline: line,
    opening: optional(object({ image: picture(files, 'images') }), undefined),
    timeline: list(entry(files)),
    join: object({
      headline: line,
      text: paragraphs,
      button: line,
      thanks: optional(paragraphs, undefined),
    }),
    // For administrators.
    invitation,
    reminder,
  })(parseJson(file), '');
}

/** An entry of the timeline, with its pictures or its video. */
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
