/** Reads content.json into what the templates show. docs/content.md says what each field is. */
import {
  type Fields,
  has,
  note,
  type Reading,
  readFields,
  readFlag,
  readLine,
  readList,
  readObject,
  readOptional,
} from './fields.ts';
import { readAddress, readParagraphs } from './paragraphs.ts';
import { readFile, readPicture, readPictureFile } from './site-files.ts';
import type { View } from './template.ts';
import { readTheme, type Theme } from './theme.ts';
import { readWords, type Words } from './words.ts';

export type Content = {
  /** A language tag: `de`, `pt-BR`. */
  readonly lang: string;
  readonly dir: string;
  readonly words: Words;
  readonly theme: Theme | undefined;
  /** The page that everybody sees. */
  readonly entry: View;
  /** In the foot of both pages. */
  readonly links: readonly View[];
  /** It and all fields below are for guests. */
  readonly title: string;
  readonly tagline: string;
  readonly opening: View | undefined;
  readonly timeline: readonly TimelineEntry[];
  readonly join: View;
};

export type TimelineEntry = View & {
  /** `2025-01-21` */
  readonly date: string;
};

/** The content can be used only if no mistake was noted. */
export function readContent(written: unknown, reading: Reading): Content {
  return readFields(reading, '', written, (fields) => {
    const lang = readLang(fields);
    return {
      lang,
      dir: readDir(fields),
      words: readWords(fields, lang),
      theme: readOptional(fields, 'theme', readTheme),
      entry: readObject(fields, 'entry', readEntryPage),
      links: readList(fields, 'links', readLink),
      title: readLine(fields, 'title'),
      tagline: readLine(fields, 'tagline'),
      opening: readOptional(fields, 'opening', readImage),
      timeline: readTimeline(fields),
      join: readObject(fields, 'join', readQuestion),
    };
  });
}

function readLang(fields: Fields): string {
  const lang = readLine(fields, 'lang');
  try {
    return new Intl.Locale(lang).toString();
  } catch {
    if (lang !== '')
      note(fields, 'lang', `"${lang}" is no language; write a tag such as en or pt-BR`);
    return 'en';
  }
}

function readDir(fields: Fields): string {
  const dir = has(fields, 'dir') ? readLine(fields, 'dir') : 'ltr';
  if (dir !== 'ltr' && dir !== 'rtl') note(fields, 'dir', `"${dir}" is neither ltr nor rtl`);
  return dir;
}

function readEntryPage(entry: Fields): View {
  return {
    title: readLine(entry, 'title'),
    sentence: readLine(entry, 'sentence'),
    description: readLine(entry, 'description'),
    contact: readParagraphs(entry, 'contact'),
  };
}

function readLink(link: Fields): View {
  return { text: readLine(link, 'text'), href: readAddress(link, 'href') };
}

function readTimeline(fields: Fields): readonly TimelineEntry[] {
  const timeline = readList(fields, 'timeline', readEntry);
  if (timeline.length === 0) note(fields, 'timeline', 'has no entry');
  return timeline;
}

function readEntry(entry: Fields): TimelineEntry {
  const [, second] = ['image', 'images', 'video'].filter((name) => has(entry, name));
  if (second !== undefined) note(entry, second, 'only one of image, images and video');
  return {
    date: readDate(entry),
    headline: readLine(entry, 'headline'),
    text: readParagraphs(entry, 'text'),
    image: readOptional(entry, 'image', readImage),
    images: readImages(entry),
    video: readOptional(entry, 'video', readVideo),
  };
}

function readDate(entry: Fields): string {
  const date = readLine(entry, 'date');
  // `Date` makes 31 February a day of March.
  const isDay = /^\d{4}-\d\d-\d\d$/.test(date) && new Date(date).toJSON()?.startsWith(date);
  if (isDay) return date;
  if (date !== '') note(entry, 'date', `"${date}" is not a date; write 2025-01-21`);
  return '2025-01-21';
}

function readImage(picture: Fields): View {
  return readPicture(picture, 'images');
}

function readImages(entry: Fields): View | undefined {
  const several = readList(entry, 'images', readImage);
  return several.length > 0 ? { several } : undefined;
}

function readVideo(video: Fields): View {
  return {
    src: readFile(video, 'src', 'media', ['mp4', 'webm']),
    poster: readPictureFile(video, 'poster', 'images'),
    description: readLine(video, 'description'),
    captions: has(video, 'captions') ? readFile(video, 'captions', 'media', ['vtt']) : undefined,
    kind: readFlag(video, 'loop') ? 'loop' : 'film',
  };
}

function readQuestion(join: Fields): View {
  return {
    headline: readLine(join, 'headline'),
    text: readParagraphs(join, 'text'),
    button: readLine(join, 'button'),
    thanks: readParagraphs(join, 'thanks'),
  };
}
