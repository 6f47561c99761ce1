/** Requests to the service, and what to say when one fails. */
import type {
  Event,
  Invite,
  JoinClick,
  JoinStats,
  JoinSummary,
  ListedGuest,
} from '../../lib/records.ts';

export type Me = { readonly email: string; readonly firstName: string | null };
export type InvitesReply = { readonly invites: readonly ListedGuest[] };
export type InviteReply = { readonly invite: Invite & { readonly link: string } };

/** A part of a log, newest first. `older` is the `before` of the next part, `null` without one. */
export type ClicksReply = { readonly clicks: readonly JoinClick[]; readonly older: number | null };
export type EventsReply = { readonly events: readonly Event[]; readonly older: number | null };

/** Without parameters, the joins have their sums too. */
export type JoinsReply = ClicksReply & {
  readonly stats: JoinStats;
  readonly summary: readonly JoinSummary[];
};

const MESSAGES: Readonly<Record<string, string>> = {
  offline: 'No connection to the service.',
  session_ended: 'Your session has ended, or you are no longer an administrator.',
  unavailable: 'The service is not available at the moment.',
  body_too_large: 'This is too much at once. Invite at most 20,000 guests, or 1 MB.',
  unexpected: 'Something went wrong. Reload the page.',
};

/** How long a reply may take, in ms. */
const TIMEOUT = 20_000;

/** A request without the reply it asked for. The message is for the administrator. */
export class Failure extends Error {
  /** A key of `MESSAGES`, or the service's own code. */
  readonly code: string;

  constructor(code: string) {
    super(MESSAGES[code] ?? `The service refused this (${code}).`);
    this.code = code;
  }
}

/**
 * @param query empty values are left out
 * @throws {Failure} like `post`
 */
export function read<Reply>(path: string, query: Readonly<Record<string, string>> = {}) {
  const filled = Object.entries(query).filter(([, value]) => value !== '');
  const search = new URLSearchParams(filled).toString();
  return send<Reply>(search === '' ? path : `${path}?${search}`);
}

/** @throws {Failure} if there is no reply, or one that refuses */
export function post<Reply>(path: string, body: object = {}): Promise<Reply> {
  return send<Reply>(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function send<Reply>(url: string, init?: RequestInit): Promise<Reply> {
  try {
    const reply = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT) });
    // Everybody but an administrator gets the 404 of an unknown page.
    if (reply.status === 404 || reply.status === 401) throw new Failure('session_ended');
    if (reply.status >= 500) throw new Failure('unavailable');
    const body = await reply.json();
    if (!reply.ok) throw new Failure(String(body.error));
    return body;
  } catch (error) {
    throw error instanceof Failure ? error : new Failure('offline');
  }
}
