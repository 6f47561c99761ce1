/** Loads the owner's site as a whole. `lib/site` knows no request, no session and no store. */
import fs from 'node:fs';
import path from 'node:path';
import { dataFolder, root } from '../config.ts';
import { readContent } from './content.ts';
import { ContentError } from './field-readers.ts';
import { parseJson } from './json.ts';
import { lettersOf, renderPages, timelineCss } from './render.ts';
import { listSiteFiles, readContentFile } from './site-files.ts';
import { warnOfScripts } from './svg-scripts.ts';
import { themeCss } from './theme.ts';

export type Site = ReturnType<typeof loadSite>;

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
 * Loads a site: its folder as messages show it, pages, files by URL, and warnings.
 * @throws {ContentError} with every mistake
 */
export function loadSite(folder: string, publicOrigin: string) {
  const isSample = folder === SAMPLE_SITE;
  // In an installation as in a checkout.
  const shown = isSample ? 'pages/sample' : folder === OWN_SITE ? 'data/site' : folder;
  try {
    const files = listSiteFiles(folder);
    if (!isSample) warnOfScripts(files);
    const content = readContent(parseJson(readContentFile(folder)), files);
    const theme = content.theme ? [['/public/theme.css', themeCss(content.theme)] as const] : [];
    const timeline = (['desktop', 'mobile'] as const).map(
      (layout) => [`/timeline-${layout}.css`, timelineCss(content, layout)] as const,
    );
    return {
      folder: shown,
      isSample,
      pages: renderPages(content, publicOrigin),
      letters: lettersOf(content, publicOrigin),
      /** Style sheets and files by URL. */
      styles: { public: theme, gated: timeline },
      files: { folder, public: files.public, gated: files.gated },
      /** As the files have them; `visible` shows them on a terminal. */
      warnings: isSample ? [] : Array.from(files.warnings, (line) => path.join(shown, line)),
    };
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    const file = path.join(shown, 'content.json');
    throw new ContentError(error.mistakes.map((mistake) => `${file}: ${mistake}`));
  }
}
