/** Sends files from memory and from disk, with a strong ETag. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { matchesEtag, selectRange } from './ranges.ts';
import { NOT_FOUND } from './reply.ts';
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
type CacheControl = 'no-cache' | 'private, no-cache';

/** Makes handlers that send files from memory. */
export const memoryFile =
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

/** Makes handlers that send files from disk, with ranges and backpressure. No link is followed. */
export const diskFile =
  (cacheControl: CacheControl) =>
  (file: string, type: string): Handler =>
  async (request) => {
    const found = await fs.promises.lstat(file).catch(() => undefined);
    if (!found?.isFile()) {
      console.error(`${file} is no longer a file; put it back, or reload the site without it`);
      return NOT_FOUND;
    }
    const { ino, size, mtimeMs } = found;
    const etag = `"${ino}-${size}-${mtimeMs}"`;
    const selection = selectRange(request, size, etag);
    const { status } = selection;
    const headers = ['Cache-Control', cacheControl, 'ETag', etag, 'Accept-Ranges', 'bytes'];
    if (status === 416) headers.push('Content-Range', `bytes */${size}`);
    if (!('first' in selection)) return { status, headers, body: '' };
    const { first, last } = selection;
    headers.push('Content-Type', type, 'Content-Length', String(last - first + 1));
    if (status === 206) headers.push('Content-Range', `bytes ${first}-${last}/${size}`);
    return { status, headers, body: readPart(file, first, last) };
  };

/** Opens the file when it is read. @throws if the file ends before `last` */
async function* readPart(file: string, first: number, last: number) {
  let position = first;
  // An empty file has no last byte.
  if (last >= first)
    for await (const part of fs.createReadStream(file, { start: first, end: last })) {
      position += part.length;
      yield part;
    }
  if (position <= last) throw new Error(`${file} was cut while it was being sent`);
}
