/** Decides how much of a file a request gets: preconditions and ranges (RFC 9110 13 and 14). */
import type { Request } from './request.ts';

/** The size in bytes, a strong ETag, and an HTTP date. */
type Version = { readonly size: number; readonly etag: string; readonly lastModified: string };

/** A status without content, or the bytes from `first` to `last`. In an empty file `last` is -1. */
type Selection =
  | { readonly status: 304 | 412 | 416 }
  | { readonly status: 200 | 206; readonly first: number; readonly last: number };

/** Evaluates the headers of a GET or HEAD in the order of RFC 9110 13.2.2. */
export function select({ method, headers }: Pick<Request, 'method' | 'headers'>, file: Version) {
  const status = precondition(headers, file);
  if (status) return { status };
  const { size, etag, lastModified } = file;
  const isCurrent = [etag, lastModified].includes(String(headers['if-range'] ?? etag));
  // Ranges are defined for GET only (RFC 9110 14.2).
  return readRange(method === 'GET' && isCurrent ? headers.range : undefined, size);
}

function precondition(headers: Request['headers'], { etag, lastModified }: Version) {
  const modified = Date.parse(lastModified);
  // An invalid date is NaN, which no comparison accepts.
  const {
    'if-match': match,
    'if-unmodified-since': unmodifiedSince = '',
    'if-none-match': noneMatch,
    'if-modified-since': modifiedSince = '',
  } = headers;
  if (match ? !hasTag(match, '*', etag) : Date.parse(unmodifiedSince) < modified) return 412;
  if (noneMatch ? hasTag(noneMatch, '*', etag, `W/${etag}`) : Date.parse(modifiedSince) >= modified)
    return 304;
  return undefined;
}

/** Whether the list of entity tags in a header has one of these. */
export const hasTag = (header: string, ...tags: readonly string[]): boolean =>
  header.split(',').some((tag) => tags.includes(tag.trim()));

/** The bytes that one range names. Several ranges, other units and mistakes are ignored. */
function readRange(header: string | undefined, size: number): Selection {
  const whole: Selection = { status: 200, first: 0, last: size - 1 };
  const range = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i.exec(header ?? '');
  if (!range) return whole;
  const [, from, to, suffix] = range;
  const length = Number(suffix);
  const [first, last] =
    suffix === undefined
      ? [Number(from), Number(to || Infinity)]
      : [Math.max(0, size - length), length === 0 ? size : size - 1];
  // An invalid range, or the end of an empty file.
  if (last < first) return whole;
  return first < size ? { status: 206, first, last: Math.min(last, size - 1) } : { status: 416 };
}
