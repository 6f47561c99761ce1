/** Types of JSON replies, for routes, tools and pages. */
import type {
  Activity,
  Change,
  Counts,
  Day,
  DeviceShare,
  Event,
  Funnel,
  Invite,
  JoinClick,
  JoinStats,
  JoinSummary,
  ListedInvite,
  PeopleCounts,
  Person,
  PersonDevice,
  WithReadable,
} from './records.ts';

export type ErrorReply = { readonly error: string };

/** `POST /auth/logout` and `POST /api/project-join` */
export type DoneReply = { readonly ok: true };

/** `GET /api/project-join` */
export type JoinedReply = { readonly joined: boolean };

/** `POST /auth/login` */
export type LoginReply = DoneReply & Pick<Invite, 'firstName'>;

/** `GET /auth/me` */
export type MeReply = Pick<Invite, 'email' | 'firstName'>;

/** `GET /api/svcops/stats` */
export type StatsReply = {
  /** Current invites and administrators; the rest over the period, or over all time. */
  readonly totals: Counts;
  /** The preceding period of equal length; `null` without a period in the query. */
  readonly before: (Activity & { readonly people: PeopleCounts }) | null;
  /** The first day with data, `YYYY-MM-DD`. */
  readonly first: string | null;
  readonly people: PeopleCounts;
  /** Over all time, like the shares. */
  readonly funnel: Funnel;
  readonly daily: readonly Day[];
} & Readonly<Record<'devices' | 'os' | 'browsers', readonly DeviceShare[]>>;

/** A page of a list, under its name, and the cursor of the next page. */
type ListReply<Name extends string, Row> = Readonly<Record<Name, readonly WithReadable<Row>[]>> & {
  readonly next: string | null;
};

/** `GET /api/svcops/invites` */
export type InvitesReply = ListReply<'invites', ListedInvite> & {
  /** How many people the filters find. */
  readonly total: number;
};

/** `POST /api/svcops/invites` */
export type InviteReply = { readonly ok: true; readonly invite: WithReadable<Invite> };

/** A person in a list, or a line with a mistake. */
export type InviteLine = {
  /** The number of the line, from 1. */
  readonly line: number;
  /** The line, or the person's part of it. */
  readonly text: string;
  /** As stored; empty if the address is invalid. */
  readonly email: string;
  readonly firstName: string | null;
  /** `renames`: invited under another first name, which stays. */
  readonly status: 'new' | 'invited' | 'renames' | 'refused';
  /** The code of the mistake if it is refused; `twice` if an earlier line has the address. */
  readonly reason: string | null;
  /** The domain that was probably meant, such as `gmail.com`. */
  readonly suggestion: string | null;
};

/** `POST /api/svcops/invites/many` */
export type InviteManyReply = {
  readonly lines: readonly WithReadable<InviteLine>[];
  /** The headings of columns that are not read. */
  readonly ignored: readonly string[];
  /** A sentence about first names that may be wrong. */
  readonly warning: string | null;
  /** The number of invites that were written. */
  readonly added: number;
};

/** `GET /api/svcops/joins` */
export type JoinsReply = {
  readonly stats: JoinStats;
  readonly summary: readonly WithReadable<JoinSummary>[];
  readonly clicks: readonly WithReadable<JoinClick>[];
  readonly next: Readonly<Record<'summary' | 'clicks', string | null>>;
};

/** `GET /api/svcops/events` */
export type EventsReply = ListReply<'events', Event>;

/** `GET /api/svcops/changes` */
export type ChangesReply = ListReply<'changes', Change>;

/** `GET /api/svcops/person` */
export type PersonReply = {
  readonly person: WithReadable<Person> | null;
  readonly devices: readonly PersonDevice[];
};
