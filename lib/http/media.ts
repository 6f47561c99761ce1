/** Large files, sent from disk in parts as the client reads them, with ranges. */
import { type BigIntStats, constants, fstatSync } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { select } from './ranges.ts';
import { CutShort, NOT_FOUND } from './reply.ts';
import type { Handler } from './request.ts';

/** How much of a file is in memory for each client, in bytes. */
const PART = 64 * 1024;

/** Memory for parts, to be used again: the garbage collector would leave a lot of it unused. */
const spare: Buffer[] = [];
const MOST_SPARE = 100;

/**
 * A handler that sends a file of the site's owner. Shared caches must not keep it.
 *
 * @param file its real path; no link is followed
 * @param type its Content-Type
 */
export function media(file: string, type: string): Handler {
  return async (request) => {
    const found = await lstat(file, { bigint: true }).catch(() => undefined);
    if (!found?.isFile()) {
      console.error(`${file} is no longer a file; put it back, or reload the site without it`);
      return NOT_FOUND;
    }
    const size = Number(found.size);
    const etag = `"${[found.ino, size, found.mtimeNs].map((n) => n.toString(36)).join('-')}"`;
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
  // The open of a pipe, which may stand in its place by now, would wait for a writer.
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const part = spare.pop() ?? Buffer.allocUnsafeSlow(PART);
  try {
    for (let position = first; position <= last; ) {
      const wanted = Math.min(PART, last - position + 1);
      const { bytesRead } = await inTurn(() => handle.read(part, 0, wanted, position));
      // Of an open file, this does not wait for the disk.
      if (bytesRead === 0 || !isUnchanged(found, fstatSync(handle.fd, { bigint: true })))
        throw new CutShort(`${file} was changed while it was being sent`);
      position += bytesRead;
      yield part.subarray(0, bytesRead);
    }
  } finally {
    if (spare.length < MOST_SPARE) spare.push(part);
    await handle.close();
  }
}

/** The kernel changes ctime with every write, but also with the number of links. */
const isUnchanged = (before: BigIntStats, now: BigIntStats): boolean =>
  now.ino === before.ino &&
  now.size === before.size &&
  now.mtimeNs === before.mtimeNs &&
  (now.ctimeNs === before.ctimeNs || now.nlink !== before.nlink);

/**
 * How many parts are read at a time. Others wait here and not for libuv, whose threads also sync the
 * store, and the event loop answers requests between them.
 */
const READS = 2;
let reading = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(job: () => Promise<T>): Promise<T> {
  if (reading === READS) await new Promise<void>((resolve) => waiting.push(resolve));
  else reading += 1;
  try {
    return await job();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else reading -= 1;
  }
}
