/**
 * Sends the files of the site's folder from disk, with ranges, backpressure and a strong ETag.
 * Browsers must not run them: no link is followed, and an SVG gets its own policy.
 */
import fs from 'node:fs';
import path from 'node:path';
import { visible } from '../visible.ts';
import { type CacheControl, matchesEtag } from './files.ts';
import { CutReply, NOT_FOUND, StaleReply } from './reply.ts';
import type { Context, Handler, Request } from './request.ts';

/** An SVG can be opened as a document, and the general policy would let it run scripts. */
const SVG_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; " +
  "form-action 'none'; sandbox";

/** `O_NOFOLLOW` refuses a link. `O_NONBLOCK` opens a FIFO without waiting for its writer. */
const OPEN_FLAGS = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK;

/** How much is read at a time, in bytes. */
const PART = 64 * 1024;

/**
 * Makes handlers that send files from disk. The file is opened when its body is read.
 *
 * @param folder of the site; it may be a link, but nothing below it
 */
export const diskFile =
  (cacheControl: CacheControl, folder: string) =>
  (file: string, type: string): Handler<Context> => {
    const components = componentsOf(file, folder);
    return async ({ request }) => {
      const found = await findFile(components);
      if (!found) {
        const remedy = 'put it back, or reload the site without it';
        console.error(`${visible(file)} is no longer a file; ${remedy}`);
        return NOT_FOUND;
      }
      const { ino, mtimeNs } = found;
      const size = Number(found.size);
      const etag = `"${ino}-${size}-${mtimeNs}"`;
      const { status, range } = selectRange(request, size, etag);
      const headers = ['Cache-Control', cacheControl, 'ETag', etag, 'Content-Type', type];
      headers.push('Accept-Ranges', 'bytes');
      // These also go with a 304, because its headers replace the headers that a browser has
      // stored.
      if (type === 'image/svg+xml') headers.push('Content-Security-Policy', SVG_POLICY);
      if (status === 416) headers.push('Content-Range', `bytes */${size}`);
      if (!range) return { status, headers, body: '' };
      const { first, last } = range;
      if (status === 206) headers.push('Content-Range', `bytes ${first}-${last}/${size}`);
      headers.push('Content-Length', String(last - first + 1));
      return { status, headers, body: readRange(file, components, found, range) };
    };
  };

/** The paths of the folders below the site's that lead to a file, and the file's. */
function componentsOf(file: string, folder: string): readonly string[] {
  const names = path.relative(folder, file).split(path.sep);
  return names.map((_, i) => path.join(folder, ...names.slice(0, i + 1)));
}

/**
 * The state of the file at the end of a path; `undefined` if there is no file, or if a part of the
 * path is not a folder, but for example a link.
 */
async function findFile(components: readonly string[]): Promise<fs.BigIntStats | undefined> {
  const pending = components.map((each) => fs.promises.lstat(each, { bigint: true }));
  // If one of them is missing, the file is not found.
  const states = await Promise.all(pending).catch(() => []);
  const file = states.at(-1);
  const folders = states.slice(0, -1);
  if (!file?.isFile()) return undefined;
  return folders.every((each) => each.isDirectory()) ? file : undefined;
}

/**
 * Reads bytes of the file that was found. It is open, so a replacement of the file changes nothing.
 *
 * @throws {StaleReply} before the first part, if it is not the file that was found
 * @throws {CutReply} if the file ends before `last`
 */
async function* readRange(
  file: string,
  components: readonly string[],
  found: fs.BigIntStats,
  { first, last }: ByteRange,
): AsyncGenerator<Uint8Array> {
  const opened = await fs.promises.open(file, OPEN_FLAGS).catch((error: Error) => {
    throw new StaleReply(`${visible(file)} cannot be sent: ${visible(error.message)}`);
  });
  try {
    const openedStats = await opened.stat({ bigint: true });
    // A folder may have become a link after the search and before this open.
    const now = await findFile(components);
    if (!now || !isSameFile(openedStats, found) || !isSameFile(now, found))
      throw new StaleReply(`${visible(file)} was replaced again and again, and was not sent`);
    let position = first;
    while (position <= last) {
      const part = Buffer.allocUnsafe(Math.min(PART, last + 1 - position));
      const { bytesRead } = await opened.read(part, 0, part.length, position);
      if (bytesRead === 0)
        throw new CutReply(`${visible(file)} became shorter while it was being sent`);
      position += bytesRead;
      yield part.subarray(0, bytesRead);
    }
  } finally {
    await opened.close();
  }
}

const isSameFile = (one: fs.BigIntStats, other: fs.BigIntStats): boolean =>
  one.dev === other.dev && one.ino === other.ino;

/** Positions of bytes in a file, both included. */
type ByteRange = {
  readonly first: number;
  readonly last: number;
};

/** The part of a file that is sent. */
type Selection = {
  readonly status: number;
  /** `undefined` if no byte is sent: with 304, with 416, or of an empty file. */
  readonly range: ByteRange | undefined;
};

/**
 * One range of bytes: `bytes=0-99`, `bytes=100-` or `bytes=-100`. Several ranges, as in
 * `bytes=0-9,20-29`, and other units do not match, so the whole file is sent.
 */
const ONE_RANGE = /^bytes=(?:(?<first>\d+)-(?<last>\d*)|-(?<suffix>\d+))$/i;

/** Evaluates preconditions and a range (RFC 9110 13 and 14). */
function selectRange(request: Request, size: number, etag: string): Selection {
  if (matchesEtag(request, etag)) return { status: 304, range: undefined };

  const whole = size === 0 ? undefined : { first: 0, last: size - 1 };
  // Ranges are defined for GET only (RFC 9110 14.2).
  if (request.method !== 'GET') return { status: 200, range: whole };
  const { 'if-range': ifRange, range: asked } = request.headers;
  if (ifRange !== undefined && ifRange !== etag) return { status: 200, range: whole };
  const parts = ONE_RANGE.exec(asked ?? '')?.groups;
  if (!parts) return { status: 200, range: whole };

  if (parts.suffix !== undefined) return lastBytes(Number(parts.suffix), size);
  const first = Number(parts.first);
  const last = parts.last === '' ? Infinity : Number(parts.last);
  if (last < first) return { status: 200, range: whole };
  if (first >= size) return { status: 416, range: undefined };
  return { status: 206, range: { first, last: Math.min(last, size - 1) } };
}

/** Selects the last bytes of a file, or the whole file if it has fewer. */
function lastBytes(count: number, size: number): Selection {
  if (count === 0 || size === 0) return { status: 416, range: undefined };
  return { status: 206, range: { first: Math.max(0, size - count), last: size - 1 } };
}
