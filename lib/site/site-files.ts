/** Reads the owner's files that the content names, inside the site's folder. */
import fs from 'node:fs';
import path from 'node:path';
import { ContentError, failAt, objectOf, optional, readAlt, readLine } from './field-readers.ts';
import { readImageSize } from './image-size.ts';

type ImageFolder = 'public' | 'images';

/** Names of each kind, the largest size in bytes, and the remedy for other files. */
const KINDS = {
  image: [/\.(jpe?g|png|svg|webp)$/i, 20e6, 'save it as JPEG, PNG, WebP or SVG'],
  card: [/\.(jpe?g|png)$/i, 20e6, 'save it as PNG or JPEG, 1200 by 630 pixels'],
  icon: [/\.(ico|png|svg)$/i, 1e6, 'save it as SVG, PNG or ICO'],
  font: [/\.woff2$/i, 2e6, 'convert it to WOFF2'],
  captions: [/\.vtt$/i, 1e6, 'save it as WebVTT (.vtt)'],
  // H.264 with 8 bits and 4:2:0 plays in every browser, from the first second with faststart.
  video: [
    /\.(mp4|webm)$/i,
    4e9,
    'convert it: ffmpeg -i old -vf scale=-2:1080 -pix_fmt yuv420p -movflags +faststart new.mp4',
  ],
} as const;

export type SiteFiles = ReturnType<typeof siteFiles>;

/** Readers for file names in the content. */
export function siteFiles(folder: string) {
  /** Each warning is a line that begins with a path in the site's folder. */
  const warnings = new Set<string>();

  /** The URL of a file has the same extension. */
  function find(of: ImageFolder | 'media', kind: keyof typeof KINDS, value: unknown, at: string) {
    const own = readLine(value, at);
    const name = `${of}/${own}`;
    const [names, limit, remedy] = KINDS[kind];
    if (/^\.|[/\\]/.test(own)) failAt(at, `"${own}" is not the plain name of a file in ${of}/`);
    if (!names.test(own)) failAt(at, `${name} is of a kind that is not supported; ${remedy}`);
    const url = `/${of}/${encodeURIComponent(own.normalize())}`;
    return { name, url, path: findSiteFile(folder, name, limit, at) };
  }

  const keep = (of: ImageFolder, kind: keyof typeof KINDS) => (value: unknown, at: string) => {
    const file = find(of, kind, value, at);
    return { ...file, body: fs.readFileSync(file.path) };
  };

  const image =
    (of: ImageFolder, kind: 'image' | 'card' = 'image') =>
    (value: unknown, at: string) => {
      const { name, url, body } = keep(of, kind)(value, at);
      const fault = 'has no size: damaged, not what its ending says, or an SVG without viewBox';
      const size = readImageSize(body, path.extname(url)) ?? failAt(at, `${name} ${fault}`);
      const weight = `${name} has ${megabytes(body.length)}`;
      if (body.length > 1e6) warnings.add(`${weight}, long to load on a phone; 0.3 MB are enough`);
      return { url, ...size };
    };

  const picture = (of: ImageFolder) =>
    objectOf({ src: image(of), alt: readAlt, position: optional(readPosition, undefined) });

  const media = (kind: 'video' | 'captions') => (value: unknown, at: string) =>
    find('media', kind, value, at);

  return { warnings, keep, image, picture, media };
}

const readPosition = (value: unknown, at: string) =>
  typeof value === 'string' &&
  /^(left|center|right|\d\d?%|100%) (top|center|bottom|\d\d?%|100%)$/.test(value)
    ? value
    : failAt(at, 'not a position such as "left center" or "70% 20%"');

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/**
 * The real path of a readable file of at most `limit` bytes. Names are compared in Unicode NFC,
 * because systems differ. @throws {ContentError} also for a link
 */
export function findSiteFile(folder: string, name: string, limit: number, at: string): string {
  try {
    const parent = path.join(folder, path.dirname(name));
    const normal = path.basename(name).normalize();
    const own = fs.readdirSync(parent).find((each) => each.normalize() === normal);
    if (own === undefined) return failAt(at, `there is no file ${name}`);
    const file = fs.realpathSync(path.join(parent, own));
    if (file !== path.join(fs.realpathSync(folder), path.dirname(name), own))
      failAt(at, `${name} is a link, or in a linked folder; put the file itself there`);
    const state = fs.statSync(file);
    if (!state.isFile()) failAt(at, `${name} is not a file`);
    if (state.size > limit)
      failAt(at, `${name} has ${megabytes(state.size)}; the most is ${megabytes(limit)}`);
    fs.accessSync(file, fs.constants.R_OK);
    return file;
  } catch (error) {
    if (error instanceof ContentError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return failAt(at, `there is no file ${name}`);
    return failAt(at, `${name} cannot be read (${message}); can the service's user read it?`);
  }
}
