/** Detects cross-origin requests, which another site's page can make a browser send. */
import type { Request } from './request.ts';

/** Whether a request is cross-origin. Only browsers send these headers. */
export function isCrossOrigin({ headers }: Request, publicOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  return ![undefined, publicOrigin, `http://${host}`, `https://${host}`].includes(origin);
}
