/**
 * The shapes that the store, the routes, the tools and the browser share. Times are epoch
 * milliseconds.
 */

export type Invite = {
  readonly email: string;
  readonly firstName: string | null;
  readonly isAdmin: boolean;
  /** The administrator's address, `cli`, or `erased`. */
  readonly invitedBy: string;
  readonly invitedAt: number;
};

/** The furthest step of an invited person. */
export type Status = 'pending' | 'logged_in' | 'viewed' | 'joined';

export type Counts = {
  readonly logins: number;
  readonly timelineViews: number;
  readonly joinClicks: number;
};

/** An invite, with all that the person ever did. */
export type Guest = Invite &
  Counts & {
    readonly status: Status;
    /** The latest login, view or join click; `null` while pending. */
    readonly lastSeenAt: number | null;
  };

/** A guest as `GET /api/svcops/invites` lists one, with the link to send. */
export type ListedGuest = Guest & { readonly link: string };

export type EventType = 'login' | 'timeline_view';

export type Layout = 'mobile' | 'desktop';

/** The layout that was served, and whether the address asked for it. */
export type ViewMeta = { readonly view: Layout; readonly forced: boolean };

/** What the User-Agent header tells. Names have no versions; an unknown one is empty. */
export type Device = {
  /** `desktop`, `unknown`, or a type of ua-parser-js, such as `mobile`. */
  readonly deviceType: string;
  readonly os: string;
  readonly browser: string;
};

export type Event = Device & {
  readonly id: number;
  readonly type: EventType;
  readonly email: string;
  readonly occurredAt: number;
  readonly session: string;
  /** `null` for a login. */
  readonly meta: ViewMeta | null;
};

/** One person's events. */
export type EventSummary = {
  readonly email: string;
  readonly logins: number;
  readonly timelineViews: number;
  readonly lastSeenAt: number;
};

export type JoinClick = {
  readonly id: number;
  readonly email: string;
  readonly firstName: string | null;
  readonly session: string;
  readonly clickedAt: number;
};

/** One person's join clicks. */
export type JoinSummary = {
  readonly email: string;
  readonly firstName: string | null;
  readonly clicks: number;
  readonly firstAt: number;
  readonly lastAt: number;
};

export type JoinStats = { readonly clicks: number; readonly users: number };

/** Which rows of a log to list. A field that is `undefined` does not count. */
export type LogFilter = {
  readonly email?: string | undefined;
  readonly type?: EventType | undefined;
  /** Only rows with a smaller id. */
  readonly before?: number | undefined;
  /** How many at most. */
  readonly limit?: number;
};

export type NamedCount = { readonly name: string; readonly count: number };

/** A UTC day: `2026-11-28`. */
export type Day = Counts & { readonly day: string };

/** `GET /api/svcops/stats`: the numbers of some days, of which the last one is today. */
export type Statistics = {
  readonly days: number;
  readonly totals: Counts;
  /** How many people did each at least once. */
  readonly people: { readonly loggedIn: number; readonly viewed: number; readonly joined: number };
  /** Every day, oldest first. */
  readonly daily: readonly Day[];
  /** Events by type of device, the most frequent first. */
  readonly devices: readonly NamedCount[];
};

/** A person to invite, as `POST /api/svcops/invites/many` takes one. */
export type NewGuest = { readonly email: string; readonly firstName: string | null };

/** Why a person cannot be invited. */
export type Refusal = 'invalid_email' | 'invalid_first_name';

export type RefusedGuest = {
  /** In the list that was sent, from 0. */
  readonly index: number;
  readonly reason: Refusal;
};

/** What became of many invites. */
export type InvitedMany = {
  readonly added: number;
  /** How many were invited already. */
  readonly invited: number;
  readonly refused: readonly RefusedGuest[];
};

export type JsonObject = Readonly<Record<string, unknown>>;

/** `{}`, but neither a list nor `null`. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
