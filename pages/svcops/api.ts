/** Requests to the service, and the line at the foot of the window that says what failed. */
import type { Event, Invite, JoinClick, JoinSummary, ListedGuest } from '../../lib/records.ts';
import { find, post, request } from '../everyone/shared.ts';

export type InvitesReply = { readonly invites: readonly ListedGuest[] };
export type InviteReply = { readonly invite: Invite & { readonly link: string } };

/** A part of a log, newest first. `older` is the `before` of the next part, `null` without one. */
export type EventsReply = { readonly events: readonly Event[]; readonly older: number | null };
export type JoinsReply = {
  readonly clicks: readonly JoinClick[];
  readonly older: number | null;
  /** The joins of each person, in a reply to a request without parameters. */
  readonly summary?: readonly JoinSummary[];
};

const MESSAGES: Readonly<Record<string, string>> = {
  offline: 'Guestlist can’t be reached. Check your connection.',
  session_ended: 'You’ve been logged out, or you’re no longer an administrator.',
  unavailable: 'Guestlist isn’t responding right now. Try again in a moment.',
  body_too_large: 'That list is too long. Invite up to 20,000 guests (1 MB) at a time.',
  invalid_email: 'Enter a full email address, like ada@example.com.',
  invalid_first_name: 'Use at most 100 ordinary characters in a first name.',
  not_invited: 'This person is no longer on the invite list.',
  unexpected: 'Something went wrong. Reload the page.',
};

/** A request without the reply it asked for. The message is for the administrator. */
export class Failure extends Error {
  /** A key of `MESSAGES`, or the service's own code. */
  readonly code: string;

  constructor(code: string) {
    super(MESSAGES[code] ?? `Guestlist refused this (${code}).`);
    this.code = code;
  }
}

/**
 * @param query empty values are left out
 * @throws {Failure} if there is no reply, or one that refuses
 */
export async function read<Reply>(
  path: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const filled = Object.entries(query).filter(([, value]) => value !== '');
  return open<Reply>(await request(`${path}?${new URLSearchParams(filled)}`));
}

/** @throws {Failure} like `read` */
export async function send<Reply>(path: string, body = {}): Promise<Reply> {
  return open<Reply>(await post(path, body));
}

async function open<Reply>(response: Response | undefined): Promise<Reply> {
  if (!response) throw new Failure('offline');
  const { ok, status } = response;
  // Everybody but an administrator gets the 404 of an unknown page.
  if (status === 404 || status === 401) throw new Failure('session_ended');
  if (status >= 500) throw new Failure('unavailable');
  const body = await response.json().catch(() => {
    throw new Failure('offline');
  });
  if (ok) return body;
  throw new Failure(String(body.error));
}

const trouble = find('#trouble', HTMLElement);

/** Says what failed, and what one can do. The page keeps what it shows, and what was typed. */
export function report(error: unknown): void {
  // Anything else is a mistake in this page.
  if (!(error instanceof Failure)) console.error(error);
  const failure = error instanceof Failure ? error : new Failure('unexpected');
  find('#trouble p', HTMLElement).textContent = failure.message;
  find('#trouble a', HTMLAnchorElement).hidden = failure.code !== 'session_ended';
  trouble.hidden = false;
}

export function clearTrouble(): void {
  trouble.hidden = true;
}
