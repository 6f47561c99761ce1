/** Prepares pictures for the templates, and the style that positions their subjects. */
import type { SiteFiles } from './site-files.ts';

type Picture = ReturnType<ReturnType<SiteFiles['picture']>>;

export const imageView = (image: Omit<Picture, 'position'> | undefined) =>
  image && { ...image.src, alt: image.alt };

/** Rules that keep the subjects of cropped pictures in view. */
export const pictureCss = (pictures: readonly (Picture | undefined)[]): string =>
  pictures
    .flatMap((each) => (each?.position ? [each] : []))
    .map(({ src, position }) => `[src="${src.url}"] { object-position: ${position}; }\n`)
    .join('');
