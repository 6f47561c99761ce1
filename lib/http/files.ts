/** Sends files: those of the pages from memory, the owner's from disk and in ranges. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { NOT_FOUND, type Reply, reply } from './reply.ts';
import type { Request } from './request.ts';
import type { Handler } from './router.ts';

/** For every cache, or for the visitor's browser only. Both ask the server each time. */
export type CacheControl = 'no-cache' | 'private, no-cache';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.vtt': 'text/vtt; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.mp3': 'audio/mpeg',
  '.pdf': 'application/pdf',
  '.woff2': 'font/woff2',
};

const BYTES = 'application/octet-stream';

/** An SVG may hold scripts, which must not run as the site when it is opened as a page. */
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

const typeOf = (name: string): string => TYPES[path.extname(name).toLowerCase()] ?? BYTES;

/** Sends bytes from memory. @param name decides the type */
export function memoryFile(name: string, bytes: Buffer, cacheControl: CacheControl): Handler {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  const headers = ['Cache-Control', cacheControl, 'ETag', etag];
  const whole = ['Content-Type', typeOf(name), ...headers];
  const file = reply(200, whole, bytes, bytes.length);
  const unchanged = reply(304, headers, '', bytes.length);
  return (request) => (hasVersion(request, etag) ? unchanged : file);
}

/**
 * Sends a file of the owner's site. The owner may replace it at any time.
 *
 * @param file its path, without links
 */
export function diskFile(file: string, cacheControl: CacheControl): Handler {
  return (request) => {
    const state = stateOf(file);
    return state ? fileReply(request, file, state, cacheControl) : NOT_FOUND;
  };
}

/** `undefined` for what is missing, not readable, or behind a link. */
function stateOf(file: string): fs.Stats | undefined {
  try {
    fs.accessSync(file, fs.constants.R_OK);
    if (fs.realpathSync.native(file) !== file) return undefined;
    const state = fs.statSync(file);
    return state.isFile() ? state : undefined;
  } catch {
    return undefined;
  }
}

function fileReply(
  request: Request,
  file: string,
  { size, mtimeMs }: fs.Stats,
  cacheControl: CacheControl,
): Reply {
  // A file of the owner's is content, never a program.
  const type = /\.js$/i.test(file) ? BYTES : typeOf(file);
  const policy = type === 'image/svg+xml' ? SVG_POLICY : undefined;
  const etag = `"${size}-${mtimeMs}"`;
  const headers = ['Cache-Control', cacheControl, 'ETag', etag, 'Accept-Ranges', 'bytes'];
  if (hasVersion(request, etag)) return reply(304, headers, '', size, policy);

  const range = readRange(request, size, etag);
  if (range === 'outside')
    return reply(416, [...headers, 'Content-Range', `bytes */${size}`], '', 0, policy);
  const { start, end } = range ?? { start: 0, end: size - 1 };
  const length = end - start + 1;
  headers.push('Content-Type', type);
  if (range) headers.push('Content-Range', `bytes ${start}-${end}/${size}`);
  const isEmpty = request.method === 'HEAD' || length === 0;
  const body = isEmpty ? '' : () => fs.createReadStream(file, { start, end });
  return reply(range ? 206 : 200, headers, body, length, policy);
}

/** In bytes; both ends are included. */
type Range = { readonly start: number; readonly end: number };

/** `undefined` means the whole file, as for several ranges and other units (RFC 9110, 14). */
function readRange(
  { method, headers }: Request,
  size: number,
  etag: string,
): Range | 'outside' | undefined {
  const { range = '', 'if-range': version } = headers;
  // `bytes=0-499`, `bytes=500-` and `bytes=-500`, but not `bytes=0-1,5-6`
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(range) ?? [];
  const isStale = version !== undefined && version !== etag;
  if (method !== 'GET' || isStale || (first === '' && last === '')) return undefined;
  const isBackwards = first !== '' && last !== '' && Number(last) < Number(first);
  if (isBackwards) return undefined;
  // Without a first byte, the last ones are wanted.
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start <= end ? { start, end } : 'outside';
}

/** Whether the client has this version of a file (RFC 9110, 13.1.2). */
function hasVersion({ headers }: Request, etag: string): boolean {
  const tags = (headers['if-none-match'] ?? '').split(',');
  return tags.some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
