/** The files of the site: who may load which, and which photographs tell where they were taken. */
import fs from 'node:fs';
import path from 'node:path';
import { shellCommand } from '../commands.ts';

/**
 * Paths on disk by URL, without links. The folder decides who may load a file: `public` is for
 * everybody.
 */
export type SiteFiles = {
  readonly public: ReadonlyMap<string, string>;
  readonly gated: ReadonlyMap<string, string>;
};

export function listSiteFiles(folder: string): SiteFiles {
  const site = fs.realpathSync(folder);
  return {
    public: listFiles(site, 'public'),
    gated: new Map([...listFiles(site, 'images'), ...listFiles(site, 'media')]),
  };
}

/** The readable files of a folder and its subfolders, without hidden ones and links. */
function listFiles(site: string, name: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const folder = path.join(site, name);
  if (!fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return files;
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const inside = `${name}/${entry.name}`;
    const file = path.join(site, inside);
    if (entry.name.startsWith('.')) continue;
    if (entry.isFile() && isReadable(file))
      for (const url of [urlOf(inside), rawUrlOf(inside)]) files.set(url, file);
    if (entry.isDirectory())
      for (const [url, deeper] of listFiles(site, inside)) files.set(url, deeper);
  }
  return files;
}

function isReadable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of a file as we write it: `/images/a%20b.jpg` for `images/a b.jpg`. */
export function urlOf(name: string): string {
  // macOS may store ü as u and a combining mark.
  return encodeURI(`/${name.normalize()}`).replace(/[?#]/g, encodeURIComponent);
}

/** As a browser sends a name that `site.css` has: it leaves `[`, `]`, `^` and `|` as they are. */
function rawUrlOf(name: string): string {
  return urlOf(name).replace(/%5B|%5D|%5E|%7C/g, decodeURIComponent);
}

/** The file of a URL: `images/a b.jpg`. */
export function nameOf(url: string): string {
  return decodeURIComponent(url.slice(1));
}

/** How the latitude begins in EXIF (tag 2, type 5, three values), in either byte order. */
const LATITUDES = [Buffer.from('0200050003000000', 'hex'), Buffer.from('0002000500000003', 'hex')];

/** A warning for each photograph that says where it was taken, named in content.json or not. */
export function warnOfPositions(files: SiteFiles): readonly string[] {
  // A file may have two URLs.
  const warnings = new Set<string>();
  for (const [url, file] of [...files.public, ...files.gated]) {
    if (!/\.jpe?g$/i.test(file)) continue;
    const photograph = fs.readFileSync(file);
    if (!LATITUDES.some((latitude) => photograph.includes(latitude))) continue;
    const name = nameOf(url);
    const remedy = shellCommand('exiftool', '-overwrite_original', '-gps:all=', name);
    warnings.add(`${name} contains the place where it was taken; remove the place: ${remedy}`);
  }
  return [...warnings];
}
