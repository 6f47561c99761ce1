/** Types of rows, for store, routes, tools and pages. Times are epoch ms. */

type Numbers<Name extends string> = Readonly<Record<Name, number>>;

/** A person who may log in. `invitedBy` is the administrator's email, or `cli`. */
export type Invite = {
  readonly email: string;
  readonly firstName: string | null;
  readonly isAdmin: boolean;
  readonly invitedBy: string;
  readonly invitedAt: number;
};

/** A new invite is never an administrator's. */
export type NewInvite = Omit<Invite, 'isAdmin'>;

/** A valid login. */
export type Session = { readonly id: string; readonly email: string };

/** A press of the join button, with the first name of the invite if there is one. */
export type JoinClick = Pick<Invite, 'email' | 'firstName'> &
  Numbers<'id' | 'clickedAt'> & {
    /** The session identifier. */
    readonly session: string;
  };

/** The join clicks of one person. */
export type JoinSummary = Pick<Invite, 'email' | 'firstName'> &
  Numbers<'clicks' | 'firstAt' | 'lastAt'>;

/** Clicks, different people who clicked, and those who clicked for the first time. */
export type JoinStats = Numbers<'clicks' | 'users' | 'firstTime'>;

export type EventType = 'login' | 'timeline_view';

/** The layout of a timeline view, and whether the query forced it. */
export type ServedLayout = { readonly view: 'mobile' | 'desktop'; readonly forced: boolean };

/**
 * A device, as its User-Agent header describes it: `desktop`, ua-parser's type (`mobile`, `tablet`,
 * `smarttv`, …), or `unknown`; names without version, empty if unknown, `Other` if rare.
 */
export type Device = Readonly<Record<'deviceType' | 'os' | 'browser', string>>;

/** A login or a timeline view. */
export type Event = Device &
  Numbers<'id' | 'occurredAt'> & {
    readonly type: EventType;
    readonly email: string;
    /** The session identifier. */
    readonly session: string;
    /** `null` for a login. */
    readonly meta: ServedLayout | null;
  };

/** The furthest step of an invited person. */
export type Status = 'pending' | 'logged_in' | 'viewed' | 'joined';

/** Numbers of rows. */
export type Activity = Numbers<'logins' | 'timelineViews' | 'joinClicks'>;

/**
 * A person with totals of all time, and the time of the last act. Without an invite, its fields are
 * `null`.
 */
export type ListedInvite = Pick<Invite, 'email' | 'firstName' | 'isAdmin'> &
  Activity &
  Readonly<Record<'invitedAt' | 'lastSeenAt', number | null>> & {
    readonly invitedBy: string | null;
    readonly status: Status | null;
  };

/** A person who was ever invited or recorded. */
export type Person = ListedInvite & Readonly<Record<'firstJoinAt' | 'lastJoinAt', number | null>>;

/** Totals of a person who has logged in or viewed. */
export type PersonTotals = Pick<Person, 'email' | 'logins' | 'timelineViews'> &
  Numbers<'lastSeenAt'>;

/** A device of one person, and the number of recent events with it. */
export type PersonDevice = Device & Numbers<'count' | 'lastAt'>;

/** Numbers of rows, and of current invites. */
export type Counts = Activity & Numbers<'invites' | 'admins'>;

/** Numbers of different people in a period. */
export type PeopleCounts = Numbers<'loggedIn' | 'viewed' | 'joined'>;

/** Numbers of invited people. */
export type Funnel = PeopleCounts & Numbers<'invited'>;

/** Numbers of rows of a UTC day, `YYYY-MM-DD`. */
export type Day = Activity & { readonly day: string };

/** A device type, system or browser, and its number of events. */
export type DeviceShare = { readonly name: string; readonly count: number };

/** A change to the invite list or to a person's data. `erased` replaces an erased address. */
export type Change = Numbers<'id' | 'at'> & {
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
  /** The person; `null` for a restore. */
  readonly email: string | null;
  /** The number of sessions that were ended, or the snapshot that was restored. */
  readonly detail: string | null;
};

/** Rows of a list, and the position of the last one; `null` if no row follows. */
export type ListPage<Row, Next = string> = {
  readonly rows: readonly Row[];
  readonly next: Next | null;
};

/** A row with the readable form of its address, if that differs from the stored form. */
export type WithReadable<Row> = Row & { readonly readable?: string };
