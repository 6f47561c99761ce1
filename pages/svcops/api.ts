/** Requests to the service, and the messages about failures. */
import type { MeReply } from '../../lib/routes/replies.ts';

const MESSAGES = {
  /** No reply, or a reply that is not JSON. */
  offline: 'No connection to the service.',
  /** 404, which the service sends to everybody but administrators. */
  ended: 'Your session has ended, or you are no longer an administrator.',
  /** 5xx, from the service or from a proxy. */
  unavailable: 'The service is temporarily unavailable.',
  /** Any other status. */
  refused: 'The service rejected this request. Try reloading the page.',
} as const;

/** A request without a usable reply. Its message is for the administrator. */
export class Failure extends Error {
  readonly kind: keyof typeof MESSAGES;
  /** The service's error code, or the status, if it refuses the request. */
  readonly code: string;

  constructor(kind: Failure['kind'], code = '') {
    super(MESSAGES[kind]);
    this.kind = kind;
    this.code = code;
  }
}

/** How long a reply may take, in ms. */
const REPLY_TIMEOUT = 20_000;

/** The largest body of a request, in bytes. */
const MAX_BYTES = 1024 * 1024;

export type Query = Readonly<Record<string, string>>;

/** The address of a resource of the API. Empty values are left out. */
export const urlOf = (path: string, query: Query): string =>
  `/api/svcops/${path}?${new URLSearchParams(Object.entries(query).filter(([, value]) => value))}`;

/** @throws {Failure} */
export const read = <Reply>(path: string, query: Query): Promise<Reply> => send(urlOf(path, query));

/** Who is logged in. @throws {Failure} */
export const readMe = (): Promise<MeReply> => send('/auth/me');

/** @throws {Failure} with the service's code where it refuses */
export async function post<Reply>(path: string, json: object): Promise<Reply> {
  const body = new Blob([JSON.stringify(json)], { type: 'application/json' });
  // The service would close the connection of a larger body. Browsers call this no connection.
  if (body.size > MAX_BYTES) throw new Failure('refused', 'body_too_large');
  return send(`/api/svcops/${path}`, { method: 'POST', body });
}

async function send<Reply>(url: string, init?: RequestInit): Promise<Reply> {
  const reply = await ask(url, init);
  return reply.json().catch(() => {
    throw new Failure('offline');
  });
}

/** Asks whether the service would send this. @throws {Failure} if it would not */
export async function check(url: string): Promise<void> {
  await ask(url, { method: 'HEAD' });
}

async function ask(url: string, init?: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(REPLY_TIMEOUT);
  const reply = await fetch(url, { ...init, signal }).catch(() => {
    throw new Failure('offline');
  });
  if (reply.ok) return reply;
  if (reply.status === 404) throw new Failure('ended');
  const refusal = await reply.json().catch(() => null);
  if (reply.status >= 500) throw new Failure('unavailable');
  throw new Failure('refused', String(refusal?.error ?? reply.status));
}
