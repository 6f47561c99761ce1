/** Files that are read at the start: sent with a strong ETag, revalidated with 304. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { hasTag } from './ranges.ts';
import type { Handler } from './request.ts';

/** A file and its Content-Type. */
export type File = { readonly body: Uint8Array; readonly type: string };

/** Content-Types by extension. Other files, such as templates and sources, are not served. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** The files of a folder, and of the folders in it, that can be served: by their URL below `at`. */
export function readFiles(folder: string, at: string): readonly (readonly [string, File])[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .flatMap((name) => {
      const type = TYPES[path.extname(name).toLowerCase()];
      return type ? [[at + name, { body: fs.readFileSync(path.join(folder, name)), type }]] : [];
    });
}

/** A handler that sends a file. A `private` file is gated, so shared caches must not store it. */
export function asset({ body, type }: File, visibility: 'public' | 'private'): Handler {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const cacheControl = visibility === 'public' ? 'no-cache' : 'private, no-cache';
  const headers = ['Cache-Control', cacheControl, 'ETag', etag];
  const whole = { status: 200, headers: [...headers, 'Content-Type', type], body };
  const unchanged = { status: 304, headers, body: '' };
  return ({ headers: { 'if-none-match': known = '' } }) =>
    hasTag(known, '*', etag, `W/${etag}`) ? unchanged : whole;
}
