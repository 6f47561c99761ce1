/** Loads the owner's site as a whole. It knows no request, no session and no store. */
import fs from 'node:fs';
import path from 'node:path';
import { dataFolder, ExpectedError, root } from '../config.ts';
import { type Content, readContent } from './content.ts';
import { type Pages, renderPages } from './render.ts';
import { listSiteFiles, type SiteFiles, warnOfPositions } from './site-files.ts';
import { themeCss } from './theme.ts';

/** A site as it is served. */
export type Site = {
  readonly pages: Pages;
  /** The style sheets that are made of the theme, by URL. They are for everybody. */
  readonly styles: ReadonlyMap<string, string>;
  readonly files: SiteFiles;
  readonly warnings: readonly string[];
};

export const OWN_SITE = path.join(dataFolder, 'site');
export const SAMPLE_SITE = path.join(root, 'pages/sample');

/** The style sheet that is made, and the owner's own. */
const MADE_STYLES = '/theme.css';
const OWN_STYLES = '/public/site.css';

/** The owner's folder where it exists, else the sample. */
export function siteFolder(): string {
  // A dangling link must fail the start, and not fall back to the sample.
  const state = fs.lstatSync(OWN_SITE, { throwIfNoEntry: false });
  return state === undefined ? SAMPLE_SITE : OWN_SITE;
}

/**
 * Loads a site.
 *
 * @param publicOrigin `https://preview.example.com`
 * @throws {ExpectedError} with a line for each mistake
 */
export function loadSite(folder: string, publicOrigin: string): Site {
  try {
    return makeSite(folder, publicOrigin);
  } catch (error) {
    // For example EACCES.
    if (error instanceof Error && 'syscall' in error)
      throw new ExpectedError(`the site in ${folder} cannot be read (${error.message})`);
    throw error;
  }
}

function makeSite(folder: string, publicOrigin: string): Site {
  const files = listSiteFiles(folder);
  const content = contentOf(folder, files);
  const theme = themeCss(content.theme, content.title);
  const own = files.public.has(OWN_STYLES) ? [OWN_STYLES] : [];
  return {
    pages: renderPages(content, publicOrigin, [MADE_STYLES, ...own]),
    styles: new Map([[MADE_STYLES, theme]]),
    files,
    warnings: warnOfPositions(files),
  };
}

function contentOf(folder: string, files: SiteFiles): Content {
  const file = path.join(folder, 'content.json');
  const mistakes: string[] = [];
  const content = readContent(readJson(file), { files, mistakes });
  if (mistakes.length === 0) return content;
  throw new ExpectedError(mistakes.map((mistake) => `${file}: ${mistake}`).join('\n'));
}

function readJson(file: string): unknown {
  // Editors of Windows may put a byte order mark at the beginning.
  const json = fs.readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  try {
    return JSON.parse(json);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const line = json.slice(0, placeOf(message, json)).split('\n').length;
    throw new ExpectedError(`${file}: line ${line}: ${message.replace(/\s+/g, ' ')}`);
  }
}

/** Where a mistake in JSON is: the parser says where, or quotes ten characters on each side. */
function placeOf(message: string, json: string): number {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  // `Unexpected token 'T', ..."  "title": Talwind,"... is not valid JSON`
  const quoted = /, (?:\.{3})?"([\s\S]*)"(?:\.{3})? is not valid JSON$/.exec(message)?.[1];
  return quoted === undefined ? json.length : json.indexOf(quoted) + 10;
}
