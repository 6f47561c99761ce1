/** Loads the owner's site as a whole. It knows no request, no session and no store. */
import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import { dataFolder, ExpectedError, root } from '../config.ts';
import { type Content, readContent, warnOfLinks } from './content.ts';
import { listSiteFiles, type SiteFiles, warnOfPositions } from './files.ts';
import { type RenderedPages, renderPages } from './render.ts';
import { themeCss } from './theme.ts';
import { warnOfWords } from './words.ts';

/** A site as it is served. */
export type Site = {
  readonly pages: RenderedPages;
  /** A style sheet for everybody: `/theme.css`. */
  readonly theme: string;
  readonly files: SiteFiles;
  /** What guests would see and the owner may overlook. */
  readonly warnings: readonly string[];
};

export const OWN_SITE = path.join(dataFolder, 'site');
export const SAMPLE_SITE = path.join(root, 'pages/sample');

/** The owner's folder where it exists, else the sample. */
export function siteFolder(): string {
  // A dangling link must stop the start, not fall back to the sample.
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
  const file = path.join(folder, 'content.json');
  const isThere = fs.statSync(file, { throwIfNoEntry: false }) !== undefined;
  if (!isThere) throw new ExpectedError(`${file} is missing`);
  const files = listSiteFiles(folder);
  const content = loadContent(file, files);
  const ownStyles = files.public.has('/public/site.css');
  return {
    pages: renderPages(content, publicOrigin, ownStyles),
    theme: themeCss(content.theme),
    files,
    warnings: [
      ...warnOfLinks(content),
      ...warnOfWords(content.lang, content.words),
      ...warnOfPositions(files),
    ],
  };
}

function loadContent(file: string, files: SiteFiles): Content {
  const mistakes: string[] = [];
  const urls = new Set([...files.public.keys(), ...files.gated.keys()]);
  const content = readContent(readJson(file), { path: '', mistakes, urls });
  if (mistakes.length === 0) return content;
  throw new ExpectedError([`${file}:`, ...mistakes].join('\n  '));
}

function readJson(file: string): unknown {
  const bytes = fs.readFileSync(file);
  if (!isUtf8(bytes)) throw new ExpectedError(`${file}: not in UTF-8; save it in that encoding`);
  // Drops the byte order mark of Windows editors.
  const json = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(json);
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const line = json.slice(0, positionOf(message, json)).split('\n').length;
    throw new ExpectedError(`${file}: line ${line}: ${message.replace(/\s+/g, ' ')}`);
  }
}

/** Where a mistake in JSON is: the parser says where, or quotes ten characters on each side. */
function positionOf(message: string, json: string): number {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  // `Unexpected token 'T', ..."  "title": Talwind,"... is not valid JSON`
  const quoted = /, (?:\.{3})?"([\s\S]*)"(?:\.{3})? is not valid JSON$/.exec(message)?.[1];
  return quoted === undefined ? json.length : json.indexOf(quoted) + 10;
}
