/** Sends large files from disk, with ranges and backpressure. */
import { type BigIntStats, constants, fstatSync } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { selectRange } from './ranges.ts';
import { NOT_FOUND, TruncatedReply } from './reply.ts';
import type { Handler } from './request.ts';

/** Memory for each client, in bytes. */
const PART = 64 * 1024;

/**
 * A handler that sends a file, which shared caches must not keep. If another file replaces it, the
 * old one is sent to its end. If its content changes, the reply is truncated.
 *
 * @param file its real path; no link is followed
 */
export function mediaFile(file: string, type: string): Handler {
  return async (request) => {
    const found = await inTurn(() => lstat(file, { bigint: true }).catch(() => undefined));
    if (!found?.isFile()) {
      console.error(`${file} is no longer a file; put it back, or reload the site without it`);
      return NOT_FOUND;
    }
    const [size, etag] = [Number(found.size), etagOf(found)];
    // Not in the future (RFC 9110 8.8.2.1).
    const lastModified = new Date(Math.min(Number(found.mtimeMs), Date.now())).toUTCString();
    const selection = selectRange(request, { size, etag, lastModified });
    const { status } = selection;
    const headers = ['Cache-Control', 'private, no-cache', 'ETag', etag, 'Accept-Ranges', 'bytes'];
    if (status === 416) headers.push('Content-Range', `bytes */${size}`);
    if (!('first' in selection)) return { status, headers, body: '' };
    const { first, last } = selection;
    headers.push('Last-Modified', lastModified, 'Content-Type', type);
    headers.push('Content-Length', String(last - first + 1));
    if (status === 206) headers.push('Content-Range', `bytes ${first}-${last}/${size}`);
    return { status, headers, body: read(), isResumable: true };

    async function* read() {
      // O_NONBLOCK: opening a pipe that has replaced the file would wait for a writer.
      const handle = await inTurn(() => open(file, constants.O_RDONLY | constants.O_NONBLOCK));
      try {
        for (let position = first; position <= last; ) {
          const part = Buffer.allocUnsafeSlow(Math.min(PART, last - position + 1));
          const { bytesRead } = await inTurn(() => handle.read(part, 0, part.length, position));
          // fstat of an open file does not wait for the disk.
          if (bytesRead === 0 || etagOf(fstatSync(handle.fd, { bigint: true })) !== etag)
            throw new TruncatedReply(`${file} was changed while it was being sent`);
          position += bytesRead;
          yield part.subarray(0, bytesRead);
        }
      } finally {
        await inTurn(() => handle.close());
      }
    }
  };
}

const etagOf = ({ ino, size, mtimeNs }: BigIntStats): string =>
  `"${[ino, size, mtimeNs].map((n) => n.toString(36)).join('-')}"`;

/** Two jobs run at a time, because libuv's four threads also sync the store. */
const lanes: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];

function inTurn<T>(job: () => Promise<T>): Promise<T> {
  const done = Promise.resolve(lanes.shift()).then(job, job);
  lanes.push(done);
  return done;
}
