/** Preconditions and ranges of a request for a file (RFC 9110 13 and 14). */
import type { Request } from './request.ts';

/** A status without content, or the bytes from `first` to `last`. In an empty file `last` is -1. */
type Selection =
  | { readonly status: 304 | 416 }
  | { readonly status: 200 | 206; readonly first: number; readonly last: number };

/** @param size of the file, in bytes @param etag its strong ETag */
export function selectRange(
  { method, headers }: Pick<Request, 'method' | 'headers'>,
  size: number,
  etag: string,
): Selection {
  const { 'if-none-match': tags = '', 'if-range': current = etag, range = '' } = headers;
  if (matchesEtag(tags, etag)) return { status: 304 };
  const whole = { status: 200, first: 0, last: size - 1 } as const;
  // Several ranges, other units and mistakes are ignored.
  const found = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i.exec(range);
  // Ranges are defined for GET only (RFC 9110 14.2).
  if (!found || method !== 'GET' || current !== etag) return whole;
  const [, from, to, suffix] = found;
  const first = Number(from ?? Math.max(0, size - Number(suffix)));
  const last = Number(to || Infinity);
  if (last < first) return whole;
  return first < size ? { status: 206, first, last: Math.min(last, size - 1) } : { status: 416 };
}

/** Whether If-None-Match has the tag, by weak comparison (RFC 9110 13.1.2). */
export const matchesEtag = (header: string, etag: string): boolean =>
  header.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
