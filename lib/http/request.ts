/** A request as handlers see it. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { JsonObject } from '../records.ts';
import type { Reply } from './reply.ts';

export type Request = {
  readonly method: string;
  /** As it was sent, without the query. */
  readonly path: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** The address of the other end of the connection, usually the proxy. */
  readonly peer: string;
  /** Once it has been read. */
  readonly body?: JsonObject;
  /** In its place, if it cannot be read. */
  readonly bodyRefusal?: Reply;
};

export function readRequest({ method = '', url = '', headers, socket }: IncomingMessage): Request {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  const query = end < 0 ? '' : url.slice(end + 1);
  return { method, path, query, headers, peer: socket.remoteAddress ?? '' };
}

/** Whether a page of another site made a browser send a request. */
export function isCrossOrigin({ headers }: Request, publicOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  const ownOrigins = [undefined, publicOrigin, `http://${host}`, `https://${host}`];
  return !ownOrigins.includes(origin);
}
