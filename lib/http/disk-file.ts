/**
 * Sends the files of the site's folder from disk: with ranges, backpressure and a strong ETag. They
 * are content, never program: no link is followed, and an SVG gets a policy of its own.
 */
import fs from 'node:fs';
import path from 'node:path';
import { visible } from '../visible.ts';
import { type CacheControl, matchesEtag } from './files.ts';
import { NOT_FOUND, StaleReply } from './reply.ts';
import type { Context, Handler, Request } from './request.ts';

/** An SVG that is opened by itself is a document, which the general policy would let run scripts. */
const SVG_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; " +
  "form-action 'none'; sandbox";

/** A link is not followed. The open of a FIFO does not wait for a writer. */
const OPEN_FLAGS = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK;

/** The most that is read at once, in bytes. */
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
      // Also with 304, whose headers replace those that a browser has stored.
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
 * The state of the file at the end of a path; `undefined` without a file there, or if a component
 * before it is a link or anything else that is no folder.
 */
async function findFile(components: readonly string[]): Promise<fs.BigIntStats | undefined> {
  const pending = components.map((each) => fs.promises.lstat(each, { bigint: true }));
  const folders = await Promise.all(pending).catch(() => []);
  const file = folders.pop();
  if (!file?.isFile()) return undefined;
  return folders.every((each) => each.isDirectory()) ? file : undefined;
}

/**
 * Reads bytes of the file that was found, as it was opened, even if it is replaced meanwhile.
 *
 * @throws {StaleReply} before the first part, if it is not the file that was found
 * @throws if the file ends before `last`
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
    // A folder may have become a link between the search and the open.
    const now = await findFile(components);
    if (!now || !isSameFile(openedStats, found) || !isSameFile(now, found))
      throw new StaleReply(`${visible(file)} was replaced again and again, and was not sent`);
    let position = first;
    while (position <= last) {
      const part = Buffer.allocUnsafe(Math.min(PART, last + 1 - position));
      const { bytesRead } = await opened.read(part, 0, part.length, position);
      if (bytesRead === 0) throw new Error(`${visible(file)} was cut while it was being sent`);
      position += bytesRead;
      yield part.subarray(0, bytesRead);
    }
  } finally {
    await opened.close();
  }
}

const isSameFile = (one: fs.BigIntStats, other: fs.BigIntStats): boolean =>
  one.dev === other.dev && one.ino === other.ino;

/** Positions in a file, both included. */
type ByteRange = { readonly first: number; readonly last: number };

/** What is sent of a file. Without a range, nothing: it is unchanged, empty or too short. */
type Selection = { readonly status: number; readonly range: ByteRange | undefined };

/**
 * One range of bytes: `bytes=0-99`, `bytes=100-` or `bytes=-100`. Several ranges (`bytes=0-9,20-29`)
 * and other units do not match, and are ignored.
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

/** Selects the last bytes of a file, all of them if it has fewer. */
function lastBytes(count: number, size: number): Selection {
  if (count === 0 || size === 0) return { status: 416, range: undefined };
  return { status: 206, range: { first: Math.max(0, size - count), last: size - 1 } };
}
