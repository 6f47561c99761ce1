/** A picture with its description, and where its subject is. */
import type { Files, InMemory } from './files.ts';
import { alt, fail, object, optional, type Reader } from './reader.ts';

export type Picture = ReturnType<ReturnType<typeof picture>>;

export const picture = (files: Files, folder: InMemory) =>
  object({ src: files.image(folder), alt, position: optional(position, undefined) });

const position: Reader<string> = (value, at) =>
  typeof value === 'string' &&
  /^(left|center|right|\d\d?%|100%) (top|center|bottom|\d\d?%|100%)$/.test(value)
    ? value
    : fail(at, 'not a position such as "left center" or "70% 20%"');

/** For the templates. */
export const imageView = (image: Omit<Picture, 'position'> | undefined) =>
  image && { ...image.src, alt: image.alt };

/** Rules that keep the subjects in view where pictures are cut off. */
export const pictureCss = (pictures: readonly (Picture | undefined)[]): string =>
  pictures
    .flatMap((each) => (each?.position ? [each] : []))
    .map(({ src, position }) => `[src="${src.url}"] { object-position: ${position}; }\n`)
    .join('');
