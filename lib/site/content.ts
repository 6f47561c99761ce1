/** Reads content.json: the texts of the entry page and the timeline, and the names of files. */
import {
  type Fields,
  has,
  note,
  readFields,
  readFlag,
  readLine,
  readList,
  readObject,
  readOptional,
} from './fields.ts';
import type { Size } from './image-size.ts';
import { type Paragraph, readAddress, readParagraphs } from './paragraphs.ts';
import { type Picture, readFile, readPicture, readSized, type SiteFiles } from './site-files.ts';
import { readTheme, type Theme } from './theme.ts';
import { readWords, type Words } from './words.ts';

export type Content = {
  /** A language tag: `de`, `pt-BR`. */
  readonly lang: string;
  readonly dir: 'ltr' | 'rtl';
  readonly words: Words;
  readonly theme: Theme | undefined;
  readonly entry: EntryPage;
  /** In the foot of both pages. */
  readonly links: readonly { readonly text: string; readonly href: string }[];
  /** It and all fields below are for guests. */
  readonly title: string;
  readonly tagline: string;
  readonly opening: Picture | undefined;
  readonly timeline: readonly TimelineEntry[];
  readonly join: Question;
};

/** The page that everybody sees. */
export type EntryPage = {
  readonly title: string;
  readonly sentence: string;
  /** In link previews. */
  readonly description: string;
  /** For a guest who cannot get in: whom to ask. */
  readonly contact: readonly Paragraph[];
};

export type TimelineEntry = {
  /** `2025-01-21` */
  readonly date: string;
  readonly headline: string;
  readonly text: readonly Paragraph[];
  /** None if there is a video. */
  readonly pictures: readonly Picture[];
  readonly video: Video | undefined;
};

/** Its size is that of its poster. Files are URLs. */
export type Video = Size & {
  readonly src: string;
  readonly poster: string;
  readonly description: string;
  readonly captions: string | undefined;
  /** A loop plays again and again, without sound. */
  readonly kind: 'film' | 'loop';
};

/** The call to join at the end. */
export type Question = {
  readonly headline: string;
  readonly text: readonly Paragraph[];
  readonly button: string;
  /** For guests who joined. */
  readonly thanks: readonly Paragraph[];
};

/** @param mistakes get a line for each mistake; with one, the content cannot be used */
export function readContent(written: unknown, files: SiteFiles, mistakes: string[]): Content {
  return readFields(written, '', mistakes, (fields) => {
    const lang = readLang(fields);
    return {
      lang,
      dir: readDir(fields),
      words: readWords(fields, lang),
      theme: readOptional(fields, 'theme', (theme) => readTheme(theme, files)),
      entry: readObject(fields, 'entry', readEntryPage),
      links: readList(fields, 'links', readLink),
      title: readLine(fields, 'title'),
      tagline: readLine(fields, 'tagline'),
      opening: readOptional(fields, 'opening', (image) => readPicture(image, 'images', files)),
      timeline: readTimeline(fields, files),
      join: readObject(fields, 'join', (join) => readQuestion(join, files)),
    };
  });
}

function readLang(fields: Fields): string {
  const lang = has(fields, 'lang') ? readLine(fields, 'lang') : 'en';
  try {
    return new Intl.Locale(lang).toString();
  } catch {
    note(fields, 'lang', `"${lang}" is no language; write a tag such as de or pt-BR`);
    return 'en';
  }
}

function readDir(fields: Fields): 'ltr' | 'rtl' {
  const dir = has(fields, 'dir') ? readLine(fields, 'dir') : 'ltr';
  if (dir === 'ltr' || dir === 'rtl') return dir;
  note(fields, 'dir', `"${dir}" is no direction; write ltr or rtl (from right to left)`);
  return 'ltr';
}

function readEntryPage(entry: Fields): EntryPage {
  return {
    title: readLine(entry, 'title'),
    sentence: readLine(entry, 'sentence'),
    description: readLine(entry, 'description'),
    // Strangers get no file of the guests.
    contact: has(entry, 'contact') ? readParagraphs(entry, 'contact', new Map()) : [],
  };
}

function readLink(link: Fields) {
  return { text: readLine(link, 'text'), href: readAddress(link, 'href') };
}

function readTimeline(fields: Fields, files: SiteFiles): readonly TimelineEntry[] {
  const timeline = readList(fields, 'timeline', (entry) => readEntry(entry, files));
  if (timeline.length === 0) note(fields, 'timeline', 'has no entry');
  return timeline;
}

function readEntry(entry: Fields, files: SiteFiles): TimelineEntry {
  const [, second] = ['image', 'images', 'video'].filter((name) => has(entry, name));
  if (second !== undefined) note(entry, second, 'only one of image, images and video');
  const image = readOptional(entry, 'image', (each) => readPicture(each, 'images', files));
  const images = readList(entry, 'images', (each) => readPicture(each, 'images', files));
  return {
    date: readDate(entry),
    headline: readLine(entry, 'headline'),
    text: readParagraphs(entry, 'text', files.gated),
    pictures: image === undefined ? images : [image],
    video: readOptional(entry, 'video', (video) => readVideo(video, files)),
  };
}

function readDate(entry: Fields): string {
  const date = readLine(entry, 'date');
  // `Date` makes 31 February a day of March.
  const isDay = /^\d{4}-\d\d-\d\d$/.test(date) && new Date(date).toJSON()?.startsWith(date);
  if (!isDay) note(entry, 'date', `"${date}" is not a date; write 2025-01-21`);
  return date;
}

function readVideo(video: Fields, files: SiteFiles): Video {
  const { url: poster, ...size } = readSized(video, 'poster', 'images', files);
  return {
    ...size,
    poster,
    src: readFile(video, 'src', 'media', ['mp4', 'webm'], files),
    description: readLine(video, 'description'),
    captions: has(video, 'captions')
      ? readFile(video, 'captions', 'media', ['vtt'], files)
      : undefined,
    kind: readFlag(video, 'loop') ? 'loop' : 'film',
  };
}

function readQuestion(join: Fields, files: SiteFiles): Question {
  return {
    headline: readLine(join, 'headline'),
    text: readParagraphs(join, 'text', files.gated),
    button: readLine(join, 'button'),
    thanks: has(join, 'thanks') ? readParagraphs(join, 'thanks', files.gated) : [],
  };
}
