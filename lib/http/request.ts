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

/** Answers a request; `Given` is what the guards around it have added. */
export type Handler<Given extends readonly unknown[] = []> = (
  request: Request,
  ...given: Given
) => Reply | Promise<Reply>;
