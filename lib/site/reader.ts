/** Readers check a value of unknown shape part by part, and collect every mistake with its path. */

/** Mistakes in the site; the message has a line for each. */
export class ContentError extends Error {
  get mistakes(): readonly string[] {
    return this.message.split('\n');
  }
}

/** Checks the value at a path such as `timeline[3].date`. @throws {ContentError} */
export type Reader<T> = (value: unknown, at: string) => T;

/** An object with these fields and no others. */
export function object<F extends Readonly<Record<string, Reader<unknown>>>>(
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

export function list<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value, at) =>
    Array.isArray(value) && value.length > 0
      ? gather(value, (item: unknown, i) => read(item, `${at}[${i}]`))
      : fail(at, 'not a list with at least one item');
}

/** Reads all, even after a mistake. @throws {ContentError} with every mistake */
export function gather<I, T>(
  items: readonly I[],
  read: (item: I, index: number) => T,
): readonly T[] {
  const mistakes: string[] = [];
  const values = items.flatMap((item, i) => {
    try {
      return [read(item, i)];
    } catch (error) {
      if (!(error instanceof ContentError)) throw error;
      mistakes.push(error.message);
      return [];
    }
  });
  if (mistakes.length > 0) throw new ContentError(mistakes.join('\n'));
  return values;
}

export const optional =
  <T, U>(read: Reader<T>, absent: U): Reader<T | U> =>
  (value, at) =>
    value === undefined ? absent : read(value, at);

export const text: Reader<string> = (value, at) =>
  typeof value === 'string' && value.trim() !== ''
    ? value.trim()
    : fail(at, 'missing or not a text');

export const line: Reader<string> = (value, at) =>
  /[\n\r]/.test(text(value, at))
    ? fail(at, 'a line break can stand in "text" only')
    : text(value, at);

/** An empty one marks an image as decoration; a missing one is a mistake. */
export const alt: Reader<string> = (value, at) => (value === '' ? '' : line(value, at));

/** @throws {ContentError} in one line, whatever `what` quotes */
export function fail(at: string, what: string): never {
  const mistake = what.replace(/[\n\r]+/g, ' ');
  throw new ContentError(at === '' ? mistake : `${at}: ${mistake}`);
}
