/** Detects cross-origin requests, which a page of another site makes a visitor's browser send. */
import type { Request } from './request.ts';

/**
 * Whether a request is cross-origin. Programs other than browsers send none of these headers.
 *
 * @param publicOrigin the origin of the site for its visitors
 */
export function isCrossOrigin({ headers }: Request, publicOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  return (
    origin !== undefined && ![publicOrigin, `http://${host}`, `https://${host}`].includes(origin)
  );
}
