/** Reads content.json field by field. A mistake is noted with its path, and the reading goes on. */
import type { SiteFiles } from './site-files.ts';

/** What the reading of a whole file shares. */
export type Reading = {
  /** The files that fields may name. */
  readonly files: SiteFiles;
  /** A line for each mistake. */
  readonly mistakes: string[];
};

/** The fields of one object. A reader that finds a mistake notes it, and returns a blank. */
export type Fields = Reading & {
  readonly values: Readonly<Record<string, unknown>>;
  /** Such as `timeline[3]`; empty for the whole file. */
  readonly path: string;
  /** The names that a reader has asked for. */
  readonly known: Set<string>;
};

type Reader<T> = (fields: Fields) => T;

/** Reads an object. A field that `read` does not ask for is a mistake: it is misspelled. */
export function readFields<T>(
  { files, mistakes }: Reading,
  path: string,
  value: unknown,
  read: Reader<T>,
): T {
  const known = new Set<string>();
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    mistakes.push(`${path}: ${value === undefined ? 'missing' : 'not an object'}`);
    // The missing object is reported once, and not each of its fields.
    return read({ files, mistakes: [], values: {}, path, known });
  }
  const fields = { files, mistakes, values: { ...value }, path, known };
  const result = read(fields);
  for (const name of Object.keys(value))
    if (!known.has(name)) note(fields, name, `unknown field; known are ${[...known].join(', ')}`);
  return result;
}

/** Notes a mistake in a field: `timeline[3].date: "soon" is not a date`. */
export function note(fields: Fields, name: string, mistake: string): void {
  fields.mistakes.push(`${pathOf(fields, name)}: ${mistake}`);
}

export function has(fields: Fields, name: string): boolean {
  return get(fields, name) !== undefined;
}

/** A text of one or more lines. */
export function readText(fields: Fields, name: string): string {
  const value = get(fields, name);
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  note(fields, name, value === undefined ? 'missing' : 'not a string; write a text in quotes');
  return '';
}

export function readLine(fields: Fields, name: string): string {
  const line = readText(fields, name);
  if (/[\n\r]/.test(line)) note(fields, name, 'has a line break; write it in one line');
  return line;
}

/** `true` or `false`; `false` if it is left out. */
export function readFlag(fields: Fields, name: string): boolean {
  const value = get(fields, name) ?? false;
  if (typeof value !== 'boolean') note(fields, name, 'not true or false');
  return value === true;
}

export function readObject<T>(fields: Fields, name: string, read: Reader<T>): T {
  return readFields(fields, pathOf(fields, name), get(fields, name), read);
}

/** An object that may be left out. */
export function readOptional<T>(fields: Fields, name: string, read: Reader<T>): T | undefined {
  return has(fields, name) ? readObject(fields, name, read) : undefined;
}

/** A list of objects; empty if it is left out. */
export function readList<T>(fields: Fields, name: string, read: Reader<T>): readonly T[] {
  const list = get(fields, name) ?? [];
  const path = pathOf(fields, name);
  if (Array.isArray(list))
    return list.map((each, i) => readFields(fields, `${path}[${i}]`, each, read));
  note(fields, name, 'not a list');
  return [];
}

function get({ values, known }: Fields, name: string): unknown {
  known.add(name);
  return values[name];
}

function pathOf({ path }: Fields, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
