/** Reads and checks `pages/content.json`: everything that a visitor reads. */

export type Content = {
  readonly title: string;
  readonly tagline: string;
  readonly timeline: readonly Entry[];
  readonly join: { readonly headline: string; readonly text: string; readonly button: string };
};

export type Entry = {
  /** `YYYY-MM-DD`. */
  readonly date: string;
  readonly headline: string;
  readonly text: string;
  readonly image?: { readonly src: string; readonly alt: string } | undefined;
};

/** A mistake in the content; the message names the field. */
export class ContentError extends Error {}

/**
 * Checks the text of a content file.
 *
 * @param images the names of the files in `pages/images/`
 * @throws {ContentError} at the first mistake, named by its path: `timeline[3].date: not a date (YYYY-MM-DD)`
 */
export function readContent(json: string, images: readonly string[]): Content {
  const content = object(parse(json), 'content.json', ['title', 'tagline', 'timeline', 'join']);
  const join = object(content.join, 'join', ['headline', 'text', 'button']);
  return {
    title: text(content.title, 'title'),
    tagline: text(content.tagline, 'tagline'),
    timeline: list(content.timeline, 'timeline').map((entry, i) =>
      readEntry(entry, `timeline[${i}]`, images),
    ),
    join: {
      headline: text(join.headline, 'join.headline'),
      text: text(join.text, 'join.text'),
      button: text(join.button, 'join.button'),
    },
  };
}

function readEntry(value: unknown, at: string, images: readonly string[]): Entry {
  const entry = object(value, at, ['date', 'headline', 'text', 'image']);
  return {
    date: date(entry.date, `${at}.date`),
    headline: text(entry.headline, `${at}.headline`),
    text: text(entry.text, `${at}.text`),
    image: entry.image === undefined ? undefined : readImage(entry.image, `${at}.image`, images),
  };
}

function readImage(value: unknown, at: string, images: readonly string[]) {
  const image = object(value, at, ['src', 'alt']);
  const src = text(image.src, `${at}.src`);
  if (!images.includes(src)) fail(`${at}.src`, `there is no file pages/images/${src}`);
  return { src, alt: typeof image.alt === 'string' ? image.alt : text(image.alt, `${at}.alt`) };
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
