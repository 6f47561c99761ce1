/** Reads lists and numbers from the service, sends invites, and names the ways in which that fails. */
import type {
  EventsReply,
  Invite,
  InviteReply,
  InvitesReply,
  JoinsReply,
  Page,
} from '../../lib/records.ts';

/**
 * A request without a usable reply.
 * - `offline`: no reply, or one that is not JSON
 * - `ended`: 404, which the service sends to everybody but administrators
 * - `unavailable`: 5xx, from the service or from a proxy
 * - `refused`: any other status; `code` is the service's error code, or the status
 */
export class Failure extends Error {
  readonly kind: 'offline' | 'ended' | 'unavailable' | 'refused';
  readonly code: string;

  constructor(kind: Failure['kind'], code = '') {
    super(`${kind} ${code}`);
    this.kind = kind;
    this.code = code;
  }
}

/** How long a reply may take, in ms. */
const REPLY_TIMEOUT = 20_000;

/** The service's limit of rows in one reply. */
const MAX_LIMIT = 500;

export type Query = Readonly<Record<string, string | number | null>>;

/** The query as text, without empty values. */
export function search(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== '');
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}

/** @throws {Failure} */
export const read = <Reply>(path: string, query: Query = {}): Promise<Reply> =>
  send(`/api/svcops/${path}?${search(query)}`);

/**
 * Makes the function that reads a list from the top until it has `count` rows or ends.
 *
 * @param cursor the query parameter that takes the position of the next rows
 */
function rowsOf<Reply, Row>(path: string, cursor: string, pageOf: (reply: Reply) => Page<Row>) {
  return async (count: number, query: Query = {}): Promise<Page<Row>> => {
    const rows: Row[] = [];
    let next: string | null = null;
    do {
      const limit = Math.min(count - rows.length, MAX_LIMIT);
      const page = pageOf(await read(path, { ...query, limit, [cursor]: next }));
      rows.push(...page.rows);
      next = page.next;
    } while (next !== null && rows.length < count);
    return { rows, next };
  };
}

export const readInvites = rowsOf('invites', 'cursor', ({ invites, next }: InvitesReply) => ({
  rows: invites,
  next,
}));

export const readEvents = rowsOf('events', 'cursor', ({ events, next }: EventsReply) => ({
  rows: events,
  next,
}));

/** To be read with `of=summary`. */
export const readSummary = rowsOf('joins', 'summary', ({ summary, next }: JoinsReply) => ({
  rows: summary,
  next: next.summary,
}));

/** To be read with `of=clicks`. */
export const readClicks = rowsOf('joins', 'clicks', ({ clicks, next }: JoinsReply) => ({
  rows: clicks,
  next: next.clicks,
}));

/** @throws {Failure} with the service's code where it refuses */
export async function postInvite(email: string, firstName: string): Promise<Invite> {
  const { invite } = await send<InviteReply>('/api/svcops/invites', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, firstName }),
  });
  return invite;
}

async function send<Reply>(url: string, init?: RequestInit): Promise<Reply> {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), REPLY_TIMEOUT);
  const fail = (): never => {
    throw new Failure('offline');
  };
  const reply = await fetch(url, { ...init, signal: controller.signal }).catch(fail);
  if (reply.ok) return reply.json().catch(fail);
  if (reply.status === 404) throw new Failure('ended');
  if (reply.status >= 500) throw new Failure('unavailable');
  const refusal = await reply.json().catch(() => null);
  throw new Failure('refused', String(refusal?.error ?? reply.status));
}
