/** Readers check a value of unknown type, and collect every mistake with its path. */
import { ExpectedError } from '../config.ts';
import { visible } from '../visible.ts';

/** The files that a site may name: their paths by URL. Readers add to the warnings. */
export type SiteFiles = {
  readonly public: ReadonlyMap<string, string>;
  readonly gated: ReadonlyMap<string, string>;
  /** By URL. They count if a field or a text names the file. */
  readonly faults: Map<string, readonly Fault[]>;
  /** Each begins with a path in the site's folder. */
  readonly warnings: Set<string>;
};

/** What is wrong with the content of a file. */
export type Fault = {
  /** A sentence without its subject, the file. */
  readonly text: string;
  /** Whether no browser shows any of it. Otherwise it is a warning. */
  readonly isMistake: boolean;
  /** Whether it also counts where a text links to the file, which browsers may download then. */
  readonly alsoInLinks: boolean;
};

/** Mistakes in the site, a line each. The message is for a terminal. */
export class ContentError extends ExpectedError {
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(mistakes.map(visible).join('\n'));
    this.mistakes = mistakes;
  }
}

/** Checks the value at a path such as `timeline[3].date`. @throws {ContentError} */
export type Reader<T> = (value: unknown, at: string, files: SiteFiles) => T;

/** An object with these fields and no others. A missing field is read as `undefined`. */
export function objectOf<F extends Readonly<Record<string, Reader<unknown>>>>(
  fields: F,
): Reader<{ readonly [K in keyof F]: ReturnType<F[K]> }> {
  const readers = new Map(Object.entries(fields));
  return (value, at, files) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return failAt(at, 'not an object');
    const given = new Map<string, unknown>(Object.entries(value));
    const names = new Set([...given.keys(), ...readers.keys()]);
    const read = (name: string) => {
      const known = [...readers.keys()].join(', ');
      const reader = readers.get(name) ?? failAt(at, `unknown field "${name}"; known are ${known}`);
      return [name, reader(given.get(name), at === '' ? name : `${at}.${name}`, files)];
    };
    return Object.fromEntries(readEach([...names], read));
  };
}

/** A list with at least one item, each of which is read. */
export function listOf<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value, at, files) =>
    Array.isArray(value) && value.length > 0
      ? readEach(value, (item: unknown, i) => read(item, `${at}[${i}]`, files))
      : failAt(at, 'not a list with at least one item');
}

/** Reads all items, even after a mistake. @throws {ContentError} with every mistake */
export function readEach<I, T>(
  items: readonly I[],
  read: (item: I, index: number) => T,
): readonly T[] {
  const values: T[] = [];
  const mistakes: string[] = [];
  for (const [i, item] of items.entries()) {
    try {
      values.push(read(item, i));
    } catch (error) {
      if (!(error instanceof ContentError)) throw error;
      mistakes.push(...error.mistakes);
    }
  }
  if (mistakes.length > 0) throw new ContentError(mistakes);
  return values;
}

/** Reads a value that may be missing, or returns the default. */
export const optional =
  <T, U>(read: Reader<T>, absent: U): Reader<T | U> =>
  (value, at, files) =>
    isLeftOut(value) ? absent : read(value, at, files);

/** Whether an optional field is missing, or `null`, `""` or `[]`. */
export const isLeftOut = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0);

/** `**bold**`, `# Title`, `<b>` and `&nbsp;`, not `2 < 3 & 4`. */
const MARKUP = /\*\*|^#{1,6} |<\/?[a-z][a-z\d]*\s*\/?>|&(?:[a-z]+|#\d+);/im;

/** Warns of a text that would show guests the signs of Markdown or HTML. */
export function warnOfMarkup(text: string, at: string, files: SiteFiles): void {
  const [found] = MARKUP.exec(text) ?? [];
  const rule = 'texts are plain; only links are written [words](https://…)';
  if (found) files.warnings.add(`content.json: ${at}: ${found.trim()} is shown unchanged; ${rule}`);
}

/** A text that is not empty and has no spaces around it. */
export const readText = (value: unknown, at: string): string =>
  typeof value === 'string' && value.trim() !== ''
    ? value.trim()
    : failAt(at, 'missing or not a text');

/** A text of one line. With `files`, guests see it, so it is searched for markup. */
export function readLine(value: unknown, at: string, files?: SiteFiles): string {
  const line = readText(value, at);
  if (/[\n\r]/.test(line)) failAt(at, 'not one line; remove the line break');
  if (files) warnOfMarkup(line, at, files);
  return line;
}

/** A text without soft hyphens, because other programs show or copy them. */
export const withoutSoftHyphens = (text: string): string => text.replaceAll('\u00ad', '');

/** An alternative text. It must be present, but may be empty for a decoration. */
export const readAlt = (value: unknown, at: string): string =>
  value === '' ? '' : withoutSoftHyphens(readLine(value, at));

/** @throws {ContentError} in one line */
export function failAt(at: string, what: string): never {
  const mistake = what.replace(/[\n\r]+/g, ' ');
  throw new ContentError([at === '' ? mistake : `${at}: ${mistake}`]);
}
