/** Recognises what another site makes a visitor's browser send. */
import type { Request } from './request.ts';

/**
 * Whether a request comes from a page of another site. Programs that are no browsers do not say.
 *
 * @param publicOrigin the origin under which visitors know the site
 */
export function isCrossOrigin({ headers }: Request, publicOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  if (origin === undefined || origin === publicOrigin) return false;
  return origin !== `http://${host}` && origin !== `https://${host}`;
}
