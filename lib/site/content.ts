/** What content.json may say. docs/content.md explains each field. */
import path from 'node:path';
import { nameOf, urlOf } from './files.ts';
import {
  checkedText,
  flag,
  list,
  note,
  object,
  optional,
  type Place,
  type Reader,
  text,
} from './schema.ts';
import { LINK, type Values } from './template.ts';
import { type OwnWords, ownWords } from './words.ts';

export type Content = {
  /** A language tag: `de`, `pt-BR`. */
  readonly lang: string;
  readonly dir: string | undefined;
  readonly words: OwnWords | undefined;
  readonly theme: Theme | undefined;
  /** The page that everybody sees. */
  readonly entry: Values;
  /** In the footer of both pages. */
  readonly links: readonly Values[] | undefined;
  /** From here on, for guests only. */
  readonly title: string;
  readonly tagline: string;
  readonly opening: Values | undefined;
  readonly timeline: readonly TimelineEntry[];
  readonly join: Values;
};

/** The owner's brand. */
export type Theme = {
  readonly accent: Schemes | undefined;
  readonly background: Schemes | undefined;
  readonly logo: Values | undefined;
  /** The URL of the icon in the tab. */
  readonly favicon: string | undefined;
  /** The URL of the picture in link previews. */
  readonly card: string | undefined;
};

/** For each scheme: `#rrggbb`, or the URL of a picture. */
export type Schemes = { readonly light: string; readonly dark: string };

/** `date` looks like `2025-01-21`. */
export type TimelineEntry = Values & { readonly date: string };

const PICTURES = ['jpg', 'jpeg', 'png', 'svg', 'webp'];

const language = checkedText(isLanguage, 'is not a language; write a tag such as en or pt-BR');
const direction = checkedText((dir) => ['ltr', 'rtl'].includes(dir), 'is neither ltr nor rtl');
const date = checkedText(isDate, 'is not a date; write 2025-01-21');
const colours = schemes(checkedText(isColour, 'is not a colour; write one such as #00566b'));

const picture = object({ src: file('images', PICTURES), alt: readAlt });

const video = object({
  src: file('media', ['mp4', 'webm']),
  poster: file('images', PICTURES),
  description: text,
  captions: optional(file('media', ['vtt'])),
  loop: optional(flag),
});

const timelineEntry = object<TimelineEntry>({
  date,
  headline: text,
  text: readParagraphs,
  image: optional(picture),
  images: optional(readPictures),
  video: optional(video),
});

const theme = object<Theme>({
  accent: optional(colours),
  background: optional(colours),
  logo: optional(object({ src: schemes(file('public', PICTURES)), alt: readAlt })),
  favicon: optional(file('public', ['svg', 'png', 'ico'])),
  card: optional(file('public', ['png', 'jpg', 'jpeg'])),
});

export const readContent = object<Content>({
  lang: language,
  dir: optional(direction),
  words: optional(ownWords),
  theme: optional(theme),
  entry: object({ title: text, sentence: text, description: text, contact: readParagraphs }),
  links: optional(list(object({ text, href: readAddress }))),
  title: text,
  tagline: text,
  opening: optional(picture),
  timeline: list(readEntry),
  join: object({ headline: text, text: readParagraphs, button: text, thanks: readParagraphs }),
});

function isLanguage(tag: string): boolean {
  try {
    return new Intl.Locale(tag).language !== '';
  } catch {
    return false;
  }
}

function isDate(date: string): boolean {
  // `Date` takes 31 February for 3 March.
  return /^\d{4}-\d\d-\d\d$/.test(date) && new Date(date).toJSON()?.startsWith(date) === true;
}

function isColour(colour: string): boolean {
  return /^#[\da-f]{6}$/i.test(colour);
}

/** `https://example.com`, or a file of the site, such as `/media/extract.pdf#page=2`. */
function readAddress(value: unknown, place: Place): string {
  const href = text(value, place);
  const [file = ''] = href.split('#');
  if (/^\/(public|images|media)\//.test(file)) findFile(file, file.slice(1), place);
  else if (href !== '' && !/^(https:\/\/|mailto:|tel:)./.test(href))
    note(place, `"${href}" is not an address; write https://…, mailto:…, tel:… or /media/…`);
  return href;
}

/** A text that may have links. */
function readParagraphs(value: unknown, place: Place): string {
  const read = text(value, place);
  for (const [, , href] of read.matchAll(LINK)) readAddress(href, place);
  return read;
}

function readAlt(value: unknown, place: Place): string {
  return value === '' ? '' : text(value, place);
}

/** One for both schemes, or `{ light, dark }`. */
function schemes(read: Reader<string>): Reader<Schemes> {
  return (value, place) => {
    if (typeof value === 'object') return object({ light: read, dark: read })(value, place);
    const both = read(value, place);
    return { light: both, dark: both };
  };
}

function readPictures(value: unknown, place: Place): Values {
  return { several: list(picture)(value, place) };
}

function readEntry(value: unknown, place: Place): TimelineEntry {
  const entry = timelineEntry(value, place);
  const scenes = ['image', 'images', 'video'].filter((name) => entry[name] !== undefined);
  if (scenes.length > 1) note(place, `has ${scenes.join(' and ')}; keep one of them`);
  return entry;
}

/** Reads the name of a file. @returns its URL */
function file(folder: 'public' | 'images' | 'media', endings: readonly string[]): Reader<string> {
  return (value, place) => {
    const name = text(value, place);
    if (name === '') return '';
    const inSite = `${folder}/${name}`;
    const url = urlOf(inSite);
    const ending = path.extname(name).slice(1).toLowerCase();
    if (endings.includes(ending)) findFile(url, inSite, place);
    else note(place, `${inSite} must end in .${endings.join(', .')}`);
    return url;
  };
}

/** Notes a file that is missing. @param name as the owner knows it: `images/ride.jpg` */
function findFile(url: string, name: string, place: Place): void {
  if (place.urls.has(url)) return;
  const similar = [...place.urls].find((known) => known.toLowerCase() === url.toLowerCase());
  const hint = similar ? `${nameOf(similar)} exists` : 'hidden files and links are ignored';
  note(place, `${name} is missing (${hint})`);
}

/** `[our plan](/media/our plan.pdf)`, but not `[sic](as he said)`. */
const LINK_WITH_SPACE = /\[[^[\]"]+\]\((?:https:|mailto:|tel:|\/)[^()"\\]* [^()"\\]*\)/g;

/** Warnings about what is shown as it is, though its owner meant a link. */
export function warnOfLinks(content: Content): readonly string[] {
  const links = JSON.stringify(content).match(LINK_WITH_SPACE) ?? [];
  return links.map((link) => `${link} is not a link; write %20 for a space in its address`);
}
