/** Large files, sent from disk in parts as the client reads them, with ranges. */
import type { BigIntStats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { getDefaultHighWaterMark } from 'node:stream';
import { select } from './ranges.ts';
import { CutShort, NOT_FOUND } from './reply.ts';
import type { Handler } from './request.ts';

/**
 * How much of a file is in memory for each client, in bytes. It fills the buffer of a stream, which
 * therefore asks for the next part when this one is written and its memory is free.
 */
const PART = Math.max(64 * 1024, getDefaultHighWaterMark(false));

/**
 * A handler that sends a file of the site's owner. Shared caches must not keep it.
 *
 * @param file its absolute path
 * @param type its Content-Type
 */
export function media(file: string, type: string): Handler {
  return async (request) => {
    const found = await stat(file, { bigint: true }).catch((error: Error) => error);
    if (found instanceof Error || !found.isFile()) {
      console.error(found instanceof Error ? found.message : `${file} is not a file`);
      return NOT_FOUND;
    }
    const size = Number(found.size);
    const etag = etagOf(found);
    // It may not lie in the future (RFC 9110 8.8.2.1).
    const modified = Math.min(Number(found.mtimeNs / 1_000_000n), Date.now());
    const lastModified = new Date(modified).toUTCString();
    const selection = select(request, { size, etag, lastModified });
    const { status } = selection;
    const headers = ['Cache-Control', 'private, no-cache', 'ETag', etag, 'Accept-Ranges', 'bytes'];
    if (status === 416) headers.push('Content-Range', `bytes */${size}`);
    if (!('first' in selection)) return { status, headers, body: '' };
    const { first, last } = selection;
    headers.push('Last-Modified', lastModified, 'Content-Type', type);
    headers.push('Content-Length', String(last - first + 1));
    if (status === 206) headers.push('Content-Range', `bytes ${first}-${last}/${size}`);
    return { status, headers, body: read(file, found, first, last) };
  };
}

/**
 * The bytes from `first` to `last`. If another file replaces this one, the old one is sent to its
 * end. If this one is written to, the reply is cut short.
 */
async function* read(file: string, found: BigIntStats, first: number, last: number) {
  const handle = await open(file);
  try {
    const part = Buffer.allocUnsafeSlow(Math.min(PART, last - first + 1));
    for (let position = first; position <= last; ) {
      const wanted = Math.min(PART, last - position + 1);
      const { bytesRead } = await handle.read(part, 0, wanted, position);
      if (bytesRead === 0 || !isUnchanged(found, await handle.stat({ bigint: true })))
        throw new CutShort(`${file} was changed while it was being sent`);
      position += bytesRead;
      yield part.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

const etagOf = ({ ino, size, mtimeNs }: BigIntStats): string =>
  `"${[ino, size, mtimeNs].map((number) => number.toString(36)).join('-')}"`;

/** The kernel changes ctime with every write, but also with the number of links. */
const isUnchanged = (before: BigIntStats, now: BigIntStats): boolean =>
  etagOf(before) === etagOf(now) && (before.ctimeNs === now.ctimeNs || before.nlink !== now.nlink);
