/** The owner's files: lists the served files, and reads the files that the content names. */
import fs from 'node:fs';
import path from 'node:path';
import { quoteForShell } from '../config.ts';
import {
  failAt,
  objectOf,
  optional,
  type Reader,
  readAlt,
  readLine,
  type SiteFiles,
} from './field-readers.ts';
import { isSvg, readImageSize, type Size } from './image-size.ts';

/** The size of the largest picture, in bytes. */
export const MAX_PICTURE = 20e6;

type Folder = 'public' | 'images' | 'media';

/** The endings of each kind, and the remedy for other files. */
const KINDS = {
  image: [/\.(jpe?g|png|svg|webp)$/i, 'save it as JPEG, PNG, WebP or SVG'],
  card: [/\.(jpe?g|png)$/i, 'save it as PNG or JPEG, 1200 by 630 pixels'],
  icon: [/\.(ico|png|svg)$/i, 'save it as SVG, PNG or ICO'],
  font: [/\.woff2$/i, 'convert it to WOFF2'],
  captions: [/\.vtt$/i, 'save it as WebVTT (.vtt)'],
  // H.264 with 8 bits and 4:2:0 plays in every browser. With faststart it plays before it has
  // loaded.
  video: [
    /\.(mp4|webm)$/i,
    'convert it: ffmpeg -i old -map_metadata -1 -vf scale=-2:1080 -pix_fmt yuv420p ' +
      '-movflags +faststart new.mp4',
  ],
} as const;

/**
 * Files that systems and editors leave behind: `Thumbs.db`, `a.txt~`, `a.jpg_original`, not
 * `a.jpg`.
 */
const LEFT_BEHIND = /^(thumbs\.db|desktop\.ini|#.*#|.*(~|_original|\.bak|\.orig|\.swp))$/i;

/** Lists the served files. The folder of a file decides who can load it. Warns of links. */
export function listSiteFiles(folder: string): SiteFiles {
  const warnings = new Set<string>();
  const list = (name: Folder) => plainFiles(folder, name, warnings);
  return {
    public: new Map(list('public')),
    gated: new Map([...list('images'), ...list('media')]),
    faults: new Map(),
    warnings,
  };
}

/** All plain files of a folder. Hidden files and folders, links and other kinds are left out. */
function* plainFiles(
  folder: string,
  name: string,
  warnings: Set<string>,
): Generator<[url: string, path: string]> {
  const file = path.join(folder, name);
  const attempt = <T>(task: () => T) => tryToRead(task, folder, name);
  const state = attempt(() => fs.lstatSync(file, { throwIfNoEntry: false }));
  if (state?.isSymbolicLink())
    warnings.add(`${name} is a link, which is not served; replace it by its target`);
  if (state?.isFile() && !LEFT_BEHIND.test(path.basename(name))) {
    attempt(() => fs.accessSync(file, fs.constants.R_OK));
    yield [urlOf(name), file];
  }
  if (!state?.isDirectory()) return;
  for (const each of attempt(() => fs.readdirSync(file)))
    if (!each.startsWith('.')) yield* plainFiles(folder, `${name}/${each}`, warnings);
}

/** Reads the content. It must be a file, not a link or, for example, a FIFO. */
export function readContentFile(folder: string): Buffer {
  const name = 'content.json';
  const attempt = <T>(task: () => T) => tryToRead(task, folder, name);
  const file = path.join(folder, name);
  const state = attempt(() => fs.lstatSync(file));
  const remedy = 'put the file itself there';
  if (state.isSymbolicLink()) failAt('', `${name} is a link, which is not followed; ${remedy}`);
  if (!state.isFile()) failAt('', `${name} is not a file; ${remedy}`);
  return attempt(() => {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
    const opened = fs.openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      return fs.readFileSync(opened);
    } finally {
      fs.closeSync(opened);
    }
  });
}

/**
 * The URL of a file by its name in the site's folder. It has one Unicode form, because systems
 * differ.
 */
const urlOf = (name: string): string =>
  `/${name.normalize().split('/').map(encodeURIComponent).join('/')}`;

/** A file that the content names. */
export type NamedFile = {
  /** In the site's folder: `images/lamp.jpg`. */
  readonly name: string;
  readonly url: string;
  readonly path: string;
};

/** A picture, and the size that pages reserve for it. */
export type SizedImage = Size & { readonly url: string };

export type Image = SizedImage & { readonly alt: string };

/** A picture that is cropped. */
export type Picture = Image & {
  /** The side that stays visible: a class of base.css. */
  readonly position: string;
};

/**
 * Makes a reader for the name of a file in one folder. The URL of the file has the same extension.
 */
const fileIn =
  (of: Folder, kind: keyof typeof KINDS): Reader<NamedFile> =>
  (value, at, files) => {
    const name = `${of}/${readLine(value, at)}`;
    const [names, remedy] = KINDS[kind];
    if (!names.test(name)) failAt(at, `${name} is of a kind that is not supported; ${remedy}`);
    return findNamedFile(name, 'field', at, files);
  };

/** @throws {ContentError} if there is no such file, or browsers show nothing of it */
function findNamedFile(
  name: string,
  by: 'field' | 'link',
  at: string,
  files: SiteFiles,
): NamedFile {
  if (/\p{Cs}/u.test(name)) failAt(at, 'the name has half an emoji; write the name again');
  const url = urlOf(name);
  const file = files.public.get(url) ?? files.gated.get(url);
  if (!file) return failAt(at, `there is no file ${name}; links and hidden files do not count`);
  for (const { text, isMistake, alsoInLinks } of files.faults.get(url) ?? []) {
    if (by === 'link' && !alsoInLinks) continue;
    if (isMistake) failAt(at, `${name} ${text}`);
    files.warnings.add(`${name} ${text}`);
  }
  return { name, url, path: file };
}

/**
 * Reads the address of a file that a text links to: `/media/Ten%20pages.pdf`.
 *
 * @returns its URL
 */
export function readLinkedFile(address: string, at: string, files: SiteFiles): string {
  const name = decodeName(address.slice(1));
  return findNamedFile(name, 'link', at, files).url;
}

/** Owners write a plain name, or an encoded one: `100 %.pdf`, `100%20%25.pdf`. */
function decodeName(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

export const readVideoFile = fileIn('media', 'video');
export const readCaptionsFile = fileIn('media', 'captions');
export const readIcon = fileIn('public', 'icon');
export const readFont = fileIn('public', 'font');

/** Makes a reader for the name of a picture, and its size. */
function sizedIn(of: Folder, kind: 'image' | 'card'): Reader<SizedImage> {
  const readFile = fileIn(of, kind);
  return (value, at, files) => {
    const { name, url, path: file } = readFile(value, at, files);
    const bytes = fs.statSync(file).size;
    const weight = `${name} has ${(bytes / 1e6).toFixed(1)} MB`;
    if (bytes > MAX_PICTURE) failAt(at, `${weight}; the most is 20 MB`);
    const isCard = kind === 'card';
    if (isCard && bytes > 0.6e6)
      files.warnings.add(`${weight}; some messengers show no card of more than 0.6 MB`);
    else if (bytes > 1e6)
      files.warnings.add(`${weight}, slow to load on a phone; 0.3 MB is enough`);
    const content = fs.readFileSync(file);
    const size = readImageSize(content, url);
    if (!size) {
      const fault = 'has no size: damaged, not what its extension says, or an SVG without viewBox';
      return failAt(at, `${name} ${fault}; ${KINDS[kind][1]}`);
    }
    const { width, height } = size;
    const pixels = `${name} has ${width} by ${height} pixels`;
    if (isCard && (width < 600 || height < 315))
      files.warnings.add(`${pixels}, too few for a link preview; use 1200 by 630`);
    if (isSvg(url)) return { url, ...size };
    const megapixels = (width * height) / 1e6;
    if (megapixels > 250) failAt(at, `${pixels}, which browsers do not show; make it smaller`);
    if (megapixels > 25)
      files.warnings.add(`${pixels}, slow to show on a phone; 1600 pixels of width are enough`);
    return { url, ...size };
  };
}

const POSITIONS = ['top', 'bottom', 'start', 'end', 'center'];

const readPosition = (value: unknown, at: string): string =>
  POSITIONS.find((position) => position === value) ??
  failAt(at, `not one of ${POSITIONS.join(', ')}`);

/** Makes a reader for `{ src, alt }`. */
function imageIn(of: Folder, kind: 'image' | 'card'): Reader<Image> {
  const readFields = objectOf({ src: sizedIn(of, kind), alt: readAlt });
  return (value, at, files) => {
    const { src, alt } = readFields(value, at, files);
    return { ...src, alt };
  };
}

/** Makes a reader for `{ src, alt, position }`. */
function pictureIn(of: Folder): Reader<Picture> {
  const readFields = objectOf({
    src: sizedIn(of, 'image'),
    alt: readAlt,
    position: optional(readPosition, 'center'),
  });
  return (value, at, files) => {
    const { src, alt, position } = readFields(value, at, files);
    return { ...src, alt, position };
  };
}

export const readPoster = sizedIn('images', 'image');
export const readImage = imageIn('images', 'image');
export const readPicture = pictureIn('images');
export const readLogo = imageIn('public', 'image');
export const readCard = imageIn('public', 'card');
export const readPublicPicture = pictureIn('public');

/** @throws {ContentError} if the task throws, for example EACCES */
export function tryToRead<T>(task: () => T, folder: string, name: string): T {
  try {
    return task();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const remedy = code === 'EACCES' ? `; ${wayToOpen(folder)}` : '';
    return failAt('', `${name} cannot be read (${message})${remedy}`);
  }
}

/** What lets this user read a site. */
function wayToOpen(folder: string): string {
  // It does not help to open a folder that is in a closed one, such as /root.
  const above = path.dirname(path.resolve(folder));
  if (mayEnter(above)) return `as root: chmod -R a+rX ${quoteForShell(folder)}`;
  return `this user may not enter ${above}; copy the folder to one that it may enter, such as /srv`;
}

function mayEnter(folder: string): boolean {
  try {
    fs.accessSync(folder, fs.constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
