/** The HTTP client of the tests: that of Node, without redirects and cookies. */
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { buffer } from 'node:stream/consumers';
import { within } from './limit.ts';

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON. */
  json<T = Record<string, unknown>>(): T;
};

/** An answer as it came. */
export type Received = Answer & {
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
};

export type Options = {
  /** A Cookie header. */
  readonly cookie?: string | undefined;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly body?: string | Buffer<ArrayBuffer> | undefined;
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * Sends a request.
 *
 * @param line method and path: `GET /path`. The path is sent as it is
 * @param agent holds the connections
 * @throws the error of the connection, also if it ends before the whole reply is here; after 30 s
 */
export async function send(
  origin: string,
  line: string,
  options: Options = {},
  agent?: http.Agent,
): Promise<Received> {
  const space = line.indexOf(' ');
  const method = line.slice(0, space);
  const path = line.slice(space + 1);
  const { request } = origin.startsWith('https:') ? https : http;
  const sent = request(origin, { method, path, agent, headers: headersOf(options) });
  sent.end(bodyOf(options));
  try {
    return await within(`a reply to ${line}`, receive(sent));
  } catch (error) {
    sent.destroy();
    throw error;
  }
}

/** The headers that options ask for. */
export function headersOf({ cookie, json, headers }: Options): Record<string, string> {
  const all: Record<string, string> = {};
  if (cookie !== undefined) all.Cookie = cookie;
  if (json !== undefined) all['Content-Type'] = 'application/json';
  return { ...all, ...headers };
}

/** The body that options ask for; `undefined` without one. */
export function bodyOf({ json, body }: Options): string | Buffer<ArrayBuffer> | undefined {
  if (body !== undefined) return body;
  return json === undefined ? undefined : JSON.stringify(json);
}

async function receive(sent: http.ClientRequest): Promise<Received> {
  const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
  const { statusCode = 0, rawHeaders } = response;
  const received = await buffer(response);
  return { ...answerOf(statusCode, rawHeaders, received.toString()), rawHeaders, body: received };
}

/** @param raw names and values in turn */
export function answerOf(status: number, raw: readonly string[], text: string): Answer {
  const headers = new Headers();
  for (let i = 0; i < raw.length; i += 2) headers.append(raw[i] ?? '', raw[i + 1] ?? '');
  return { status, headers, text, json: () => JSON.parse(text) };
}

/** A valid cookie of an unknown session. */
export const FORGED_COOKIE = `svc_session=${'A'.repeat(22)}.${'A'.repeat(43)}`;

let clients = 0;

/** A header that gives the next request a new client address, with its own login limit. */
export function anotherClient(): Record<string, string> {
  clients += 1;
  return { 'X-Forwarded-For': `10.0.${clients >> 8}.${clients & 255}` };
}

/** Logs in from a new client address. @returns the Cookie header of the session */
export async function logIn(
  origin: string,
  email: string,
  headers: Record<string, string> = {},
): Promise<string> {
  const options = { json: { email }, headers: { ...anotherClient(), ...headers } };
  const answer = await send(origin, 'POST /auth/login', options);
  if (answer.status !== 200)
    throw new Error(`the login of ${email} got ${answer.status} ${answer.text}`);
  return sessionCookie(answer);
}

/** The `svc_session=…` pair that an answer sets. */
export function sessionCookie(answer: Answer): string {
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** The session identifier in a cookie, as the store and the tools show it. */
export const sessionId = (cookie: string): string =>
  cookie.replace(/^svc_session=/, '').split('.')[0] ?? '';

/** Sends raw bytes, and reads until the server ends the connection. */
export async function sendRaw(port: number, bytes: string | Buffer): Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk)).write(bytes);
  // Keep the bytes that came before a reset.
  const closed = once(socket, 'close').catch(() => undefined);
  try {
    await within('the server to end a connection', closed);
  } finally {
    socket.destroy();
  }
  return Buffer.concat(chunks).toString('latin1');
}
