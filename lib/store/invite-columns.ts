/** An invite with what its person has done, as it is read from the table `people`. */

export type Invite = {
  readonly email: string;
  readonly firstName: string | null;
  readonly isAdmin: boolean;
  /** The administrator's email, or `cli`. */
  readonly invitedBy: string;
  /** Epoch ms. */
  readonly invitedAt: number;
};

/** How far somebody invited has come; in the order in which the store numbers them. */
export const STATUSES = ['not_come', 'logged_in', 'viewed', 'joined'] as const;

export type Status = (typeof STATUSES)[number];

/** An invite with the running totals of its person. */
export type ListedInvite = Invite & {
  readonly status: Status;
  readonly logins: number;
  readonly timelineViews: number;
  readonly joinClicks: number;
  /** Epoch ms of the newest login or view. */
  readonly lastSeenAt: number | null;
};

export const COLUMNS = `email, nullif(first_name, '') as firstName, is_admin as isAdmin,
  invited_by as invitedBy, invited_at as invitedAt, status, logins,
  timeline_views as timelineViews, join_clicks as joinClicks, last_seen_at as lastSeenAt`;

/** A row of those columns. */
export type PersonRow = Omit<ListedInvite, 'isAdmin' | 'status'> & {
  readonly isAdmin: 0 | 1;
  readonly status: number | null;
};

/** The status that the store writes as a number. */
export function statusOf(stored: number | null): Status {
  const status = STATUSES[stored ?? Number.NaN];
  if (!status) throw new Error(`the store holds the status ${stored}, which is unknown`);
  return status;
}
