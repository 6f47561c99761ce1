/** What is stored about one address, wherever it is, and how that is erased. */
import type { Database } from 'better-sqlite3';
import { hasTable } from '../file/inspection.ts';

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

export type PersonalData = ReturnType<typeof personalData>;

/** The inviter on record after the real one has been erased. */
const ERASED = 'erased';

/** The tables that grow with what people do. */
const LOGS = ['project_joins', 'events'] as const;

export function personalData(db: Database) {
  const traces = db.prepare<{ email: string }, Traces>(
    `select
       (select count(*) from invites where email = $email) as invites,
       (select count(*) from sessions where email = $email) as sessions,
       (select count(*) from events where email = $email) as events,
       (select count(*) from project_joins where email = $email) as joinClicks,
       (select count(*) from invites where invited_by = $email) as invited`,
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
      `select email from people where instr(email, $email) > 0 and email <> $email
       union select invited_by from invites where instr(invited_by, $email) > 0 and invited_by <> $email`,
    )
    .pluck();

  return {
    traces(email: string): Traces {
      const found = traces.get({ email });
      if (!found) throw new Error('a select without a from has one row');
      return found;
    },
    /** Sessions, also those that have expired and are not swept yet. */
    sessions: (email: string) => sessions.all(email),
    /** The people whom the address has invited. */
    invited: (email: string) => invited.all(email),
    /** Longer addresses that contain this one. */
    containing: (email: string) => containing.all({ email }),
  };
}

/**
 * Deletes all rows about an address, in steps that hold no other writer up for long; triggers keep
 * the totals.
 *
 * @param db a store of any version: an older one lacks some tables
 */
export function erasure(db: Database) {
  const endSessions = db.prepare<[string]>('delete from sessions where email = ?');
  const uninvite = db.prepare<[string]>('delete from invites where email = ?');
  const disown = db.prepare<[string]>(
    `update invites set invited_by = '${ERASED}' where invited_by = ?`,
  );
  const deletions = LOGS.filter((log) => hasTable(db, log)).map((log) =>
    db.prepare<[string, number]>(`delete from ${log} where email = ? limit ?`),
  );
  return {
    /**
     * Deletes the invite and the sessions, so that nothing more is recorded. Invites by the address
     * stay, with `erased` as their inviter. The caller has begun a transaction.
     */
    expel(email: string): void {
      for (const statement of [endSessions, uninvite, disown]) statement.run(email);
    },
    /** Deletes up to `limit` rows of each log. @returns how many */
    eraseLogs: (email: string, limit: number): number =>
      deletions.reduce((sum, deletion) => sum + deletion.run(email, limit).changes, 0),
  };
}
