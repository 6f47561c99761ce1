/** A reply is a value: handlers return it, and only `writer.ts` writes it to the socket. */
import type { ErrorReply } from '../records.ts';

export type Reply = {
  readonly status: number;
  /** Header names and values in turn, as node:http writes them: `[name, value, name, value, …]`. */
  readonly headers: readonly string[];
  /**
   * Text and bytes are sent with a Content-Length. An iterable is read as fast as its client reads.
   */
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array>;
  /** A streamed body that the client can resume with a range. A stop cuts it, and no other. */
  readonly isResumable?: true;
};

export const isWholeBody = (body: Reply['body']): body is string | Uint8Array =>
  typeof body === 'string' || body instanceof Uint8Array;

/** Ends a reply that cannot be completed, and the connection. Only the message is logged. */
export class TruncatedReply extends Error {}

/** A reply that no cache may store. */
const uncached = (status: number, headers: readonly string[], body: Reply['body']): Reply => ({
  status,
  headers: ['Cache-Control', 'no-store', ...headers],
  body,
});

/** The plain 404 of every unknown URL, and of the hidden page. */
export const NOT_FOUND: Reply = Object.freeze(
  uncached(404, ['Content-Type', 'text/plain; charset=utf-8'], 'Not Found\n'),
);
Object.freeze(NOT_FOUND.headers);

/** The last reply of a connection. */
export const withConnectionClose = (reply: Reply): Reply => ({
  ...reply,
  headers: [...reply.headers, 'Connection', 'close'],
});

/** One array for all: the listener puts together the headers of an array only once. */
const JSON_HEADERS = ['Cache-Control', 'no-store', 'Content-Type', 'application/json'];

/** A JSON reply. Its shape must be named: `json<StatsReply>(200, …)`. */
export const jsonReply = <Body = never>(
  status: number,
  value: NoInfer<Body>,
  headers?: readonly string[],
): Reply => ({
  status,
  headers: headers ? [...JSON_HEADERS, ...headers] : JSON_HEADERS,
  body: JSON.stringify(value),
});

/** An error reply with the body `{ "error": code }`. */
export const errorReply = (status: number, code: string, headers?: readonly string[]): Reply =>
  jsonReply<ErrorReply>(status, { error: code }, headers);

/** A page that depends on the client. */
export const htmlPage = (html: Uint8Array): Reply =>
  uncached(200, ['Content-Type', 'text/html; charset=utf-8'], html);

/** A reply that is only a status. */
export const statusOnly = (status: number): Reply => uncached(status, [], '');

/** 302 to a path of this site. */
export const redirect = (path: string): Reply => uncached(302, ['Location', path], '');

/** A CSV file to save, sent while it is read. A client cannot resume it. */
export function csvReply(name: string, rows: AsyncIterable<string>): Reply {
  const disposition = `attachment; filename="${name}"`;
  const type = 'text/csv; charset=utf-8; header=present';
  return uncached(200, ['Content-Type', type, 'Content-Disposition', disposition], rows);
}
