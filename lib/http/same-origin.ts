/** Refuses what another site makes a visitor's browser send. */
import { failure } from './reply.ts';
import type { Handler, Request } from './request.ts';

/**
 * Lets requests through that come from this site's own pages, or from a program that is no browser.
 *
 * @param publicOrigin the origin under which visitors know the site
 */
export function sameOrigin(publicOrigin: string) {
  return (handler: Handler): Handler =>
    (request) =>
      isCrossOrigin(request, publicOrigin) ? failure(403, 'cross_origin') : handler(request);
}

function isCrossOrigin({ headers }: Request, publicOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  if (origin === undefined || origin === publicOrigin) return false;
  return origin !== `http://${host}` && origin !== `https://${host}`;
}
