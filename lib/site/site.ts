/** The owner's site: read, checked and rendered as a whole, at the start and at each reload. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../config.ts';
import { readContent } from './content.ts';
import { findFile, type Kept, type OnDisk, siteFiles } from './files.ts';
import { ContentError } from './reader.ts';
import { type Pages, renderPages, timelineCss } from './render.ts';
import { themeCss } from './theme.ts';

export type Site = {
  /** Its folder, as messages name it. */
  readonly folder: string;
  readonly pages: Pages;
  /** The files that are sent from memory, by URL; all but `/public/…` are gated. */
  readonly files: ReadonlyMap<string, Kept>;
  /** The files that are sent from disk, by URL; gated. */
  readonly media: ReadonlyMap<string, OnDisk>;
  /** Advice, a line each. */
  readonly warnings: readonly string[];
};

/** The folder of the owner's site, which an upgrade does not touch. */
export const OWN = path.join(root, 'data', 'site');

/** The sample that ships with the code. */
export const SAMPLE = path.join(root, 'pages', 'sample');

/** Largest content file, in bytes. */
const LIMIT = 1e6;

/** The owner's folder if there is one, else the sample. */
export function siteFolder(): string {
  try {
    fs.lstatSync(OWN);
  } catch (error) {
    // After any other error, such as EACCES, the sample must not stand in for the owner's site.
    if (/^(ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? '')) return SAMPLE;
  }
  return OWN;
}

/**
 * @param publicOrigin where visitors reach the site, for absolute links
 * @throws {ContentError} with every mistake
 */
export function loadSite(folder: string, publicOrigin: string): Site {
  const shown = folder.startsWith(root) ? folder.slice(root.length) : folder;
  const files = siteFiles(folder);
  try {
    const content = readContent(
      fs.readFileSync(findFile(folder, 'content.json', LIMIT, '')),
      files,
    );
    const sheets = {
      '/public/theme.css': content.theme && themeCss(content.theme),
      '/timeline-content.css': timelineCss(content),
    };
    for (const [url, css] of Object.entries(sheets))
      if (css !== undefined)
        files.kept.set(url, { body: Buffer.from(css), type: 'text/css; charset=utf-8' });
    return {
      folder: shown,
      pages: renderPages(content, publicOrigin),
      files: files.kept,
      media: files.onDisk,
      warnings: [...files.warnings].map((warning) => path.join(shown, warning)),
    };
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    const file = path.join(shown, 'content.json');
    throw new ContentError(error.mistakes.map((mistake) => `${file}: ${mistake}`));
  }
}
