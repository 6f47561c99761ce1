/** The request, the handlers that answer it, and what its headers say. */
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
  /** The peer's IP address. */
  readonly peer: string;
  /** The body, unread. */
  readonly body: Readable;
};

/** The argument of every route's handler. Guards and wrappers in the table add to it. */
export type Context = { readonly request: Request };

/** Answers a request, or the argument that its guards have made of it. */
export type Handler<Given = Request> = (given: Given) => Reply | Promise<Reply>;

/** The values of all cookies of a name in a Cookie header, in order (RFC 6265). */
export const readCookies = (header: string | undefined, name: string): readonly string[] =>
  (header?.split(';') ?? []).flatMap((pair) => {
    const equals = pair.indexOf('=');
    return equals > 0 && pair.slice(0, equals).trim() === name ? pair.slice(equals + 1).trim() : [];
  });

/** Whether another site's page has made the browser send it. Only browsers send these headers. */
export function isCrossOrigin({ headers }: Request, publicOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin, host } = headers;
  return ![undefined, publicOrigin, `http://${host}`, `https://${host}`].includes(origin);
}
