/** Sends files from memory and from disk, with a strong ETag. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { NOT_FOUND } from './reply.ts';
import type { Context, Handler, Request } from './request.ts';

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
  (body: Uint8Array | string, type: string): Handler<Context> => {
    const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
    const headers = ['Cache-Control', cacheControl, 'ETag', etag];
    const whole = { status: 200, headers: [...headers, 'Content-Type', type], body };
    const unchanged = { status: 304, headers, body: '' };
    return ({ request }) => (matchesEtag(request, etag) ? unchanged : whole);
  };

/** Makes handlers that send files from disk, with ranges and backpressure. No link is followed. */
export const diskFile =
  (cacheControl: CacheControl) =>
  (file: string, type: string): Handler<Context> =>
  async ({ request }) => {
    const found = await fs.promises.lstat(file).catch(() => undefined);
    if (!found?.isFile()) {
      console.error(`${file} is no longer a file; put it back, or reload the site without it`);
      return NOT_FOUND;
    }
    const { ino, size, mtimeMs } = found;
    const etag = `"${ino}-${size}-${mtimeMs}"`;
    const { status, first, last } = selectRange(request, size, etag);
    const headers = ['Cache-Control', cacheControl, 'ETag', etag, 'Content-Type', type];
    headers.push('Accept-Ranges', 'bytes');
    if (status === 416) headers.push('Content-Range', `bytes */${size}`);
    if (status === 206) headers.push('Content-Range', `bytes ${first}-${last}/${size}`);
    if (last < first) return { status, headers, body: '' };
    headers.push('Content-Length', String(last - first + 1));
    return { status, headers, body: readPart(file, first, last) };
  };

/** Opens the file when it is read. @throws if the file ends before `last` */
async function* readPart(file: string, first: number, last: number) {
  let position = first;
  for await (const part of fs.createReadStream(file, { start: first, end: last })) {
    position += part.length;
    yield part;
  }
  if (position <= last) throw new Error(`${file} was cut while it was being sent`);
}

/** Evaluates preconditions and a range (RFC 9110 13 and 14). @returns no bytes as `last` -1 */
function selectRange(request: Request, size: number, etag: string) {
  const { 'if-range': current = etag, range = '' } = request.headers;
  const none = { first: 0, last: -1 };
  if (matchesEtag(request, etag)) return { status: 304, ...none };
  const whole = { status: 200, first: 0, last: size - 1 };
  // Several ranges, other units and mistakes are ignored.
  const found = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i.exec(range);
  // Ranges are defined for GET only (RFC 9110 14.2).
  if (!found || request.method !== 'GET' || current !== etag) return whole;
  const [, from, to, suffix] = found;
  const first = Number(from ?? Math.max(0, size - Number(suffix)));
  const last = Number(to || Infinity);
  if (last < first) return whole;
  if (first >= size) return { status: 416, ...none };
  return { status: 206, first, last: Math.min(last, size - 1) };
}

/** Whether If-None-Match has the tag, by weak comparison (RFC 9110 13.1.2). */
const matchesEtag = ({ headers }: Request, etag: string): boolean =>
  (headers['if-none-match'] ?? '')
    .split(',')
    .some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
