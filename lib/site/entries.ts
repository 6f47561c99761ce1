/** The entries of the timeline, and their pictures. */
import type { Files } from './files.ts';
import { fail, line, object, optional, paragraphs, type Reader } from './reader.ts';

export type Entry = ReturnType<ReturnType<typeof entry>>;

export function entry(files: Files) {
  // An empty alt marks an image as decoration; a missing one is a mistake.
  const alt: Reader<string> = (value, at) => (value === '' ? '' : line(value, at));
  const image = optional(object({ src: files.image('images'), alt }), undefined);
  return object({ date, headline: line, text: paragraphs, image });
}

const date: Reader<string> = (value, at) => {
  const day = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : '-';
  // Date reads 31 February as a day of March, and 32 January as invalid.
  return JSON.stringify(new Date(day)).startsWith(day, 1)
    ? day
    : fail(at, 'not a date (YYYY-MM-DD)');
};
