/** Files in memory, sent with a strong ETag and revalidated with 304. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { matchesEtag } from './ranges.ts';
import type { Handler } from './request.ts';

/** Content-Types by extension. Of our own files, only those with these extensions are served. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.mp4': 'video/mp4',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.vtt': 'text/vtt; charset=utf-8',
  '.webm': 'video/webm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** The Content-Type of a file by its name or URL; `undefined` for other files. */
export const mediaType = (name: string): string | undefined =>
  TYPES[path.extname(name).toLowerCase()];

/** Reads the files of a folder, recursively, by URL. Templates and sources are left out. */
export const readFolder = (folder: string, at: string): readonly (readonly [string, Buffer])[] =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(mediaType)
    .sort()
    .map((name) => [at + name, fs.readFileSync(path.join(folder, name))]);

/** Shared caches must not store `private` files. */
export type CacheControl = 'no-cache' | 'private, no-cache';

/** Makes handlers that send files from memory. */
export const staticFile =
  (cacheControl: CacheControl) =>
  (body: Uint8Array | string, type: string): Handler => {
    // 132 of the 256 bits.
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    const headers = ['Cache-Control', cacheControl, 'ETag', etag];
    const whole = { status: 200, headers: [...headers, 'Content-Type', type], body };
    const unchanged = { status: 304, headers, body: '' };
    return ({ headers: { 'if-none-match': known = '' } }) =>
      matchesEtag(known, etag) ? unchanged : whole;
  };
