/** Loads the owner's site as a whole. `lib/site` knows no request, no session and no store. */
import fs from 'node:fs';
import path from 'node:path';
import { dataFolder, root } from '../config.ts';
import { readContent } from './content.ts';
import { ContentError } from './field-readers.ts';
import { parseJson } from './json.ts';
import type { LetterTexts } from './letter-texts.ts';
import { warnOfPlaces } from './places.ts';
import { type Pages, renderPages, timelineCss } from './render.ts';
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
  /** As the files have them; `visible` shows them on a terminal. */
  readonly warnings: readonly string[];
};

type StyleSheet = readonly [url: string, css: string];

export const OWN_SITE = path.join(dataFolder, 'site');
export const SAMPLE_SITE = path.join(root, 'pages', 'sample');

/** What to say where guests see the sample, for example after a move. */
export const LOST_SITE = `guests see the sample: there is no ${OWN_SITE}; copy it there, and reload`;

/** The owner's folder if there is one, else the sample. @throws {ContentError} if it cannot say */
export function siteFolder(): string {
  try {
    fs.lstatSync(OWN_SITE);
    return OWN_SITE;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return SAMPLE_SITE;
    // For example EACCES. The sample must not replace the owner's site.
    throw new ContentError([`data/ cannot be read (${message}); run this as its owner`]);
  }
}

/**
 * Loads a site.
 *
 * @throws {ContentError} with every mistake
 */
export function loadSite(folder: string, publicOrigin: string): Site {
  const isSample = folder === SAMPLE_SITE;
  // In an installation as in a checkout.
  const shown = isSample ? 'pages/sample' : folder === OWN_SITE ? 'data/site' : folder;
  try {
    const files = listSiteFiles(folder);
    if (!isSample) {
      warnOfScripts(files);
      warnOfPlaces(files);
    }
    const content = readContent(parseJson(readContentFile(folder)), files);
    const theme: StyleSheet[] = [];
    if (content.theme) theme.push(['/public/theme.css', themeCss(content.theme)]);
    const timeline: StyleSheet[] = [
      ['/timeline-desktop.css', timelineCss(content, 'desktop')],
      ['/timeline-mobile.css', timelineCss(content, 'mobile')],
    ];
    const { title, invitation, reminder, subject, reminderSubject } = content;
    const texts = { title, invitation, reminder, subject, reminderSubject };
    const letters = { ...texts, publicOrigin, isSample };
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
      warnings: isSample ? [] : Array.from(files.warnings, (line) => path.join(shown, line)),
    };
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    const file = path.join(shown, 'content.json');
    throw new ContentError(error.mistakes.map((mistake) => `${file}: ${mistake}`));
  }
}
