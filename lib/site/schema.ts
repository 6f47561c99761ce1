/**
 * Readers of JSON values, from which content.ts builds a schema. They note a mistake with the path of
 * its field and go on, so that all mistakes are found at once.
 */
import { isObject, type JsonObject } from '../records.ts';

/** Where a value is, and what all readers share. */
export type Place = {
  /** Such as `timeline[3].date`; empty for the whole file. */
  readonly path: string;
  /** A line for each mistake found so far. */
  readonly mistakes: string[];
  /** The URLs of the site's files. */
  readonly urls: ReadonlySet<string>;
};

/** Reads a value. The result is valid only if no mistake was noted. */
export type Reader<T> = (value: unknown, place: Place) => T;

export function note({ path, mistakes }: Place, mistake: string): void {
  mistakes.push(path === '' ? mistake : `${path}: ${mistake}`);
}

/** A text without the white space around it; empty after a mistake. */
export const text: Reader<string> = (value, place) => {
  if (typeof value !== 'string') {
    note(place, value === undefined ? 'missing' : 'not a string; write a text in quotes');
    return '';
  }
  if (value.trim() === '') note(place, 'empty');
  return value.trim();
};

/** A text of a certain form. @param mistake follows the text: `is not a date` */
export function checkedText(isRight: (text: string) => boolean, mistake: string): Reader<string> {
  return (value, place) => {
    const read = text(value, place);
    if (read !== '' && !isRight(read)) note(place, `"${read}" ${mistake}`);
    return read;
  };
}

/** `true` or `false` */
export const flag: Reader<boolean> = (value, place) => {
  if (typeof value !== 'boolean') note(place, 'not true or false');
  return value === true;
};

/** Makes a field one that may be left out. */
export function optional<T>(read: Reader<T>): Reader<T | undefined> {
  return (value, place) => (value === undefined ? undefined : read(value, place));
}

/** A list that is not empty. */
export function list<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value, place) => {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    if (items.length === 0)
      note(place, value === undefined ? 'missing' : 'must be a list with at least one item');
    return items.map((item, i) => read(item, { ...place, path: `${place.path}[${i}]` }));
  };
}

/** An object that has these fields, and no others. */
export function object<T>(fields: { readonly [Name in keyof T]: Reader<T[Name]> }): Reader<T> {
  return (value, place) => {
    if (!isObject(value)) note(place, value === undefined ? 'missing' : 'not an object');
    const read = isObject(value) ? readFields(fields, value, place) : {};
    // Every field of T has a reader; after a mistake nobody reads it.
    return read as T;
  };
}

function readFields<T>(
  fields: { readonly [Name in keyof T]: Reader<T[Name]> },
  given: JsonObject,
  place: Place,
): Partial<T> {
  const read: Partial<T> = {};
  for (const name in fields) read[name] = fields[name](given[name], placeOf(place, name));
  const known = Object.keys(fields);
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    note(placeOf(place, name), `unknown field; known are ${known.join(', ')}`);
  }
  return read;
}

function placeOf(place: Place, name: string): Place {
  return { ...place, path: place.path === '' ? name : `${place.path}.${name}` };
}
