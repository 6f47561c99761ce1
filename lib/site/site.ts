/** Loads the owner's site as a whole. It knows no request, no session and no store. */
import fs from 'node:fs';
import path from 'node:path';
import { dataFolder, ExpectedError, root } from '../config.ts';
import { type Content, readContent } from './content.ts';
import { listSiteFiles, type SiteFiles, warnOfPositions } from './files.ts';
import { type RenderedPages, renderPages } from './render.ts';
import { themeCss } from './theme.ts';

/** A site as it is served. */
export type Site = {
  readonly pages: RenderedPages;
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
  const files = listSiteFiles(folder);
  const content = loadContent(path.join(folder, 'content.json'), files);
  const theme = themeCss(content.theme, content.title);
  const own = files.public.has(OWN_STYLES) ? [OWN_STYLES] : [];
  return {
    pages: renderPages(content, publicOrigin, [MADE_STYLES, ...own]),
    styles: new Map([[MADE_STYLES, theme]]),
    files,
    warnings: warnOfPositions(files),
  };
}

function loadContent(file: string, files: SiteFiles): Content {
  const mistakes: string[] = [];
  const urls = new Set([...files.public.keys(), ...files.gated.keys()]);
  const content = readContent(readJson(file), { path: '', mistakes, urls });
  if (mistakes.length === 0) return content;
  throw new ExpectedError(mistakes.map((mistake) => `${file}: ${mistake}`).join('\n'));
}

function readJson(file: string): unknown {
  // Editors of Windows may put a byte order mark at the beginning.
  const json = fs.readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  try {
    return JSON.parse(json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const message = error.message.replace(/ at position (\d+).*/, (_, position) => {
      const line = json.slice(0, Number(position)).split('\n').length;
      return `, line ${line}`;
    });
    throw new ExpectedError(`${file}: ${message}`);
  }
}
