/** The data about one address in all tables, and its erasure. */
import type { Database } from 'better-sqlite3';
import { single } from './page.ts';

/** The rows that name an address. */
const TRACES = {
  invites: 'invites where email = $email',
  sessions: 'sessions where email = $email',
  events: 'events where email = $email',
  joinClicks: 'project_joins where email = $email',
  /** Invites of others, with the address as inviter. */
  invited: 'invites where invited_by = $email',
  changes: 'changes where email = $email or author = $email',
};

/** Numbers of rows that name an address. */
export type Traces = Readonly<Record<keyof typeof TRACES, number>>;

/** On record instead of an address that has been erased. */
export const ERASED = 'erased';

/** The tables that grow with each visit. */
const LOGS = ['project_joins', 'events'] as const;

export function personalData(db: Database) {
  const counts = Object.entries(TRACES).map(
    ([name, rows]) => `(select count(*) from ${rows}) ${name}`,
  );
  const traces = db.prepare<{ email: string }, Traces>(`select ${counts.join(', ')}`);
  const sessions = db.prepare<[string], { id: string; createdAt: number; expiresAt: number }>(
    `select id, created_at as createdAt, expires_at as expiresAt
     from sessions where email = ? order by created_at desc`,
  );
  const invited = db
    .prepare<[string], string>('select email from invites where invited_by = ? order by email')
    .pluck();
  return {
    traces: (email: string): Traces => single(traces.get({ email })),
    /** Sessions without their proofs, expired ones included. */
    sessions: (email: string) => sessions.all(email),
    /** The people whom the address has invited. */
    invited: (email: string) => invited.all(email),
  };
}

/**
 * Deletes all rows about an address, in steps that delay other writers only shortly. Triggers keep
 * the totals.
 *
 * @param db a store or snapshot of 1.1.0 or later
 */
export function erasure(db: Database) {
  const endSessions = db.prepare<[string]>('delete from sessions where email = ?');
  const uninvite = db.prepare<[string]>('delete from invites where email = ?');
  const disown = db.prepare<[string]>(
    `update invites set invited_by = '${ERASED}' where invited_by = ?`,
  );
  const anonymizations = ['email', 'author'].map((column) =>
    db.prepare<[string]>(`update changes set ${column} = '${ERASED}' where ${column} = ?`),
  );
  const deletions = LOGS.map((log) =>
    db.prepare<[string, number]>(`delete from ${log} where email = ? limit ?`),
  );
  return {
    /** Deletes the invite and the sessions, so that nothing more is recorded. */
    expel(email: string): void {
      for (const statement of [endSessions, uninvite, disown, ...anonymizations])
        statement.run(email);
    },
    /** Deletes up to `limit` rows of each log. @returns how many */
    eraseLogs: (email: string, limit: number): number =>
      deletions.reduce((sum, deletion) => sum + deletion.run(email, limit).changes, 0),
  };
}
