/** Reads and checks `content.json`, the text of all pages for visitors. */
import { DEFAULT_LETTERS, DEFAULT_WORDS } from './default-words.ts';
import { failAt, listOf, objectOf, optional, readLine, type SiteFiles } from './field-readers.ts';
import { ENGLISH, letterFields, readLanguage, readWords } from './language.ts';
import { readLinkAddress, readParagraphs } from './paragraphs.ts';
import * as siteFiles from './site-files.ts';
import { readTheme } from './theme.ts';

export type Content = ReturnType<typeof readContent>;

/** Checks the content and the files that it names. @throws {ContentError} with all mistakes */
export function readContent(written: unknown, files: SiteFiles) {
  const content = readFields(written, '', files);
  const { lang } = content.language;
  const english = namesOfSame(content.words, DEFAULT_WORDS).length;
  const left = [
    ...(english > 0 ? [`${english} sentences of words`] : []),
    ...namesOfSame(content, DEFAULT_LETTERS),
  ].join(', ');
  const start = `start from words-${lang.startsWith('de') ? 'de' : 'en'}.json`;
  if (left !== '' && !/^en\b/.test(lang))
    files.warnings.add(
      `content.json: language is ${lang}, but still in English are ${left}: ${start}`,
    );
  return content;
}

type Fields = Readonly<Record<string, unknown>>;

const namesOfSame = (own: Fields, defaults: Fields): readonly string[] =>
  Object.keys(defaults).filter((name) => own[name] === defaults[name]);

/** The public page. Its default texts reveal nothing. */
const entryPage = objectOf({
  title: optional(readLine, 'Private preview'),
  sentence: optional(readLine, 'This preview is by invitation only.'),
  description: optional(readLine, 'Enter the email address your invitation was sent to.'),
  contact: optional(readParagraphs, undefined),
});

const readBoolean = (value: unknown, at: string) =>
  typeof value === 'boolean' ? value : failAt(at, 'not true or false');

function readDate(value: unknown, at: string) {
  const day = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : '-';
  // `Date` accepts 31 February as a day of March, but not 32 January.
  const isDay = new Date(day).toJSON()?.startsWith(day);
  return isDay ? day : failAt(at, 'not a date (YYYY-MM-DD)');
}

const readVideo = objectOf({
  src: siteFiles.readVideoFile,
  poster: siteFiles.readPoster,
  description: readLine,
  captions: optional(
    objectOf({ src: siteFiles.readCaptionsFile, language: optional(readLanguage, undefined) }),
    undefined,
  ),
  loop: optional(readBoolean, false),
});

const entryFields = objectOf({
  date: readDate,
  headline: readLine,
  text: readParagraphs,
  image: optional(siteFiles.readImage, undefined),
  images: optional(listOf(siteFiles.readPicture), undefined),
  video: optional(readVideo, undefined),
});

export const readTimelineEntry = (value: unknown, at: string, files: SiteFiles) => {
  const entry = entryFields(value, at, files);
  const scenes = [entry.image, entry.images, entry.video].filter(Boolean);
  return scenes.length > 1 ? failAt(at, 'only one of image, images and video') : entry;
};

const readFields = objectOf({
  language: optional(readLanguage, ENGLISH),
  words: readWords,
  theme: optional(readTheme, undefined),
  // `entry` and `links` are public. The fields below are for visitors with a session.
  entry: (value = {}, at, files) => entryPage(value, at, files),
  links: optional(listOf(objectOf({ text: readLine, href: readLinkAddress })), []),
  title: readLine,
  tagline: readLine,
  opening: optional(objectOf({ image: siteFiles.readPicture }), undefined),
  timeline: listOf(readTimelineEntry),
  join: objectOf({
    headline: readLine,
    text: readParagraphs,
    button: readLine,
    thanks: optional(readParagraphs, undefined),
  }),
  // For administrators.
  ...letterFields,
});
