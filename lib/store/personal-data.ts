/** The data about one address in all tables, and its erasure. */
import type { Database } from 'better-sqlite3';
import { requireRow } from './paging.ts';

/** Numbers of rows that contain an address; from the logs, only counted rows. */
const TRACES = {
  invites: 'select count(*) from invites where email = $email',
  sessions: 'select count(*) from sessions where email = $email',
  events: `select ifnull(sum(logins + timeline_views), 0)
    from people cross join activity on person = id where email = $email`,
  joinClicks: `select ifnull(sum(join_clicks), 0)
    from people cross join activity on person = id where email = $email`,
  /** Invites of others, with the address as inviter. */
  invited: 'select count(*) from invites where invited_by = $email',
  changes: 'select count(*) from changes where email = $email or author = $email',
};

export type TraceCounts = Readonly<Record<keyof typeof TRACES, number>>;

/** Replaces an erased address. */
export const ERASED_EMAIL = 'erased';

export function personalDataReader(db: Database) {
  const counts = Object.entries(TRACES).map(([name, count]) => `(${count}) as ${name}`);
  const traces = db.prepare<{ email: string }, TraceCounts>(`select ${counts.join(', ')}`);
  const sessions = db.prepare<[string], { id: string; createdAt: number; expiresAt: number }>(
    `select id, created_at as createdAt, expires_at as expiresAt
     from sessions where email = ? order by created_at desc`,
  );
  const invited = db
    .prepare<[string], string>('select email from invites where invited_by = ? order by email')
    .pluck();
  return {
    traces: (email: string): TraceCounts => requireRow(traces.get({ email })),
    /** Sessions without their proofs, expired ones included. */
    sessions: (email: string) => sessions.all(email),
    /** The people whom this person has invited. */
    invited: (email: string) => invited.all(email),
  };
}

/** Deletes all rows about an address. Triggers update the totals. @param db of 1.1.0 or later */
export function erasureWriter(db: Database) {
  const ofAccess = [
    'delete from sessions where email = $email',
    'delete from invites where email = $email',
    `update invites set invited_by = '${ERASED_EMAIL}' where invited_by = $email`,
    `update changes set email = '${ERASED_EMAIL}' where email = $email`,
    `update changes set author = '${ERASED_EMAIL}' where author = $email`,
  ];
  const part = 'person = (select id from people where email = $email) limit $limit';
  const counted = [
    `delete from events where id in (
      select event from event_blocks cross join person_events using (block) where ${part})`,
    `delete from project_joins where id in (select click from person_clicks where ${part})`,
  ];

  return {
    /** Deletes invite and sessions, which ends recording; replaces the address in other rows. */
    eraseAccess(email: string): void {
      for (const sql of ofAccess) db.prepare(sql).run({ email });
    },
    /** Deletes up to `limit` counted rows of each log. @returns how many */
    eraseCounted(email: string, limit: number): number {
      return counted.reduce((sum, sql) => sum + db.prepare(sql).run({ email, limit }).changes, 0);
    },
    /** Deletes also uncounted rows, by scans of whole logs. */
    eraseLogs(email: string): void {
      for (const log of ['project_joins', 'events'])
        db.prepare(`delete from ${log} where email = ?`).run(email);
    },
  };
}
