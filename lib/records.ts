/** Types of rows, for store, routes, tools and pages. Times are epoch ms. */

/** A person who may log in. */
export type Invite = {
  readonly email: string;
  readonly firstName: string | null;
  readonly isAdmin: boolean;
  /** The administrator's email, or `cli`. */
  readonly invitedBy: string;
  /** Epoch ms. */
  readonly invitedAt: number;
};

/** An invite to add. Its person is not an administrator. */
export type NewInvite = {
  readonly email: string;
  readonly firstName: string | null;
  /** The administrator's email, or `cli`. */
  readonly invitedBy: string;
  /** Epoch ms. */
  readonly invitedAt: number;
};

/** The session of a visitor. */
export type Session = {
  readonly id: string;
  readonly email: string;
};

/** A press of the join button. */
export type JoinClick = {
  readonly id: number;
  readonly email: string;
  /** The first name of the invite, if there is one. */
  readonly firstName: string | null;
  /** The session identifier. */
  readonly session: string;
  /** Epoch ms. */
  readonly clickedAt: number;
};

/** A join click to record. The session tells its person. */
export type NewJoinClick = {
  /** The session identifier. */
  readonly session: string;
  /** Epoch ms. */
  readonly clickedAt: number;
};

/** The join clicks of one person in a period. */
export type JoinSummary = {
  readonly email: string;
  /** The first name of the invite, if there is one. */
  readonly firstName: string | null;
  readonly clicks: number;
  /** Epoch ms of the first click in the period. */
  readonly firstAt: number;
  /** Epoch ms of the last click in the period. */
  readonly lastAt: number;
  /** Whether the person clicked for the first time ever in this period. */
  readonly firstTime: boolean;
};

export type JoinStats = {
  readonly clicks: number;
  /** How many different people clicked. */
  readonly users: number;
  /** How many of them clicked for the first time ever. */
  readonly firstTime: number;
};

export type EventType = 'login' | 'timeline_view';

/** The layout of a timeline view. */
export type ServedLayout = {
  readonly view: 'mobile' | 'desktop';
  /** Whether the query chose the layout. */
  readonly forced: boolean;
};

/** A device, as its User-Agent header describes it. */
export type Device = {
  /** `desktop`, ua-parser's type (`mobile`, `tablet`, `smarttv`, …), or `unknown`. */
  readonly deviceType: string;
  /** A name without a version; empty if unknown, `Other` if rare. */
  readonly os: string;
  /** A name without a version; empty if unknown, `Other` if rare. */
  readonly browser: string;
};

/** A login or a timeline view to record. The session tells its person. */
export type NewEvent = Device & {
  readonly type: EventType;
  /** Epoch ms. */
  readonly occurredAt: number;
  /** The session identifier. */
  readonly session: string;
  /** `null` for a login. */
  readonly meta: ServedLayout | null;
};

/** A login or a timeline view. */
export type Event = NewEvent & {
  readonly id: number;
  readonly email: string;
};

/** The furthest step of an invited person. */
export type Status = 'pending' | 'logged_in' | 'viewed' | 'joined';

/** Numbers of rows of the logs. */
export type Activity = {
  readonly logins: number;
  readonly timelineViews: number;
  readonly joinClicks: number;
};

/** A person in a list, with totals of all time. */
export type ListedInvite = Activity & {
  readonly email: string;
  readonly firstName: string | null;
  readonly isAdmin: boolean;
  /** `null` if the person is not invited any more. */
  readonly invitedBy: string | null;
  /** Epoch ms; `null` if the person is not invited any more. */
  readonly invitedAt: number | null;
  /** `null` if the person is not invited any more. */
  readonly status: Status | null;
  /** The time of the last act, in epoch ms; `null` without any. */
  readonly lastSeenAt: number | null;
};

/** A person who was ever invited or recorded. */
export type Person = ListedInvite & {
  /** Epoch ms. */
  readonly firstJoinAt: number | null;
  /** Epoch ms. */
  readonly lastJoinAt: number | null;
};

/** Totals of a person who has logged in or viewed. */
export type PersonTotals = {
  readonly email: string;
  readonly logins: number;
  readonly timelineViews: number;
  /** Epoch ms. */
  readonly lastSeenAt: number;
};

/** A device of one person. */
export type PersonDevice = Device & {
  /** How many of the person's recent events came from it. */
  readonly count: number;
  /** The time of the last of them, in epoch ms. */
  readonly lastAt: number;
};

/** The current numbers of invites. */
export type InviteCounts = {
  readonly invites: number;
  readonly admins: number;
};

/** Numbers of different people in a period. */
export type PeopleCounts = {
  readonly loggedIn: number;
  readonly viewed: number;
  readonly joined: number;
};

/** Numbers of invited people, by the furthest step that they have reached. */
export type Funnel = PeopleCounts & {
  readonly invited: number;
};

/** Numbers of rows of a UTC day. */
export type Day = Activity & {
  /** `YYYY-MM-DD` */
  readonly day: string;
};

/** A device type, system or browser. */
export type DeviceShare = {
  readonly name: string;
  /** Its number of events. */
  readonly count: number;
};

/** A change to the invite list or to a person's data. `erased` replaces an erased address. */
export type Change = {
  readonly id: number;
  /** Epoch ms. */
  readonly at: number;
  /** The administrator's email or the operating system's user. */
  readonly by: string;
  readonly via: 'page' | 'cli';
  readonly what:
    | 'invited'
    | 'name_changed'
    | 'removed'
    | 'made_admin'
    | 'no_longer_admin'
    | 'sessions_ended'
    | 'erased'
    | 'restored';
  /** The person; `null` if the change is a restore. */
  readonly email: string | null;
  /** The number of ended sessions, or the restored snapshot. */
  readonly detail: string | null;
};

/** Rows of a list, and the position of the last one; `null` if no more rows follow. */
export type ListPage<Row, Next = string> = {
  readonly rows: readonly Row[];
  readonly next: Next | null;
};

/** A row with the readable form of its address, if that differs from the stored form. */
export type WithReadable<Row> = Row & { readonly readable?: string };
