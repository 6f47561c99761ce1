/** Reads and checks `content.json`, the text of the entry page and the timeline. */
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
  withoutSoftHyphens,
} from './field-readers.ts';
import {
  ENGLISH,
  type Language,
  letterFields,
  readLanguage,
  readWords,
  type Words,
} from './language.ts';
import type { LetterFields } from './letter-texts.ts';
import {
  type Paragraph,
  readLinkAddress,
  readParagraphs,
  readPublicParagraphs,
} from './paragraphs.ts';
import * as siteFiles from './site-files.ts';
import { readTheme, type Theme } from './theme.ts';

/** All texts of a site, and the names of its files. */
export type Content = LetterFields & {
  readonly language: Language;
  readonly words: Words;
  readonly theme: Theme | undefined;
  readonly entry: EntryPage;
  readonly links: readonly Link[];
  /** Of the preview. It and all fields below are for visitors with a session. */
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
  /** For a guest who cannot get in: whom to ask. */
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
  if (!/^en\b/.test(content.language.lang)) warnOfEnglish(content, written, files);
  warnOfLongWords(content, files);
  return content;
}

/** Warns of English sentences on a page or in a letter of another language. */
function warnOfEnglish(content: Content, written: unknown, files: SiteFiles): void {
  const { lang } = content.language;
  const given = toFields(written);
  const left = [
    ...namesOfEnglish(content.words, DEFAULT_WORDS, toFields(given.words)),
    ...namesOfEnglish(content, DEFAULT_LETTERS, given),
  ];
  if (left.length === 0) return;
  const are = left.length === 1 ? '1 sentence is' : `${left.length} sentences are`;
  const source = lang.startsWith('de') ? 'words-de.json has them' : 'translate words-en.json';
  files.warnings.add(
    `content.json: language is ${lang}, but ${are} still in English: ${left.join(', ')}; ${source}`,
  );
}

type Fields = Readonly<Record<string, unknown>>;

const toFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** @param given what the owner wrote: a single word may be the same in two languages */
function namesOfEnglish(own: Fields, defaults: Fields, given: Fields): readonly string[] {
  return Object.keys(defaults).filter((name) => {
    const english = String(defaults[name]);
    const isOneWord = !english.includes(' ');
    const isWritten = !isLeftOut(given[name]);
    return own[name] === english && !(isOneWord && isWritten);
  });
}

/** The number of letters that fit into a line on a phone. */
const MOST_LETTERS = 20;

/** Warns of words that are cut off on a phone, because they are large and cannot be divided. */
function warnOfLongWords({ language, entry, title, timeline, join }: Content, files: SiteFiles) {
  const large: [at: string, text: string][] = [
    ['entry.sentence', entry.sentence],
    ['title', title],
  ];
  for (const [i, { headline }] of timeline.entries())
    large.push([`timeline[${i}].headline`, headline]);
  large.push(['join.headline', join.headline]);
  // This also counts in texts without spaces, such as Chinese ones.
  const segmenter = new Intl.Segmenter(language.lang, { granularity: 'word' });
  for (const [at, text] of large)
    for (const { segment } of segmenter.segment(text))
      for (const part of segment.split('\u00ad')) {
        const letters = part.match(/\p{L}/gu)?.length ?? 0;
        const remedy = 'write \\u00ad where it may be divided';
        if (letters > MOST_LETTERS)
          files.warnings.add(`content.json: ${at}: ${part} has ${letters} letters; ${remedy}`);
      }
}

/** A line for a tab or a link preview, where no word is divided. */
const readUndivided: Reader<string> = (value, at, files) =>
  withoutSoftHyphens(readLine(value, at, files));

/** The public page. Its default texts reveal nothing. */
const entryPage: Reader<EntryPage> = objectOf({
  title: optional(readUndivided, 'Private preview'),
  sentence: optional(readLine, 'This preview is by invitation only.'),
  description: optional(readUndivided, 'Enter the email address your invitation was sent to.'),
  contact: optional(readPublicParagraphs, undefined),
});

const readBoolean = (value: unknown, at: string): boolean =>
  typeof value === 'boolean' ? value : failAt(at, 'not true or false');

function readDate(value: unknown, at: string): string {
  const written = readLine(value, at);
  const hasForm = /^\d{4}-\d{2}-\d{2}$/.test(written);
  // `Date` accepts 31 February and makes it a day of March. It refuses 32 January.
  const isDay = hasForm && new Date(written).toJSON()?.startsWith(written);
  if (isDay) return written;
  return failAt(at, `"${written}" is not a date; write it as YYYY-MM-DD, like 2025-01-21`);
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
