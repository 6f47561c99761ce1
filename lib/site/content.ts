/** Reads and checks `content.json`, the text of all pages for visitors. */
import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import {
  failAt,
  listOf,
  objectOf,
  optional,
  type Reader,
  readAlt,
  readLine,
} from './field-readers.ts';
import { parseJson } from './json.ts';
import { ENGLISH, readInvitation, readLanguage, readReminder, readWords } from './language.ts';
import { readLinkAddress, readParagraphs } from './paragraphs.ts';
import { pictureReader } from './picture.ts';
import type { SiteFiles } from './site-files.ts';
import { themeReader } from './theme.ts';

export type Content = ReturnType<typeof readContent>;
export type TimelineEntry = Content['timeline'][number];

/** The public page. Its default texts reveal nothing. */
const entryPage = objectOf({
  title: optional(readLine, 'Private preview'),
  sentence: optional(readLine, 'This preview is by invitation.'),
  description: optional(readLine, 'Enter with the email address that was invited.'),
  contact: optional(readParagraphs, undefined),
});

/**
 * Checks a content file.
 *
 * @param files readers for the files that it names
 * @throws {ContentError} with all mistakes, each with its path: `timeline[3].date: not a date …`
 */
export function readContent(file: Buffer, files: SiteFiles) {
  return objectOf({
    language: optional(readLanguage, ENGLISH),
    words: readWords,
    theme: optional(themeReader(files), undefined),
    // `entry` and `links` are public. The fields below are for visitors with a session.
    entry: (value = {}, at) => entryPage(value, at),
    links: optional(listOf(objectOf({ text: readLine, href: readLinkAddress })), []),
    title: readLine,
    tagline: readLine,
    opening: optional(objectOf({ image: pictureReader(files, 'images') }), undefined),
    timeline: listOf(entryReader(files)),
    join: objectOf({
      headline: readLine,
      text: readParagraphs,
      button: readLine,
      thanks: optional(readParagraphs, undefined),
    }),
    // For administrators.
    invitation: readInvitation,
    reminder: readReminder,
  })(parseJson(file), '');
}

export function entryReader(files: SiteFiles) {
  const fields = objectOf({
    date,
    headline: readLine,
    text: readParagraphs,
    image: optional(objectOf({ src: files.image('images'), alt: readAlt }), undefined),
    images: optional(listOf(pictureReader(files, 'images')), undefined),
    video: optional(video(files), undefined),
  });
  return (value: unknown, at: string) => {
    const entry = fields(value, at);
    const scenes = [entry.image, entry.images, entry.video].filter((scene) => scene !== undefined);
    return scenes.length > 1 ? failAt(at, 'only one of image, images and video') : entry;
  };
}

function video(files: SiteFiles) {
  const webVtt: Reader<{ readonly url: string }> = (value, at) => {
    const file = files.media('captions')(value, at);
    const body = fs.readFileSync(file.path);
    return isUtf8(body) && /^\uFEFF?WEBVTT\s/.test(`${body}\n`)
      ? file
      : failAt(at, `media/${value} is not WebVTT: its first line must be WEBVTT, in UTF-8`);
  };
  return objectOf({
    src: files.media('video'),
    poster: files.image('images'),
    description: readLine,
    captions: optional(
      objectOf({ src: webVtt, language: optional(readLanguage, undefined) }),
      undefined,
    ),
    loop: optional(yesOrNo, false),
  });
}

const yesOrNo: Reader<boolean> = (value, at) =>
  typeof value === 'boolean' ? value : failAt(at, 'not true or false');

const date: Reader<string> = (value, at) => {
  const day = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : '-';
  // `Date` accepts 31 February as a day of March, but not 32 January.
  return JSON.stringify(new Date(day)).startsWith(day, 1)
    ? day
    : failAt(at, 'not a date (YYYY-MM-DD)');
};
