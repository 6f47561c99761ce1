/** Loads the owner's site as a whole. `lib/site` knows no request, no session and no store. */
import fs from 'node:fs';
import path from 'node:path';
import { dataFolder, describeLostLink, root } from '../config.ts';
import { visible } from '../visible.ts';
import { type Content, readContent } from './content.ts';
import { ContentError, type SiteFiles, withoutSoftHyphens } from './field-readers.ts';
import { decodeJson, parseJson } from './json.ts';
import type { LetterTexts } from './letter-texts.ts';
import { type Pages, renderPages, timelineCss } from './render.ts';
import { findRepeatedKeys } from './repeated-keys.ts';
import { listSiteFiles, readContentFile } from './site-files.ts';
import { iconsOf, themeCss } from './theme.ts';

/** A site as it is served. */
export type Site = {
  /** The folder as messages show it: `data/site`. */
  readonly folder: string;
  readonly isSample: boolean;
  readonly pages: Pages;
  readonly letters: LetterTexts;
  /** Style sheets by URL. */
  readonly styles: {
    readonly public: readonly StyleSheet[];
    readonly gated: readonly StyleSheet[];
  };
  /** The folder, and the paths of its files by URL. */
  readonly files: {
    readonly folder: string;
    readonly public: ReadonlyMap<string, string>;
    readonly gated: ReadonlyMap<string, string>;
    /** The owner's icons at the root of the site. */
    readonly icons: ReadonlyMap<string, string>;
  };
  /** Warnings as they are, with raw names of files. `showWarning` prepares them for a terminal. */
  readonly warnings: readonly string[];
};

/** A warning in the form that a check, a start and a reload print. */
export const showWarning = (warning: string): string => `warning: ${visible(warning)}`;

type StyleSheet = readonly [url: string, css: string];

export const OWN_SITE = path.join(dataFolder, 'site');
export const SAMPLE_SITE = path.join(root, 'pages', 'sample');

/** A warning while guests see the sample, for example after a move. */
export const LOST_SITE = `guests see the sample: there is no ${OWN_SITE}; copy it there, and reload`;

/**
 * The owner's folder if there is one, else the sample.
 *
 * @throws {ContentError} if that is not known
 */
export function siteFolder(): string {
  try {
    const lost = describeLostLink(dataFolder) ?? describeLostLink(OWN_SITE);
    if (lost !== undefined) throw new ContentError([lost]);
    fs.lstatSync(OWN_SITE);
    return OWN_SITE;
  } catch (error) {
    if (error instanceof ContentError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return SAMPLE_SITE;
    // For example EACCES. The sample must not replace the owner's site because of an error.
    throw new ContentError([`data/ cannot be read (${message}); run this as its owner`]);
  }
}

/** The name of a site's folder in messages. It is the same in an installation and in a checkout. */
function nameOfFolder(folder: string): string {
  if (folder === SAMPLE_SITE) return 'pages/sample';
  return folder === OWN_SITE ? 'data/site' : folder;
}

/**
 * Loads a site.
 *
 * @param use `site check` says more than a start
 * @param examine adds what it finds in the owner's files to their warnings and faults
 * @throws {ContentError} with every mistake
 */
export function loadSite(
  folder: string,
  publicOrigin: string,
  use: 'start' | 'check' = 'start',
  examine: (files: SiteFiles) => void = () => undefined,
): Site {
  const isSample = folder === SAMPLE_SITE;
  const shown = nameOfFolder(folder);
  try {
    const files = listSiteFiles(folder);
    if (!isSample) examine(files);
    const content = readContentOf(folder, files, use);
    if (use === 'check') warnOfUnnamed(content, files);
    const theme: StyleSheet[] = [];
    if (content.theme) theme.push(['/public/theme.css', themeCss(content.theme)]);
    const timeline: StyleSheet[] = [
      ['/timeline-desktop.css', timelineCss(content, 'desktop')],
      ['/timeline-mobile.css', timelineCss(content, 'mobile')],
    ];
    const letters: LetterTexts = {
      title: withoutSoftHyphens(content.title),
      isSample,
      publicOrigin,
      invitation: withoutSoftHyphens(content.invitation),
      reminder: withoutSoftHyphens(content.reminder),
      subject: withoutSoftHyphens(content.subject),
      reminderSubject: withoutSoftHyphens(content.reminderSubject),
    };
    return {
      folder: shown,
      isSample,
      pages: renderPages(content, letters),
      letters,
      styles: { public: theme, gated: timeline },
      files: {
        folder,
        public: files.public,
        gated: files.gated,
        icons: iconsOf(files, content.theme),
      },
      // `path.join` for the whole line would remove a slash from the addresses in it.
      warnings: isSample ? [] : Array.from(files.warnings, (line) => path.join(shown, '/') + line),
    };
  } catch (error) {
    const { syscall, message } = error as NodeJS.ErrnoException;
    // For example, a file vanished after it was listed.
    if (syscall !== undefined) throw new ContentError([`${shown} cannot be read (${message})`]);
    if (!(error instanceof ContentError)) throw error;
    const file = path.join(shown, 'content.json');
    throw new ContentError(error.mistakes.map((mistake) => `${file}: ${mistake}`));
  }
}

/**
 * Reads the content. A field that is written twice is a mistake in a check, but only a warning at a
 * start, because an update must not stop a running site.
 */
function readContentOf(folder: string, files: SiteFiles, use: 'start' | 'check'): Content {
  const file = readContentFile(folder);
  const written = parseJson(file);
  const repeated = findRepeatedKeys(decodeJson(file));
  if (use === 'check' && repeated.length > 0) throw new ContentError(repeated);
  for (const each of repeated) files.warnings.add(`content.json: ${each}`);
  return readContent(written, files);
}

/** Warns of files that everybody can load although no field names them. */
function warnOfUnnamed(content: Content, files: SiteFiles): void {
  const named = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') named.add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  collect(content.theme);
  // Icons also count by their names.
  const icons = new Set(iconsOf(files, content.theme).values());
  for (const [url, file] of files.public) {
    const name = decodeURIComponent(url).slice(1);
    const remedy = 'no field names it; if it is not for everybody, move it out of public/';
    if (!named.has(url) && !icons.has(file)) files.warnings.add(`${name} is public, but ${remedy}`);
  }
}
