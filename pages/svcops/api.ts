/** Requests to the service: lists read row by row, other replies as they are, and a new invite. */
import { MAX_ROWS } from '../../lib/csv.ts';
import type {
  ChangesReply,
  EventsReply,
  InviteManyReply,
  InviteReply,
  InvitesReply,
  JoinsReply,
} from '../../lib/replies.ts';
import type { Rows } from './list.ts';

const MESSAGES = {
  /** No reply, or one that is not JSON. */
  offline: 'No connection to the service.',
  /** 404, which the service sends to all but administrators. */
  ended: 'Your session has ended, or you are no longer an administrator.',
  /** 5xx, from the service or from a proxy. */
  unavailable: 'The service is temporarily unavailable.',
  /** 503 of the service for a number or a list. */
  counting: 'The numbers are still being counted, or the database is busy.',
  /** Any other status. */
  refused: 'The service rejected this request. Try reloading the page.',
} as const;

/** A request without a usable reply. Its message is for the administrator. */
export class Failure extends Error {
  readonly kind: keyof typeof MESSAGES;
  /** The service's error code, or the status, of a refusal. */
  readonly code: string;

  constructor(kind: Failure['kind'], code = '') {
    super(MESSAGES[kind]);
    this.kind = kind;
    this.code = code;
  }
}

/** How long a reply may take, in ms. */
const REPLY_TIMEOUT = 20_000;

export type Query = Readonly<Record<string, string>>;

/** The query as text, without empty values. */
export const search = (query: Query): string =>
  new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();

/** @throws {Failure} */
export const read = <Reply>(path: string, query: Query = {}): Promise<Reply> =>
  send(`/api/svcops/${path}?${search(query)}`);

/** Reads a list from the top until it has `count` rows or ends. */
export type ReadRows<Row> = (count: number, query?: Query) => Promise<Rows<Row>>;

/** @param cursor the query parameter for the position of the next rows */
function rowsOf<Reply, Row>(
  path: string,
  cursor: string,
  pageOf: (reply: Reply) => Rows<Row>,
): ReadRows<Row> {
  return async (count, query) => {
    const rows: Row[] = [];
    for (let after = ''; ; ) {
      const limit = String(Math.min(count - rows.length, MAX_ROWS));
      const page = pageOf(await read<Reply>(path, { ...query, limit, [cursor]: after }));
      rows.push(...page.rows);
      if (page.next === null || rows.length >= count) return { ...page, rows };
      after = page.next;
    }
  };
}

export const lists = {
  invites: rowsOf('invites', 'cursor', ({ invites: rows, ...page }: InvitesReply) => ({
    rows,
    ...page,
  })),
  changes: rowsOf('changes', 'cursor', ({ changes: rows, next }: ChangesReply) => ({ rows, next })),
  events: rowsOf('events', 'cursor', ({ events: rows, next }: EventsReply) => ({ rows, next })),
  summary: rowsOf('joins', 'summary', ({ summary: rows, next, stats }: JoinsReply) => ({
    rows,
    next: next.summary,
    total: stats.firstTime,
  })),
  clicks: rowsOf('joins', 'clicks', ({ clicks: rows, next, stats }: JoinsReply) => ({
    rows,
    next: next.clicks,
    total: stats.clicks,
  })),
};

/** The body of a request is at most so long, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** @throws {Failure} with the service's code where it refuses */
export const postInvite = (email: string, firstName: string): Promise<InviteReply> =>
  post('invites', { email, firstName });

/** What each line of a list is. @throws {Failure} */
export const postMany = (text: string, save = false): Promise<InviteManyReply> =>
  post('invites/many', { text, save });

async function post<Reply>(path: string, json: object): Promise<Reply> {
  const body = new Blob([JSON.stringify(json)], { type: 'application/json' });
  // The service ends the connection, which browsers report as an error.
  if (body.size > MAX_BYTES) throw new Failure('refused', 'body_too_large');
  return send(`/api/svcops/${path}`, { method: 'POST', body });
}

async function send<Reply>(url: string, init?: RequestInit): Promise<Reply> {
  const fail = (): never => {
    throw new Failure('offline');
  };
  const signal = AbortSignal.timeout(REPLY_TIMEOUT);
  const reply = await fetch(url, { ...init, signal }).catch(fail);
  if (reply.ok) return reply.json().catch(fail);
  if (reply.status === 404) throw new Failure('ended');
  const refusal = await reply.json().catch(() => null);
  if (!init && refusal?.error === 'unavailable') throw new Failure('counting');
  if (reply.status >= 500) throw new Failure('unavailable');
  throw new Failure('refused', String(refusal?.error ?? reply.status));
}
