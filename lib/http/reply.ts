/** A reply is a value: handlers return it, and only `listener.ts` writes it to the socket. */

export type Reply = {
  readonly status: number;
  /** Names and values in turn, as node:http writes them: `[name, value, name, value, …]`. */
  readonly headers: readonly string[];
  /** An iterable is sent with backpressure; if it throws, the connection ends. */
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array>;
};

/** A body throws this to close its connection early. The message is one line for the log. */
export class CutReply extends Error {}

/**
 * A body throws this before its first part if the reply is no longer right, for example because the
 * file was replaced. Then the handler is called once more.
 */
export class StaleReply extends CutReply {}

export const isWholeBody = (body: Reply['body']): body is string | Uint8Array =>
  typeof body === 'string' || body instanceof Uint8Array;

/** A reply that no cache may store. */
const uncached = (status: number, headers: readonly string[], body: Reply['body']): Reply => ({
  status,
  headers: ['Cache-Control', 'no-store', ...headers],
  body,
});

/** The 404 of every unknown URL, and of the hidden page. */
export const NOT_FOUND: Reply = Object.freeze(
  uncached(404, ['Content-Type', 'text/plain; charset=utf-8'], 'Not Found\n'),
);
Object.freeze(NOT_FOUND.headers);

/**
 * A JSON reply. The compiler compares the value with the type that the page reads:
 * `jsonReply<StatsReply>(200, …)`. Without the type argument, it accepts no value.
 */
export const jsonReply = <Body = never>(
  status: number,
  value: NoInfer<Body>,
  headers: readonly string[] = [],
): Reply =>
  uncached(status, ['Content-Type', 'application/json', ...headers], JSON.stringify(value));

/** An error reply with the body `{ "error": code }`. */
export const errorReply = (status: number, code: string, headers?: readonly string[]): Reply =>
  jsonReply<{ readonly error: string }>(status, { error: code }, headers);

/** An HTML page, which no cache may store. */
export const htmlPage = (html: Uint8Array): Reply =>
  uncached(200, ['Content-Type', 'text/html; charset=utf-8'], html);

/** A reply with an empty body. */
export const statusOnly = (status: number): Reply => uncached(status, [], '');

/** 302 to a path of this site. */
export const redirect = (path: string): Reply => uncached(302, ['Location', path], '');
