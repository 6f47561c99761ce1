/** Loads the owner's site as a whole. `lib/site` knows no request, no session and no store. */
import fs from 'node:fs';
import path from 'node:path';
import { dataFolder, describeLostLink, root } from '../config.ts';
import { visible } from '../visible.ts';
import { type Content, readContent } from './content.ts';
import { ContentError, type SiteFiles, withoutSoftHyphens } from './field-readers.ts';
import { decodeJson, parseJson } from './json.ts';
import type { LetterTexts } from './letter-texts.ts';
import { warnOfPlaces } from './places.ts';
import { type Pages, renderPages, timelineCss } from './render.ts';
import { findRepeatedKeys } from './repeated-keys.ts';
import { listSiteFiles, readContentFile } from './site-files.ts';
import { warnOfScripts } from './svg-scripts.ts';
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
    /** The owner's icons that are at the root of the site. */
    readonly icons: ReadonlyMap<string, string>;
  };
  /** As the files have them; `showWarning` is for a terminal. */
  readonly warnings: readonly string[];
};

/** A warning as a check, a start and a reload print it. */
export const showWarning = (warning: string): string => `warning: ${visible(warning)}`;

type StyleSheet = readonly [url: string, css: string];

export const OWN_SITE = path.join(dataFolder, 'site');
export const SAMPLE_SITE = path.join(root, 'pages', 'sample');

/** What to say where guests see the sample, for example after a move. */
export const LOST_SITE = `guests see the sample: there is no ${OWN_SITE}; copy it there, and reload`;

/** The owner's folder if there is one, else the sample. @throws {ContentError} if it cannot say */
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
    // For example EACCES. The sample must not replace the owner's site.
    throw new ContentError([`data/ cannot be read (${message}); run this as its owner`]);
  }
}

/** A site's folder as messages name it: in an installation as in a checkout. */
function nameOfFolder(folder: string): string {
  if (folder === SAMPLE_SITE) return 'pages/sample';
  return folder === OWN_SITE ? 'data/site' : folder;
}

/**
 * Loads a site.
 *
 * @param use what `site check` alone says, a start does not
 * @throws {ContentError} with every mistake
 */
export function loadSite(
  folder: string,
  publicOrigin: string,
  use: 'start' | 'check' = 'start',
): Site {
  const isSample = folder === SAMPLE_SITE;
  const shown = nameOfFolder(folder);
  try {
    const files = listSiteFiles(folder);
    if (!isSample) {
      warnOfScripts(files);
      warnOfPlaces(files);
    }
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
      // `path.join` of the whole line would take a slash out of the addresses in it.
      warnings: isSample ? [] : Array.from(files.warnings, (line) => path.join(shown, '/') + line),
    };
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    const file = path.join(shown, 'content.json');
    throw new ContentError(error.mistakes.map((mistake) => `${file}: ${mistake}`));
  }
}

/**
 * Reads the content. A field that is written twice is a mistake of a check, and a warning of a
 * start, because an update must not stop a site that runs.
 */
function readContentOf(folder: string, files: SiteFiles, use: 'start' | 'check'): Content {
  const file = readContentFile(folder);
  const written = parseJson(file);
  const repeated = findRepeatedKeys(decodeJson(file)).map(
    ({ name, line }) => `line ${line}: "${name}" is written twice; only the last one counts`,
  );
  if (use === 'start') {
    for (const each of repeated) files.warnings.add(`content.json: ${each}`);
    return readContent(written, files);
  }
  const mistakes = [...repeated];
  try {
    const content = readContent(written, files);
    if (mistakes.length === 0) return content;
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    mistakes.push(...error.mistakes);
  }
  throw new ContentError(mistakes);
}

/** Warns of files that everybody can load, though no field names them. */
function warnOfUnnamed(content: Content, files: SiteFiles): void {
  const named = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') named.add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  collect(content.theme);
  for (const url of files.public.keys()) {
    const name = decodeURIComponent(url).slice(1);
    const remedy = 'no field names it; if it is not for everybody, move it out of public/';
    if (!named.has(url)) files.warnings.add(`${name} is public, but ${remedy}`);
  }
}
