/** Sends files from disk, with ranges and backpressure. */
import { type BigIntStats, createReadStream } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { selectRange } from './ranges.ts';
import { NOT_FOUND } from './reply.ts';
import type { Handler } from './request.ts';
import type { CacheControl } from './static-files.ts';

/** Makes handlers that send a file as it is on disk. No link is followed. */
export const diskFile =
  (cacheControl: CacheControl) =>
  (file: string, type: string): Handler =>
  async (request) => {
    const found = await lstat(file, { bigint: true }).catch(() => undefined);
    if (!found?.isFile()) {
      console.error(`${file} is no longer a file; put it back, or reload the site without it`);
      return NOT_FOUND;
    }
    const [size, etag] = [Number(found.size), etagOf(found)];
    // Not in the future (RFC 9110 8.8.2.1).
    const lastModified = new Date(Math.min(Number(found.mtimeMs), Date.now())).toUTCString();
    const selection = selectRange(request, { size, etag, lastModified });
    const { status } = selection;
    const headers = ['Cache-Control', cacheControl, 'ETag', etag, 'Accept-Ranges', 'bytes'];
    if (status === 416) headers.push('Content-Range', `bytes */${size}`);
    if (!('first' in selection)) return { status, headers, body: '' };
    const { first, last } = selection;
    headers.push('Last-Modified', lastModified, 'Content-Type', type);
    headers.push('Content-Length', String(last - first + 1));
    if (status === 206) headers.push('Content-Range', `bytes ${first}-${last}/${size}`);
    return { status, headers, body: readPart(file, first, last) };
  };

/** Opens the file when it is read. @throws if the file ends before `last` */
async function* readPart(file: string, first: number, last: number) {
  let position = first;
  // An empty file has no last byte.
  if (last >= first)
    for await (const part of createReadStream(file, { start: first, end: last })) {
      position += part.length;
      yield part;
    }
  if (position <= last) throw new Error(`${file} was cut while it was being sent`);
}

const etagOf = ({ ino, size, mtimeNs }: BigIntStats): string =>
  `"${[ino, size, mtimeNs].map((n) => n.toString(36)).join('-')}"`;
