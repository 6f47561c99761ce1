/** The owner's files. Only those that the content names are read, none outside its folder. */
import fs from 'node:fs';
import path from 'node:path';
import { readImageSize, type Size } from './image-size.ts';
import { ContentError, fail, line, type Reader } from './reader.ts';

/** The folders of files that are sent from memory; those of `media` are sent from disk. */
export type InMemory = 'public' | 'images';

/** A file, and its Content-Type. */
export type Kept = { readonly body: Buffer; readonly type: string };
export type OnDisk = { readonly path: string; readonly type: string };
type Named<T> = Reader<T & { readonly url: string }>;

/** Content-Types by extension. */
const TYPES = {
  '.ico': 'image/x-icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.mp4': 'video/mp4',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.vtt': 'text/vtt; charset=utf-8',
  '.webm': 'video/webm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

type Kind = {
  readonly endings: readonly (keyof typeof TYPES)[];
  /** Largest size, in bytes. */
  readonly limit: number;
  readonly remedy: string;
};

const KINDS = {
  image: {
    endings: ['.jpeg', '.jpg', '.png', '.svg', '.webp'],
    limit: 20e6,
    remedy: 'save it as JPEG, PNG, WebP or SVG',
  },
  card: {
    endings: ['.jpeg', '.jpg', '.png'],
    limit: 20e6,
    remedy: 'save it as PNG or JPEG, 1200 by 630 pixels',
  },
  icon: { endings: ['.ico', '.png', '.svg'], limit: 1e6, remedy: 'save it as SVG, PNG or ICO' },
  font: { endings: ['.woff2'], limit: 2e6, remedy: 'convert it to WOFF2' },
  captions: { endings: ['.vtt'], limit: 1e6, remedy: 'save it as WebVTT (.vtt)' },
  video: {
    endings: ['.mp4', '.webm'],
    limit: 4e9,
    // H.264 of 8 bits and 4:2:0, which every browser plays; the index at the beginning.
    remedy:
      'convert it: ffmpeg -i old -vf scale=-2:1080 -pix_fmt yuv420p -movflags +faststart new.mp4',
  },
} satisfies Record<string, Kind>;

/** Larger images, in bytes, are slow to load on a phone. */
const LARGE = 1e6;
const ENOUGH = '0.3 MB are enough';

const NO_SIZE = 'has no size: damaged, not what its ending says, or an SVG without viewBox';

export type Files = ReturnType<typeof siteFiles>;

/** Readers for the names of files in the content. They keep the files that they find, by URL. */
export function siteFiles(folder: string) {
  /** By URL. `public` is for everybody, the others are gated. */
  const found = {
    public: new Map<string, Kept>(),
    images: new Map<string, Kept>(),
    media: new Map<string, OnDisk>(),
  };
  const warnings = new Set<string>();

  const find =
    (of: keyof typeof found, kind: keyof typeof KINDS): Named<OnDisk> =>
    (value, at) => {
      const name = line(value, at);
      const { endings, limit, remedy }: Kind = KINDS[kind];
      if (/^\.|[/\\]/.test(name)) fail(at, `"${name}" is not the plain name of a file in ${of}/`);
      const ending = endings.find((each) => each === path.extname(name).toLowerCase());
      if (!ending) return fail(at, `${of}/${name} is of a kind that is not supported; ${remedy}`);
      const url = `/${of}/${encodeURIComponent(name)}`;
      return { url, path: findFile(folder, `${of}/${name}`, limit, at), type: TYPES[ending] };
    };

  /** Reads a file of `public/` or `images/` into memory. */
  const keep =
    (of: InMemory, kind: keyof typeof KINDS): Named<Kept> =>
    (value, at) => {
      const { url, path, type } = find(of, kind)(value, at);
      const file = found[of].get(url) ?? { body: fs.readFileSync(path), type };
      found[of].set(url, file);
      return { url, ...file };
    };

  const image =
    (of: InMemory, kind: 'image' | 'card' = 'image'): Named<Size> =>
    (value, at) => {
      const { url, body, type } = keep(of, kind)(value, at);
      const name = `${of}/${line(value, at)}`;
      const size = readImageSize(body, type) ?? fail(at, `${name} ${NO_SIZE}`);
      if (body.length > LARGE)
        warnings.add(`${name} has ${megabytes(body.length)}, long to load on a phone; ${ENOUGH}`);
      return { url, ...size };
    };

  /** A file of `media/`, which is sent from disk. */
  const media =
    (kind: 'video' | 'captions'): Named<OnDisk> =>
    (value, at) => {
      const file = find('media', kind)(value, at);
      found.media.set(file.url, file);
      return file;
    };

  /** `warnings` has advice, a line each, which begins with a path in the site's folder. */
  return { found, warnings, keep, image, media };
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/**
 * The real path of a file that can be read. The name may differ in its Unicode form, which depends
 * on the system that made the file.
 *
 * @param limit the largest size, in bytes
 * @throws {ContentError} also if a link leads out of the folder
 */
export function findFile(folder: string, name: string, limit: number, at: string): string {
  try {
    const parent = path.join(folder, path.dirname(name));
    const normal = path.basename(name).normalize();
    const own = fs.readdirSync(parent).find((each) => each.normalize() === normal);
    if (own === undefined) return fail(at, `there is no file ${name}`);
    const file = fs.realpathSync(path.join(parent, own));
    if (!file.startsWith(path.join(fs.realpathSync(folder), path.sep)))
      fail(at, `${name} is a link that leads out of the site; put the file itself there`);
    const state = fs.statSync(file);
    if (!state.isFile()) fail(at, `${name} is not a file`);
    if (state.size > limit)
      fail(at, `${name} has ${megabytes(state.size)}; the most is ${megabytes(limit)}`);
    fs.accessSync(file, fs.constants.R_OK);
    return file;
  } catch (error) {
    if (error instanceof ContentError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return fail(at, `there is no file ${name}`);
    return fail(at, `${name} cannot be read (${message}); can the service's user read it?`);
  }
}
