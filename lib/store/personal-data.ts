/** What is stored about one address, wherever it is, and how that is erased. */
import type { Database } from 'better-sqlite3';

/** Numbers of rows that name an address. */
export type Traces = {
  readonly invites: number;
  readonly sessions: number;
  readonly events: number;
  readonly joinClicks: number;
  /** Invites of others that name the address as inviter. */
  readonly invited: number;
};

/** A session without its proof. */
export type SessionOnRecord = {
  readonly id: string;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly expiresAt: number;
};

export type Activity = {
  readonly logins: number;
  readonly timelineViews: number;
  readonly joinClicks: number;
  /** Epoch ms. */
  readonly lastSeenAt: number | null;
  readonly firstJoinAt: number | null;
  readonly lastJoinAt: number | null;
};

export type PersonalData = {
  traces(email: string): Traces;
  /** The running totals of a person, if anything is known of them. */
  activity(email: string): Activity | undefined;
  /** Sessions, also ended ones that have not been swept yet. */
  sessions(email: string): readonly SessionOnRecord[];
  /** Whom the address has invited. */
  invited(email: string): readonly string[];
  /**
   * Deletes every row about an address; triggers keep the totals. In the invites of others, which stay, it becomes
   * `erased`. To be run in one transaction.
   */
  erase(email: string): void;
};

/** Who is said to have invited somebody whose inviter has been erased. */
const ERASED = 'erased';

/** The tables whose rows are about an address. */
const TABLES = ['project_joins', 'events', 'sessions', 'invites'] as const;

export function personalData(db: Database): PersonalData {
  const traces = db.prepare<{ email: string }, Traces>(
    `select
       (select count(*) from invites where email = $email) as invites,
       (select count(*) from sessions where email = $email) as sessions,
       (select count(*) from events where email = $email) as events,
       (select count(*) from project_joins where email = $email) as joinClicks,
       (select count(*) from invites where invited_by = $email) as invited`,
  );
  const activity = db.prepare<[string], Activity>(
    `select logins, timeline_views as timelineViews, join_clicks as joinClicks,
       last_seen_at as lastSeenAt, first_join_at as firstJoinAt, last_join_at as lastJoinAt
     from people where email = ?`,
  );
  const sessions = db.prepare<[string], SessionOnRecord>(
    `select id, created_at as createdAt, expires_at as expiresAt
     from sessions where email = ? order by created_at desc`,
  );
  const invited = db
    .prepare<[string], string>('select email from invites where invited_by = ? order by email')
    .pluck();
  const disown = db.prepare<[string, string]>(
    'update invites set invited_by = ? where invited_by = ?',
  );
  const deletions = TABLES.map((table) =>
    db.prepare<[string]>(`delete from ${table} where email = ?`),
  );

  return {
    traces: (email) => {
      const found = traces.get({ email });
      if (!found) throw new Error('a select without a from has one row');
      return found;
    },
    activity: (email) => activity.get(email),
    sessions: (email) => sessions.all(email),
    invited: (email) => invited.all(email),
    erase(email) {
      for (const deletion of deletions) deletion.run(email);
      disown.run(ERASED, email);
    },
  };
}
