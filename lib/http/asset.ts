/** Files that change only when the service is restarted: sent with a strong ETag, confirmed with 304. */
import { createHash } from 'node:crypto';
import type { Handler } from './request.ts';

/**
 * A handler that sends a file.
 *
 * @param type the Content-Type
 * @param visibility `private` where only some may have the file, so that shared caches must not keep it
 */
export function asset(body: Uint8Array, type: string, visibility: 'public' | 'private'): Handler {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const cacheControl = visibility === 'public' ? 'no-cache' : 'private, no-cache';
  const headers = ['Cache-Control', cacheControl, 'ETag', etag];
  const whole = { status: 200, headers: [...headers, 'Content-Type', type], body };
  const unchanged = { status: 304, headers, body: '' };
  return (request) => (matches(request.headers['if-none-match'], etag) ? unchanged : whole);
}

/** Whether an If-None-Match header names the tag; weakly, as RFC 9110 13.1.2 asks. */
function matches(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header
    .split(',')
    .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}
