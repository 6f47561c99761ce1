/** Preconditions and ranges of a request for a file (RFC 9110 13 and 14). */
import type { Request } from './request.ts';

/** The size in bytes, a strong ETag, and an HTTP date. */
type Version = { readonly size: number; readonly etag: string; readonly lastModified: string };

/** A status without content, or the bytes from `first` to `last`. In an empty file `last` is -1. */
type Selection =
  | { readonly status: 304 | 416 }
  | { readonly status: 200 | 206; readonly first: number; readonly last: number };

/** Evaluates the headers of a GET or HEAD in the order of RFC 9110 13.2.2. */
export function selectRange(
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  { size, etag, lastModified }: Version,
): Selection {
  const { 'if-none-match': tags, 'if-modified-since': date = '' } = headers;
  // An invalid date is NaN, which no comparison accepts.
  if (tags ? matchesEtag(tags, etag) : Date.parse(date) >= Date.parse(lastModified))
    return { status: 304 };
  const isCurrent = [etag, lastModified].includes(String(headers['if-range'] ?? etag));
  // Ranges are defined for GET only (RFC 9110 14.2).
  return readRange(method === 'GET' && isCurrent ? headers.range : undefined, size);
}

/** Whether If-None-Match has the tag, by weak comparison (RFC 9110 13.1.2). */
export const matchesEtag = (header: string, etag: string): boolean =>
  header.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));

/** The bytes of a single range. Several ranges, other units and mistakes are ignored. */
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
