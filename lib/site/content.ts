/** Reads and checks `pages/content.json`: everything that a visitor reads. */
import { isUtf8 } from 'node:buffer';
import { brokenLine } from './broken-line.ts';
import type { Size } from './image-size.ts';

export type Content = ReturnType<typeof readContent>;
export type TimelineEntry = Content['timeline'][number];

/** The size of the image of that name, or the mistake in it. */
export type ImageSizes = (name: string) => Size | string;

/** The default texts of the entry page, which reveal nothing. */
const NEUTRAL = {
  title: 'Private preview',
  sentence: 'This preview is by invitation.',
  description: 'Enter with the email address that was invited.',
};

/** Mistakes in the content; the message has a line for each. */
export class ContentError extends Error {
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(mistakes.map((mistake) => `pages/content.json: ${mistake}`).join('\n'));
    this.mistakes = mistakes;
  }
}

/** Checks the value at a path such as `timeline[3].date`. @throws {ContentError} */
type Reader<T> = (value: unknown, at: string) => T;

/**
 * Checks a content file.
 *
 * @throws {ContentError} with all mistakes, each with its path: `timeline[3].date: not a date …`
 */
export function readContent(file: Buffer, sizeOf: ImageSizes) {
  const src: Reader<Size & { readonly name: string }> = (value, at) => {
    const name = line(value, at);
    const size = sizeOf(name);
    return typeof size === 'string' ? fail(at, size) : { name, ...size };
  };
  // An empty alt marks an image as decoration; a missing one is a mistake.
  const alt: Reader<string> = (value, at) => (value === '' ? '' : line(value, at));
  const image = optional(object({ src, alt }), undefined);
  return object({
    // Public; the fields below are for logged-in visitors.
    entry: optional(object({ title: line, sentence: line, description: line }), NEUTRAL),
    title: line,
    tagline: line,
    timeline: list(object({ date, headline: line, text: paragraphs, image })),
    join: object({ headline: line, text: paragraphs, button: line }),
  })(parse(file), '');
}

function parse(file: Buffer): unknown {
  if (!isUtf8(file)) {
    const lines = file.toString('latin1').split('\n');
    const line = lines.findIndex((each) => !isUtf8(Buffer.from(each, 'latin1'))) + 1;
    return fail(`line ${line}`, 'not UTF-8; save the file as UTF-8');
  }
  // The decoder drops a byte order mark.
  const json = new TextDecoder().decode(file);
  try {
    return JSON.parse(json);
  } catch {
    const mistake =
      'not JSON; is a comma, quote or bracket missing or too many, here or just before?';
    return fail(`line ${brokenLine(json)}`, mistake);
  }
}

function object<F extends Readonly<Record<string, Reader<unknown>>>>(
  fields: F,
): Reader<{ readonly [K in keyof F]: ReturnType<F[K]> }> {
  const readers = new Map(Object.entries(fields));
  return (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return fail(at, 'not an object');
    const given = new Map<string, unknown>(Object.entries(value));
    const names = new Set([...given.keys(), ...readers.keys()]);
    const read = (name: string) => {
      const known = [...readers.keys()].join(', ');
      const reader = readers.get(name) ?? fail(at, `unknown field "${name}"; known are ${known}`);
      return [name, reader(given.get(name), at === '' ? name : `${at}.${name}`)];
    };
    return Object.fromEntries(gather([...names], read));
  };
}

function list<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value, at) =>
    Array.isArray(value) && value.length > 0
      ? gather(value, (item: unknown, i) => read(item, `${at}[${i}]`))
      : fail(at, 'not a list with at least one item');
}

/** Reads all, even after a mistake. @throws {ContentError} with every mistake */
function gather<I, T>(items: readonly I[], read: (item: I, index: number) => T): readonly T[] {
  const mistakes: string[] = [];
  const values = items.flatMap((item, i) => {
    try {
      return [read(item, i)];
    } catch (error) {
      if (!(error instanceof ContentError)) throw error;
      mistakes.push(...error.mistakes);
      return [];
    }
  });
  if (mistakes.length > 0) throw new ContentError(mistakes);
  return values;
}

const optional =
  <T, U>(read: Reader<T>, absent: U): Reader<T | U> =>
  (value, at) =>
    value === undefined ? absent : read(value, at);

const text: Reader<string> = (value, at) =>
  typeof value === 'string' && value.trim() !== ''
    ? value.trim()
    : fail(at, 'missing or not a text');

const line: Reader<string> = (value, at) =>
  /[\n\r]/.test(text(value, at))
    ? fail(at, 'a line break can stand in "text" only')
    : text(value, at);

/** Texts divided by blank lines. */
const paragraphs: Reader<readonly string[]> = (value, at) => text(value, at).split(/\s*\n\s*\n\s*/);

const date: Reader<string> = (value, at) => {
  const day = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : '-';
  // Date reads 31 February as a day of March, and 32 January as invalid.
  return JSON.stringify(new Date(day)).startsWith(day, 1)
    ? day
    : fail(at, 'not a date (YYYY-MM-DD)');
};

function fail(at: string, what: string): never {
  throw new ContentError([at === '' ? what : `${at}: ${what}`]);
}
