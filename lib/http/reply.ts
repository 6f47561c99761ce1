/** A reply is a value: handlers return it, one place (`listener.ts`) writes it to the socket. */
import type { ErrorReply } from '../records.ts';

export type Reply = {
  readonly status: number;
  /** Header names and values in turn, as node:http writes them: `[name, value, name, value, …]`. */
  readonly headers: readonly string[];
  /** Text and bytes are sent with their length, an iterable in chunks as it is read. */
  readonly body: string | Uint8Array | AsyncIterable<string>;
};

const NO_STORE = ['Cache-Control', 'no-store'];

/** The plain 404: what every unknown URL gets, and the hidden page too. */
export const NOT_FOUND: Reply = Object.freeze({
  status: 404,
  headers: Object.freeze([...NO_STORE, 'Content-Type', 'text/plain; charset=utf-8']),
  body: 'Not Found\n',
});

/** To a request of HTTP/1.1 that does not say which host it is for. */
export const NO_HOST: Reply = Object.freeze({
  status: 400,
  headers: Object.freeze([...NO_STORE, 'Connection', 'close']),
  body: '',
});

/** A JSON reply that no cache may keep. Its shape must be named: `json<StatsReply>(200, …)`. */
export function json<Body = never>(
  status: number,
  value: NoInfer<Body>,
  headers: readonly string[] = [],
): Reply {
  return {
    status,
    headers: [...NO_STORE, 'Content-Type', 'application/json', ...headers],
    body: JSON.stringify(value),
  };
}

/** An error reply with the body `{ "error": code }`. */
export function failure(status: number, code: string, headers: readonly string[] = []): Reply {
  return json<ErrorReply>(status, { error: code }, headers);
}

/** A page that depends on who asks: no cache may keep it. */
export function page(html: Uint8Array): Reply {
  return {
    status: 200,
    headers: [...NO_STORE, 'Content-Type', 'text/html; charset=utf-8'],
    body: html,
  };
}

/** A reply that is only a status. */
export function empty(status: number): Reply {
  return { status, headers: NO_STORE, body: '' };
}

/** 302 to a path of this site. */
export function redirect(path: string): Reply {
  return { status: 302, headers: [...NO_STORE, 'Location', path], body: '' };
}

/** A CSV file for the visitor to save, sent as it is read. */
export function csvFile(name: string, rows: AsyncIterable<string>): Reply {
  return {
    status: 200,
    headers: [
      ...NO_STORE,
      'Content-Type',
      'text/csv; charset=utf-8; header=present',
      'Content-Disposition',
      `attachment; filename="${name}"`,
    ],
    body: rows,
  };
}
