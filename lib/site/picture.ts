/** A picture with its description and the position of its subject. */

import { failAt, objectOf, optional, type Reader, readAlt } from './field-readers.ts';
import type { MemoryFolder, SiteFiles } from './site-files.ts';

export type Picture = ReturnType<ReturnType<typeof pictureReader>>;

export const pictureReader = (files: SiteFiles, folder: MemoryFolder) =>
  objectOf({ src: files.image(folder), alt: readAlt, position: optional(position, undefined) });

const position: Reader<string> = (value, at) =>
  typeof value === 'string' &&
  /^(left|center|right|\d\d?%|100%) (top|center|bottom|\d\d?%|100%)$/.test(value)
    ? value
    : failAt(at, 'not a position such as "left center" or "70% 20%"');

export const imageView = (image: Omit<Picture, 'position'> | undefined) =>
  image && { ...image.src, alt: image.alt };

/** Rules that keep the subjects of cropped pictures in view. */
export const pictureCss = (pictures: readonly (Picture | undefined)[]): string =>
  pictures
    .flatMap((each) => (each?.position ? [each] : []))
    .map(({ src, position }) => `[src="${src.url}"] { object-position: ${position}; }\n`)
    .join('');
