/** Requests to the service: lists read row by row, other replies as they are, and a new invite. */
import type {
  ChangesReply,
  EventsReply,
  InviteReply,
  InvitesReply,
  JoinsReply,
  MaxRows,
  Page,
} from '../../lib/records.ts';

/**
 * A request without a usable reply.
 * - `offline`: no reply, or one that is not JSON
 * - `ended`: 404, which the service sends to all but administrators
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

const MAX_ROWS: MaxRows = 500;

export type Query = Readonly<Record<string, string | number | null>>;

/** The query as text, without empty values. */
export function search(query: Query): string {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== '');
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}

/** @throws {Failure} */
export const read = <Reply>(path: string, query: Query = {}): Promise<Reply> =>
  send(`/api/svcops/${path}?${search(query)}`);

/** Reads a list from the top until it has `count` rows or ends. */
export type ReadRows<Row> = (count: number, query?: Query) => Promise<Page<Row>>;

/**
 * @param cursor the query parameter for the position of the next rows
 * @param fixed the part of the query that chooses the list
 */
function rowsOf<Reply, Row>(
  path: string,
  cursor: string,
  pageOf: (reply: Reply) => readonly [rows: readonly Row[], next: string | null],
  fixed: Query = {},
): ReadRows<Row> {
  return async (count, query) => {
    const rows: Row[] = [];
    let next: string | null = null;
    do {
      const limit = Math.min(count - rows.length, MAX_ROWS);
      const reply = await read<Reply>(path, { ...fixed, ...query, limit, [cursor]: next });
      const [found, following] = pageOf(reply);
      rows.push(...found);
      // A page without rows or cursor must not be requested again and again.
      next = found.length > 0 ? (following ?? null) : null;
    } while (next !== null && rows.length < count);
    return { rows, next };
  };
}

const joinsOf = <Row>(of: 'summary' | 'clicks', rowsIn: (reply: JoinsReply) => readonly Row[]) =>
  rowsOf('joins', of, (reply: JoinsReply) => [rowsIn(reply), reply.next[of]], { of });

export const lists = {
  invites: rowsOf('invites', 'cursor', ({ invites, next }: InvitesReply) => [invites, next]),
  changes: rowsOf('changes', 'cursor', ({ changes, next }: ChangesReply) => [changes, next]),
  events: rowsOf('events', 'cursor', ({ events, next }: EventsReply) => [events, next]),
  summary: joinsOf('summary', ({ summary }) => summary),
  clicks: joinsOf('clicks', ({ clicks }) => clicks),
};

/** @throws {Failure} with the service's code where it refuses */
export const postInvite = (email: string, firstName: string): Promise<InviteReply> =>
  send('/api/svcops/invites', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, firstName }),
  });

/** When the service last answered, by its own clock, in epoch ms; `NaN` before. */
export let answeredAt = Number.NaN;

async function send<Reply>(url: string, init?: RequestInit): Promise<Reply> {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), REPLY_TIMEOUT);
  const fail = (): never => {
    throw new Failure('offline');
  };
  const reply = await fetch(url, { ...init, signal: controller.signal }).catch(fail);
  if (reply.ok) answeredAt = Date.parse(reply.headers.get('Date') ?? '');
  if (reply.ok) return reply.json().catch(fail);
  if (reply.status === 404) throw new Failure('ended');
  if (reply.status >= 500) throw new Failure('unavailable');
  const refusal = await reply.json().catch(() => null);
  throw new Failure('refused', String(refusal?.error ?? reply.status));
}
