/** Replies are values: a handler returns one, and the server writes it. */
import type { Readable } from 'node:stream';
import { isProduction } from '../config.ts';

export type Reply = {
  readonly status: number;
  /** Names and values in turn, as node:http takes them. */
  readonly headers: readonly string[];
  /** A text, bytes, or a function that opens a stream. */
  readonly body: string | Buffer | (() => Readable);
};

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; " +
  "font-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

const SECURITY_HEADERS = [
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'same-origin',
  'Cross-Origin-Opener-Policy',
  'same-origin',
  'Cross-Origin-Resource-Policy',
  'same-origin',
  'X-Robots-Tag',
  'noindex, nofollow',
  ...(isProduction ? ['Strict-Transport-Security', 'max-age=31536000'] : []),
];

/** A reply with the security headers. @param length of the body, in bytes */
export function reply(
  status: number,
  headers: readonly string[],
  body: Reply['body'],
  length: number,
  policy: string = CONTENT_SECURITY_POLICY,
): Reply {
  const common = ['Content-Security-Policy', policy, ...SECURITY_HEADERS];
  return { status, headers: [...common, ...headers, 'Content-Length', String(length)], body };
}

/** A reply that may differ for the next client, so no cache may keep it. */
function personalReply(status: number, headers: readonly string[], body: string | Buffer): Reply {
  return reply(status, ['Cache-Control', 'no-store', ...headers], body, Buffer.byteLength(body));
}

export function jsonReply(status: number, value: object, headers: readonly string[] = []): Reply {
  const type = ['Content-Type', 'application/json'];
  return personalReply(status, [...type, ...headers], JSON.stringify(value));
}

export function errorReply(status: number, code: string, headers: readonly string[] = []): Reply {
  return jsonReply(status, { error: code }, headers);
}

export function htmlReply(html: Buffer): Reply {
  return personalReply(200, ['Content-Type', 'text/html; charset=utf-8'], html);
}

export function emptyReply(status: number): Reply {
  return personalReply(status, [], '');
}

export function redirect(path: string): Reply {
  return personalReply(302, ['Location', path], '');
}

/** The reply to an unknown URL, and to everybody but administrators at the hidden page. */
export const NOT_FOUND: Reply = personalReply(
  404,
  ['Content-Type', 'text/plain; charset=utf-8'],
  'Not Found\n',
);
