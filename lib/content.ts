/** Reads and checks `pages/content.json`: everything that a visitor reads. */
import type { Size } from './image-size.ts';

export type Content = {
  /** The words of the public entry page; everything below them is for visitors who are logged in. */
  readonly entry: EntryWords;
  readonly title: string;
  readonly tagline: string;
  readonly timeline: readonly TimelineEntry[];
  readonly join: { readonly headline: string; readonly text: string; readonly button: string };
};

export type EntryWords = {
  readonly title: string;
  readonly sentence: string;
  readonly description: string;
};

export type TimelineEntry = {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly headline: string;
  readonly text: string;
  readonly image?: Image | undefined;
};

export type Image = Size & { readonly src: string; readonly alt: string };

/** The files in `pages/images/` by name; `undefined` where the size cannot be read. */
export type Images = ReadonlyMap<string, Size | undefined>;

/** What the entry page says where the content has no words of its own: nothing about what is behind it. */
const NEUTRAL: EntryWords = {
  title: 'Private preview',
  sentence: 'This preview is by invitation.',
  description: 'Enter with the email address that was invited.',
};

/** A mistake in the content; the message names the field. */
export class ContentError extends Error {}

/**
 * Checks the text of a content file.
 *
 * @throws {ContentError} at the first mistake, named by its path: `timeline[3].date: not a date (YYYY-MM-DD)`
 */
export function readContent(json: string, images: Images): Content {
  const names = ['entry', 'title', 'tagline', 'timeline', 'join'];
  const content = object(parse(json), 'content.json', names);
  const join = object(content.join, 'join', ['headline', 'text', 'button']);
  return {
    entry: content.entry === undefined ? NEUTRAL : readEntryWords(content.entry),
    title: text(content.title, 'title'),
    tagline: text(content.tagline, 'tagline'),
    timeline: list(content.timeline, 'timeline').map((entry, i) =>
      readTimelineEntry(entry, `timeline[${i}]`, images),
    ),
    join: {
      headline: text(join.headline, 'join.headline'),
      text: text(join.text, 'join.text'),
      button: text(join.button, 'join.button'),
    },
  };
}

function readEntryWords(value: unknown): EntryWords {
  const entry = object(value, 'entry', ['title', 'sentence', 'description']);
  return {
    title: text(entry.title, 'entry.title'),
    sentence: text(entry.sentence, 'entry.sentence'),
    description: text(entry.description, 'entry.description'),
  };
}

function readTimelineEntry(value: unknown, at: string, images: Images): TimelineEntry {
  const entry = object(value, at, ['date', 'headline', 'text', 'image']);
  return {
    date: date(entry.date, `${at}.date`),
    headline: text(entry.headline, `${at}.headline`),
    text: text(entry.text, `${at}.text`),
    image: entry.image === undefined ? undefined : readImage(entry.image, `${at}.image`, images),
  };
}

function readImage(value: unknown, at: string, images: Images): Image {
  const image = object(value, at, ['src', 'alt']);
  const src = text(image.src, `${at}.src`);
  if (!images.has(src)) fail(`${at}.src`, `there is no image pages/images/${src}`);
  const size = images.get(src) ?? fail(`${at}.src`, `cannot read the size of pages/images/${src}`);
  // An empty alt is a statement, that the image says nothing which the text does not; a missing one is a mistake.
  const alt = image.alt === '' ? '' : text(image.alt, `${at}.alt`);
  return { src, alt, ...size };
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    return fail('content.json', `not JSON (${error instanceof Error ? error.message : error})`);
  }
}

function object(
  value: unknown,
  at: string,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fail(at, 'not an object');
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) fail(at, `unknown field "${unknown}"; known are ${names.join(', ')}`);
  return Object.fromEntries(Object.entries(value));
}

function list(value: unknown, at: string): readonly unknown[] {
  return Array.isArray(value) && value.length > 0
    ? value
    : fail(at, 'not a list with at least one item');
}

function text(value: unknown, at: string): string {
  return typeof value === 'string' && value.trim() !== ''
    ? value
    : fail(at, 'missing or not a text');
}

function date(value: unknown, at: string): string {
  const day = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : '';
  const time = Date.parse(`${day}T00:00:00Z`);
  const real = !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
  return day !== '' && real ? day : fail(at, 'not a date (YYYY-MM-DD)');
}

function fail(at: string, what: string): never {
  throw new ContentError(`${at}: ${what}`);
}
