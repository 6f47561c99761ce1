/** Sends files from memory, with a strong ETag, and knows the Content-Types of files. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Context, Handler, Request } from './request.ts';

/** Content-Types of content by extension. None of them is run or styles a page, but that of SVG. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.ico': 'image/x-icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.mp4': 'video/mp4',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.vtt': 'text/vtt; charset=utf-8',
  '.webm': 'video/webm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Content-Types by extension. Of our own files, only those with these extensions are served. */
const TYPES: Readonly<Record<string, string>> = {
  ...CONTENT_TYPES,
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

const UNKNOWN_TYPE = 'application/octet-stream';

/** The Content-Type of one of our own files by its name or URL. */
export const mediaType = (name: string): string => TYPES[extensionOf(name)] ?? UNKNOWN_TYPE;

/** The Content-Type of a file of the owner's by its name or URL. Programs and pages have none. */
export const contentType = (name: string): string =>
  CONTENT_TYPES[extensionOf(name)] ?? UNKNOWN_TYPE;

const extensionOf = (name: string): string => path.extname(name).toLowerCase();

/** Reads the files of a folder, recursively, by URL. Templates and sources are left out. */
export const readFolder = (folder: string, at: string): readonly (readonly [string, Buffer])[] =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => extensionOf(name) in TYPES)
    .sort()
    .map((name) => [at + name, fs.readFileSync(path.join(folder, name))]);

/** Shared caches must not store `private` files. */
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
  const asked = headers['if-none-match'];
  if (asked === undefined) return false;
  for (const each of asked.split(',')) {
    const tag = each.trim();
    if (tag === '*' || tag === etag || tag === `W/${etag}`) return true;
  }
  return false;
}
