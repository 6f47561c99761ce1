/** Sends files from memory, with a strong ETag. It also has the Content-Types of all files. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Context, Handler, Request } from './request.ts';

/**
 * Content-Types of the owner's files by extension. Scripts, pages and style sheets are missing on
 * purpose. An SVG can contain a script, so `disk-file.ts` sends it with its own policy.
 */
const SITE_TYPES: Readonly<Record<string, string>> = {
  '.ico': 'image/x-icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.mp4': 'video/mp4',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.vtt': 'text/vtt; charset=utf-8',
  '.webm': 'video/webm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Content-Types of our own files by extension. A file with another extension is not served. */
const PAGE_TYPES: Readonly<Record<string, string>> = {
  ...SITE_TYPES,
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

const UNKNOWN_TYPE = 'application/octet-stream';

/** The Content-Type of a file of `pages/` by its name or URL. */
export const typeOfPageFile = (name: string): string =>
  PAGE_TYPES[extensionOf(name)] ?? UNKNOWN_TYPE;

/** The Content-Type of a file of the owner's site by its name or URL. */
export const typeOfSiteFile = (name: string): string =>
  SITE_TYPES[extensionOf(name)] ?? UNKNOWN_TYPE;

const extensionOf = (name: string): string => path.extname(name).toLowerCase();

/**
 * Reads the files of a folder and its subfolders, by URL. Templates and sources are left out.
 *
 * @param urlOfFolder with a slash at its end: `/svcops/`
 */
export const readFolder = (
  folder: string,
  urlOfFolder: string,
): readonly (readonly [string, Buffer])[] =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => extensionOf(name) in PAGE_TYPES)
    .sort()
    .map((name) => [urlOfFolder + name, fs.readFileSync(path.join(folder, name))]);

/** Files of an audience are `private`, so shared caches must not store them. */
export type CacheControl = 'no-cache' | 'private, no-cache';

/** Makes handlers that send files from memory. */
export const memoryFile =
  (cacheControl: CacheControl) =>
  (body: Uint8Array | string, type: string): Handler<Context> => {
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    const headers = ['Cache-Control', cacheControl, 'ETag', etag];
    const whole = { status: 200, headers: [...headers, 'Content-Type', type], body };
    const unchanged = { status: 304, headers, body: '' };
    return ({ request }) => (matchesEtag(request, etag) ? unchanged : whole);
  };

/** Whether If-None-Match has the tag, by weak comparison (RFC 9110 13.1.2). */
export function matchesEtag({ headers }: Request, etag: string): boolean {
  const tags = headers['if-none-match'];
  if (tags === undefined) return false;
  for (const part of tags.split(',')) {
    const tag = part.trim();
    if (tag === '*' || tag === etag || tag === `W/${etag}`) return true;
  }
  return false;
}
