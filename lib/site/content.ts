/** Reads and checks `content.json`, the text of all pages for visitors. */
import { DEFAULT_LETTERS, DEFAULT_WORDS } from './default-words.ts';
import {
  failAt,
  isLeftOut,
  listOf,
  objectOf,
  optional,
  type Reader,
  readLine,
  type SiteFiles,
} from './field-readers.ts';
import {
  ENGLISH,
  type Language,
  type LetterFields,
  letterFields,
  readLanguage,
  readWords,
  type Words,
} from './language.ts';
import { type Paragraph, readLinkAddress, readParagraphs } from './paragraphs.ts';
import * as siteFiles from './site-files.ts';
import { darkBackground, readTheme, type Theme } from './theme.ts';
import { isTransparent } from './transparency.ts';

/** All texts of a site, with the files that they name. */
export type Content = LetterFields & {
  readonly language: Language;
  readonly words: Words;
  readonly theme: Theme | undefined;
  readonly entry: EntryPage;
  readonly links: readonly Link[];
  /** Of the preview, and so for visitors with a session, like all that follows. */
  readonly title: string;
  readonly tagline: string;
  readonly opening: { readonly image: siteFiles.Picture } | undefined;
  readonly timeline: readonly TimelineEntry[];
  readonly join: Question;
};

/** The public page. */
export type EntryPage = {
  readonly title: string;
  readonly sentence: string;
  readonly description: string;
  /** Whom a guest who is refused may ask. */
  readonly contact: readonly Paragraph[] | undefined;
};

/** A link in the foot of all pages. */
export type Link = { readonly text: string; readonly href: string };

/** At most one of `image`, `images` and `video` is there. */
export type TimelineEntry = {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly headline: string;
  readonly text: readonly Paragraph[];
  readonly image: siteFiles.Image | undefined;
  readonly images: readonly siteFiles.Picture[] | undefined;
  readonly video: Video | undefined;
};

export type Video = {
  readonly src: siteFiles.NamedFile;
  readonly poster: siteFiles.SizedImage;
  readonly description: string;
  readonly captions: Captions | undefined;
  readonly loop: boolean;
};

export type Captions = {
  readonly src: siteFiles.NamedFile;
  readonly language: Language | undefined;
};

/** The call to join at the end. */
export type Question = {
  readonly headline: string;
  readonly text: readonly Paragraph[];
  readonly button: string;
  /** The text after the answer. */
  readonly thanks: readonly Paragraph[] | undefined;
};

/** Checks the content and the files that it names. @throws {ContentError} with all mistakes */
export function readContent(written: unknown, files: SiteFiles): Content {
  const content = readFields(written, '', files);
  const { lang } = content.language;
  if (!/^en\b/.test(lang)) warnOfEnglish(content, lang, files);
  warnOfTransparent(content, files);
  return content;
}

/** A drawing in black on nothing cannot be seen in the dark scheme. */
function warnOfTransparent({ theme, opening, timeline }: Content, files: SiteFiles): void {
  const shown: siteFiles.SizedImage[] = opening ? [opening.image] : [];
  for (const { image, images } of timeline) {
    if (image) shown.push(image);
    if (images) shown.push(...images);
  }
  for (const { url } of shown) {
    const file = files.gated.get(url);
    if (file === undefined || !isTransparent(file)) continue;
    const name = decodeURIComponent(url).slice(1);
    const where = `in the dark scheme it stands on ${darkBackground(theme)}`;
    files.warnings.add(`${name} is transparent; ${where}`);
  }
}

function warnOfEnglish(content: Content, lang: string, files: SiteFiles): void {
  const left: string[] = [];
  const sentences = namesOfSame(content.words, DEFAULT_WORDS).length;
  if (sentences > 0) left.push(`${sentences} sentences of words`);
  left.push(...namesOfSame(content, DEFAULT_LETTERS));
  if (left.length === 0) return;
  const start = `start from words-${lang.startsWith('de') ? 'de' : 'en'}.json`;
  files.warnings.add(
    `content.json: language is ${lang}, but still in English are ${left.join(', ')}: ${start}`,
  );
}

type Fields = Readonly<Record<string, unknown>>;

const namesOfSame = (own: Fields, defaults: Fields): readonly string[] =>
  Object.keys(defaults).filter((name) => own[name] === defaults[name]);

/** The public page. Its default texts reveal nothing. */
const entryPage: Reader<EntryPage> = objectOf({
  title: optional(readLine, 'Private preview'),
  sentence: optional(readLine, 'This preview is by invitation only.'),
  description: optional(readLine, 'Enter the email address your invitation was sent to.'),
  contact: optional(readParagraphs, undefined),
});

const readBoolean = (value: unknown, at: string): boolean =>
  typeof value === 'boolean' ? value : failAt(at, 'not true or false');

function readDate(value: unknown, at: string): string {
  const day = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : '-';
  // `Date` accepts 31 February as a day of March, but not 32 January.
  const isDay = new Date(day).toJSON()?.startsWith(day);
  return isDay ? day : failAt(at, 'not a date (YYYY-MM-DD)');
}

const readVideo: Reader<Video> = objectOf({
  src: siteFiles.readVideoFile,
  poster: siteFiles.readPoster,
  description: readLine,
  captions: optional(
    objectOf({ src: siteFiles.readCaptionsFile, language: optional(readLanguage, undefined) }),
    undefined,
  ),
  loop: optional(readBoolean, false),
});

const entryFields: Reader<TimelineEntry> = objectOf({
  date: readDate,
  headline: readLine,
  text: readParagraphs,
  image: optional(siteFiles.readImage, undefined),
  images: optional(listOf(siteFiles.readPicture), undefined),
  video: optional(readVideo, undefined),
});

function readTimelineEntry(value: unknown, at: string, files: SiteFiles): TimelineEntry {
  const entry = entryFields(value, at, files);
  const scenes = [entry.image, entry.images, entry.video].filter((scene) => scene !== undefined);
  return scenes.length > 1 ? failAt(at, 'only one of image, images and video') : entry;
}

const readFields: Reader<Content> = objectOf({
  language: optional(readLanguage, ENGLISH),
  words: readWords,
  theme: optional(readTheme, undefined),
  // `entry` and `links` are public. The fields below are for visitors with a session.
  entry: (value, at, files) => entryPage(isLeftOut(value) ? {} : value, at, files),
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
