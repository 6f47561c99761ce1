/** The lengths and columns of lists, for the server, the tools and the administrator page. */
import type * as rows from './records.ts';

/** Maximum number of rows in one reply. */
export const MAX_ROWS = 500;

/** The columns of a list, as the names of fields. */
export type Columns<Row> = readonly (keyof Row & string)[];

/**
 * Whether a field is a time in epoch ms, judged by its name: `at` and `invitedAt`, not `format`.
 */
export const isTimeColumn = (name: string): boolean => /(^a|A)t$/.test(name);

/** The columns of the table of invites in the store, by the fields of an invite, in order. */
export const INVITE_COLUMNS: { readonly [Field in keyof rows.Invite]: string } = {
  email: 'email',
  firstName: 'first_name',
  isAdmin: 'is_admin',
  invitedBy: 'invited_by',
  invitedAt: 'invited_at',
};

/**
 * The columns of the numbers of what people did, by their fields, in order. The tables of
 * sql/count-tables.sql have them.
 */
export const ACTIVITY_COLUMNS: { readonly [Field in keyof rows.Activity]: string } = {
  logins: 'logins',
  timelineViews: 'timeline_views',
  joinClicks: 'join_clicks',
};

const INVITE_FIELDS = Object.keys(INVITE_COLUMNS) as readonly (keyof rows.Invite)[];
const ACTIVITY_FIELDS = Object.keys(ACTIVITY_COLUMNS) as readonly (keyof rows.Activity)[];

/** The columns of each list, in order. */
export const COLUMNS: {
  readonly invites: Columns<rows.ListedInvite>;
  readonly joinSummary: Columns<rows.JoinSummary>;
  readonly joinClicks: Columns<rows.JoinClick>;
  readonly events: Columns<rows.Event>;
  readonly peopleSeen: Columns<rows.PersonTotals>;
  readonly changes: Columns<rows.Change>;
} = {
  invites: [...INVITE_FIELDS, 'status', ...ACTIVITY_FIELDS, 'lastSeenAt'],
  joinSummary: ['email', 'firstName', 'clicks', 'firstAt', 'lastAt', 'firstTime'],
  joinClicks: ['id', 'email', 'firstName', 'session', 'clickedAt'],
  events: ['id', 'type', 'email', 'occurredAt', 'session', 'deviceType', 'os', 'browser', 'meta'],
  peopleSeen: ['email', 'logins', 'timelineViews', 'lastSeenAt'],
  changes: ['id', 'at', 'by', 'via', 'what', 'email', 'detail'],
};
