/** The request, and the handlers that answer it. */
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
