/** Types of JSON replies, for routes and pages. */
import type * as rows from '../records.ts';

type Rows<Row> = readonly rows.WithReadable<Row>[];

/** A cursor of the next page. */
type Next = { readonly next: string | null };

/** `POST /auth/logout` and `POST /api/project-join` */
export type DoneReply = { readonly ok: true };

/** `GET /api/project-join` */
export type JoinedReply = { readonly joined: boolean };

/** `POST /auth/login` */
export type LoginReply = DoneReply & { readonly firstName: string | null };

/** `GET /auth/me` */
export type MeReply = { readonly email: string; readonly firstName: string | null };

/** `GET /api/svcops/stats` */
export type StatsReply = {
  /** The days that the numbers are of, `YYYY-MM-DD`, both included. */
  readonly period: { readonly from: string; readonly to: string };
  /** Invites and administrators are current numbers. The others are of the period. */
  readonly totals: rows.InviteCounts & rows.Activity;
  /** The period before, of equal length; `null` if the query has only a last day. */
  readonly before: (rows.Activity & { readonly people: rows.PeopleCounts }) | null;
  /** The first day with data, `YYYY-MM-DD`. */
  readonly first: string | null;
  readonly people: rows.PeopleCounts;
  /** Of all time, like the shares. */
  readonly funnel: rows.Funnel;
  readonly daily: readonly rows.Day[];
  readonly devices: readonly rows.DeviceShare[];
  readonly os: readonly rows.DeviceShare[];
  readonly browsers: readonly rows.DeviceShare[];
};

/** `GET /api/svcops/invites`: people, and how many people match the filters */
export type InvitesReply = Next & {
  readonly invites: Rows<rows.ListedInvite>;
  readonly total: number;
};

/** `POST /api/svcops/invites` */
export type InviteReply = DoneReply & { readonly invite: rows.WithReadable<rows.Invite> };

/** `GET /api/svcops/joins` */
export type JoinsReply = {
  readonly stats: rows.JoinStats;
  readonly summary: Rows<rows.JoinSummary>;
  readonly clicks: Rows<rows.JoinClick>;
  /** The cursors of the next pages. */
  readonly next: { readonly summary: string | null; readonly clicks: string | null };
};

/** `GET /api/svcops/events` */
export type EventsReply = Next & { readonly events: Rows<rows.Event> };

/** `GET /api/svcops/changes` */
export type ChangesReply = Next & { readonly changes: Rows<rows.Change> };

/** `GET /api/svcops/person` */
export type PersonReply = {
  readonly person: rows.WithReadable<rows.Person> | null;
  readonly devices: readonly rows.PersonDevice[];
};
