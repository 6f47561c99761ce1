/** The types of a request and of its handler, and the check for a cross-origin request. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Reply } from './reply.ts';

export type Request = {
  readonly method: string;
  /** The raw path, undecoded, without the query. */
  readonly path: string;
  /** The raw query, without its `?`; empty if there is none. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** The IP address of the other end of the connection. */
  readonly peer: string;
  /** The body, which is not read yet. */
  readonly body: Readable;
};

/** The argument of every route's handler. Guards and wrappers of the route table add to it. */
export type Context = { readonly request: Request };

/** Answers a request, or the argument that its guards made from it. */
export type Handler<Argument = Request> = (argument: Argument) => Reply | Promise<Reply>;

/** A handler and its name, method and path: `GET /timeline`. */
export type Route = readonly [name: string, handler: Handler];

/**
 * Whether a page of another site made a browser send this request. Only browsers send these
 * headers.
 */
export function isCrossOrigin({ headers }: Request, publicOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  if (origin === undefined || origin === publicOrigin) return false;
  return origin !== `http://${host}` && origin !== `https://${host}`;
}
