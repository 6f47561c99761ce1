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

/** `offline`: no answer; `ended`: the page is hidden from us now; `unavailable`: later perhaps; `refused`: see `code`. */
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

type Values = Readonly<Record<string, string | number | null | undefined>>;

/** The address of a list; values that are empty are left out. */
export function listUrl(path: string, values: Values = {}): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  return `/api/svcops/${path}?${new URLSearchParams(given)}`;
}

/** @throws {Failure} */
export async function read<T>(path: string, values?: Values): Promise<T> {
  const reply = await send(listUrl(path, values));
  const value: T = await reply.json().catch(() => {
    throw new Failure('offline');
  });
  return value;
}

/** @throws {Failure} with the service's code where it refuses */
export async function postInvite(email: string, firstName: string): Promise<Invite> {
  const reply = await send('/api/svcops/invites', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, firstName }),
  });
  const { invite } = await reply.json();
  return invite;
}

async function send(url: string, init?: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(PATIENCE);
  const reply = await fetch(url, { ...init, signal }).catch(() => {
    throw new Failure('offline');
  });
  if (reply.ok) return reply;
  if (reply.status === 404) throw new Failure('ended');
  // A proxy in front answers 502 or 504 where the service does not.
  if (reply.status >= 500) throw new Failure('unavailable');
  const { error } = await reply.json().catch(() => ({ error: '' }));
  throw new Failure('refused', String(error));
}
