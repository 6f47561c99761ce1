/** What is stored about one address, wherever it is, and how that is erased. */
import type { Database } from 'better-sqlite3';
import { hasTable } from './inspection.ts';

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
  /** The addresses of others of which this one is a part. */
  containing(email: string): readonly string[];
  readonly erasure: Erasure;
};

/** Deletes all rows about an address, in steps that hold nobody up for long; triggers keep the totals. */
export type Erasure = {
  /**
   * Deletes the invite and the sessions, so that nothing more is recorded. In the invites of others, which stay, the
   * address becomes `erased`. To be run in one transaction.
   */
  expel(email: string): void;
  /** Deletes up to `limit` rows of each log. @returns how many */
  eraseLogs(email: string, limit: number): number;
};

/** Who is said to have invited somebody whose inviter has been erased. */
const ERASED = 'erased';

/** The tables that grow with what people do. */
const LOGS = ['project_joins', 'events'] as const;

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
  const containing = db
    .prepare<{ email: string }, string>(
      'select email from people where instr(email, $email) > 0 and email <> $email',
    )
    .pluck();

  return {
    traces: (email) => {
      const found = traces.get({ email });
      if (!found) throw new Error('a select without a from has one row');
      return found;
    },
    activity: (email) => activity.get(email),
    sessions: (email) => sessions.all(email),
    invited: (email) => invited.all(email),
    containing: (email) => containing.all({ email }),
    erasure: erasure(db),
  };
}

/** @param db a store of any version: an older one lacks some tables */
export function erasure(db: Database): Erasure {
  const endSessions = db.prepare<[string]>('delete from sessions where email = ?');
  const uninvite = db.prepare<[string]>('delete from invites where email = ?');
  const disown = db.prepare<[string, string]>(
    'update invites set invited_by = ? where invited_by = ?',
  );
  const deletions = LOGS.filter((log) => hasTable(db, log)).map((log) =>
    db.prepare<[string, number]>(`delete from ${log} where email = ? limit ?`),
  );
  return {
    expel(email) {
      endSessions.run(email);
      uninvite.run(email);
      disown.run(ERASED, email);
    },
    eraseLogs: (email, limit) =>
      deletions.reduce((sum, deletion) => sum + deletion.run(email, limit).changes, 0),
  };
}
