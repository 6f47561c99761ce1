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
  /** The address at the other end of the connection. */
  readonly peer: string;
  /** The body, unread. */
  readonly body: Readable;
};

/** What every route's handler gets. Its audience and its line in the table add to that. */
export type Context = { readonly request: Request };

/** Answers a request, or a route with what it is given. */
export type Handler<Given = Request> = (given: Given) => Reply | Promise<Reply>;
