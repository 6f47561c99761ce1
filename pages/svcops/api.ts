/**
 * What the administrator page reads from the service, and in which ways that can fail. The shapes are stated once more as the
 * JSON has them: the store's own types would bring Node's into a browser's program.
 */

export type Totals = {
  readonly invites: number;
  readonly admins: number;
  readonly logins: number;
  readonly timelineViews: number;
  readonly joinClicks: number;
};

export type Day = Pick<Totals, 'logins' | 'timelineViews' | 'joinClicks'> & {
  /** `YYYY-MM-DD`, in UTC. */
  readonly day: string;
};

export type Share = { readonly name: string; readonly count: number };

export type Stats = {
  readonly totals: Totals;
  readonly funnel: Readonly<Record<'invited' | 'loggedIn' | 'viewed' | 'joined', number>>;
  readonly daily: readonly Day[];
  readonly devices: readonly Share[];
  readonly os: readonly Share[];
  readonly browsers: readonly Share[];
};

export type Status = 'not_come' | 'logged_in' | 'viewed' | 'joined';

export type Invite = {
  readonly email: string;
  readonly firstName: string | null;
  readonly isAdmin: boolean;
  readonly invitedBy: string;
  /** Epoch ms, as all times. */
  readonly invitedAt: number;
  readonly status: Status;
  readonly logins: number;
  readonly timelineViews: number;
  readonly joinClicks: number;
  readonly lastSeenAt: number | null;
};

/** Somebody who may no longer be invited. */
export type Person = Omit<Invite, 'status' | 'invitedBy' | 'invitedAt'> & {
  readonly status: Status | null;
  readonly invitedBy: string | null;
  readonly invitedAt: number | null;
  readonly firstJoinAt: number | null;
  readonly lastJoinAt: number | null;
};

export type Device = {
  readonly deviceType: string;
  readonly os: string;
  readonly browser: string;
};

export type PersonReply = {
  readonly person: Person | null;
  readonly devices: readonly (Device & { readonly count: number; readonly lastAt: number })[];
};

export type Summary = {
  readonly email: string;
  readonly clicks: number;
  readonly firstAt: number;
  readonly lastAt: number;
};

export type Click = {
  readonly id: number;
  readonly email: string;
  readonly session: string;
  readonly clickedAt: number;
};

export type Joins = {
  readonly summary: readonly Summary[];
  readonly clicks: readonly Click[];
  readonly next: Readonly<Record<'summary' | 'clicks', string | null>>;
};

export type LoggedEvent = Device & {
  readonly id: number;
  readonly type: 'login' | 'timeline_view';
  readonly email: string;
  readonly occurredAt: number;
  readonly session: string;
  readonly meta: { readonly view: 'mobile' | 'desktop'; readonly forced: boolean } | null;
};

export type Events = { readonly events: readonly LoggedEvent[]; readonly next: string | null };

export type Invites = { readonly invites: readonly Invite[]; readonly next: string | null };

/** Some rows of a list, and the cursor of the next; `null` where nothing follows. */
export type Page<Row> = { readonly rows: readonly Row[]; readonly next: string | null };

/** `offline`: no answer that can be read; `ended`: 404, as for everybody who is no administrator; `refused`: see `code`. */
export class Failure extends Error {
  readonly kind: 'offline' | 'ended' | 'unavailable' | 'refused';
  readonly code: string;

  constructor(kind: Failure['kind'], code = '') {
    super(`${kind} ${code}`);
    this.kind = kind;
    this.code = code;
  }
}

/** How long an answer may take, in ms. */
const PATIENCE = 20_000;

/** Rows that the service gives at once. */
const MOST = 500;

type Values = Readonly<Record<string, string | number | null | undefined>>;

/** The address of a list; values that are empty are left out. */
export function listUrl(path: string, values: Values = {}): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return `/api/svcops/${path}?${new URLSearchParams(given)}`;
}

/** @throws {Failure} */
export const read = <T>(path: string, values?: Values): Promise<T> => send(listUrl(path, values));

/** Reads a list from the top until it has `count` rows. */
export async function readRows<Row>(
  count: number,
  readPage: (limit: number, cursor: string | null) => Promise<Page<Row>>,
): Promise<Page<Row>> {
  let [rows, next]: [readonly Row[], string | null] = [[], null];
  do {
    const page = await readPage(Math.min(count - rows.length, MOST), next);
    rows = [...rows, ...page.rows];
    // A page without rows or cursor must not be asked for again and again.
    next = page.rows.length > 0 ? (page.next ?? null) : null;
  } while (next !== null && rows.length < count);
  return { rows, next };
}

/** @throws {Failure} with the service's code where it refuses */
export async function postInvite(email: string, firstName: string): Promise<Invite> {
  const { invite } = await send<{ readonly invite: Invite }>('/api/svcops/invites', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, firstName }),
  });
  return invite;
}

async function send<T>(url: string, init?: RequestInit): Promise<T> {
  const patience = new AbortController();
  setTimeout(() => patience.abort(), PATIENCE);
  const fail = (): never => {
    throw new Failure('offline');
  };
  const reply = await fetch(url, { ...init, signal: patience.signal }).catch(fail);
  if (reply.ok) return reply.json().catch(fail);
  if (reply.status === 404) throw new Failure('ended');
  // A proxy in front answers 502 or 504 where the service does not.
  if (reply.status >= 500) throw new Failure('unavailable');
  const refusal = await reply.json().catch(() => null);
  throw new Failure('refused', String(refusal?.error ?? reply.status));
}
