/** The owner's files: which are served, and which the content names. */
import fs from 'node:fs';
import path from 'node:path';
import { type Fields, has, note, readLine } from './fields.ts';

/** Paths on disk by URL. The folder of a file says who gets it: `public` is for everybody. */
export type SiteFiles = {
  readonly public: ReadonlyMap<string, string>;
  readonly gated: ReadonlyMap<string, string>;
};

type Folder = 'public' | 'images' | 'media';

/** `alt` describes it, or is empty for a picture that adds nothing to the text. */
export type Picture = { readonly url: string; readonly alt: string };

export function listSiteFiles(site: string): SiteFiles {
  return {
    public: listFiles(site, 'public'),
    gated: new Map([...listFiles(site, 'images'), ...listFiles(site, 'media')]),
  };
}

/** The plain files of a folder and of those in it. Hidden ones are left out, and links. */
function listFiles(site: string, name: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const folder = path.join(site, name);
  if (!fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return files;
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const inside = `${name}/${entry.name}`;
    if (entry.name.startsWith('.')) continue;
    if (entry.isFile()) files.set(urlOf(inside), path.join(site, inside));
    if (entry.isDirectory())
      for (const [url, file] of listFiles(site, inside)) files.set(url, file);
  }
  return files;
}

/** The path that a browser asks for: `/images/a%20b.jpg` for `images/a b.jpg`. */
function urlOf(name: string): string {
  // macOS composes an ü in another way than Linux.
  return encodeURI(`/${name.normalize()}`).replace(/[?#]/g, encodeURIComponent);
}

/** The latitude in the EXIF of a photograph, in either order of bytes: tag 2, three fractions. */
const LATITUDES = [Buffer.from('0200050003000000', 'hex'), Buffer.from('0002000500000003', 'hex')];

/** A warning for each photograph that says where it was taken, named or not. */
export function warnOfPositions(files: SiteFiles): readonly string[] {
  const warnings: string[] = [];
  for (const [url, file] of [...files.public, ...files.gated]) {
    if (!/\.jpe?g$/i.test(file) || !isReadable(file)) continue;
    const photograph = fs.readFileSync(file);
    if (!LATITUDES.some((latitude) => photograph.includes(latitude))) continue;
    const name = decodeURIComponent(url.slice(1));
    const remedy = `exiftool -overwrite_original -gps:all= ${name}`;
    warnings.push(`${name} says where it was taken; remove it: ${remedy}`);
  }
  return warnings;
}

/**
 * Reads the name of a file.
 *
 * @param kinds endings: `mp4`
 * @returns its URL; `''` after a mistake
 */
export function readFile(
  fields: Fields,
  name: string,
  folder: Folder,
  kinds: readonly string[],
): string {
  const written = readLine(fields, name);
  if (written === '') return '';
  const file = `${folder}/${written}`;
  const url = urlOf(file);
  const mistake = mistakeIn(file, kinds, pathOf(fields.files, url));
  if (mistake === undefined) return url;
  note(fields, name, mistake);
  return '';
}

function pathOf(files: SiteFiles, url: string): string | undefined {
  return files.public.get(url) ?? files.gated.get(url);
}

function mistakeIn(file: string, kinds: readonly string[], found?: string): string | undefined {
  const isOfKind = kinds.includes(path.extname(file).slice(1).toLowerCase());
  if (!isOfKind) return `${file} does not end in ${kinds.join(', ')}`;
  if (found === undefined) return `there is no file ${file}; links and hidden files do not count`;
  return isReadable(found)
    ? undefined
    : `${file} cannot be read; make it readable for the service's user`;
}

function isReadable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** Reads the name of a picture. */
export function readPictureFile(fields: Fields, name: string, folder: Folder): string {
  return readFile(fields, name, folder, ['jpg', 'jpeg', 'png', 'svg', 'webp']);
}

/** Reads `{ src, alt }`. */
export function readPicture(fields: Fields, folder: Folder): Picture {
  const isBlank = has(fields, 'alt') && fields.values.alt === '';
  return {
    url: readPictureFile(fields, 'src', folder),
    alt: isBlank ? '' : readLine(fields, 'alt'),
  };
}
