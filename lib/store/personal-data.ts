/** The data about one address in all tables, and its erasure. */
import type { Database } from 'better-sqlite3';
import { requireRow } from './paging.ts';

/** Numbers of rows that contain an address, in every schema. */
const TRACES = {
  invites: 'select count(*) from invites where email = $email',
  sessions: 'select count(*) from sessions where email = $email',
  events: 'select count(*) from events where email = $email',
  joinClicks: 'select count(*) from project_joins where email = $email',
  /** Invites of others, with the address as inviter. */
  invited: 'select count(*) from invites where invited_by = $email',
  changes: 'select count(*) from changes where email = $email or author = $email',
};

export type TraceCounts = Readonly<Record<keyof typeof TRACES, number>>;

/** Replaces an erased address. */
export const ERASED_EMAIL = 'erased';

/** Reads whole logs. */
export function countTraces(db: Database, email: string): TraceCounts {
  const counts = Object.entries(TRACES).map(([name, count]) => `(${count}) as ${name}`);
  const select = db.prepare<{ email: string }, TraceCounts>(`select ${counts.join(', ')}`);
  return requireRow(select.get({ email }));
}

/** Whether no row contains the address. */
export const isUnknown = (traces: TraceCounts): boolean =>
  Object.values(traces).every((count) => count === 0);

export function personalDataReader(db: Database) {
  const sessions = db.prepare<[string], { id: string; createdAt: number; expiresAt: number }>(
    `select id, created_at as createdAt, expires_at as expiresAt
     from sessions where email = ? order by created_at desc`,
  );
  const invited = db
    .prepare<[string], string>('select email from invites where invited_by = ? order by email')
    .pluck();
  return {
    traces: (email: string) => countTraces(db, email),
    /** Sessions without their proofs, expired ones included. */
    sessions: (email: string) => sessions.all(email),
    /** The people whom this person has invited. */
    invited: (email: string) => invited.all(email),
  };
}

/** Makes a function that deletes all rows about addresses. The caller records it. */
export function erasureWriter(db: Database) {
  const erased = 'in (select value from json_each($emails))';
  const statements = [
    `delete from sessions where email ${erased}`,
    `delete from invites where email ${erased}`,
    `delete from project_joins where email ${erased}`,
    `delete from events where email ${erased}`,
    `update invites set invited_by = '${ERASED_EMAIL}' where invited_by ${erased}`,
    `update changes set email = '${ERASED_EMAIL}' where email ${erased}`,
    `update changes set author = '${ERASED_EMAIL}' where author ${erased}`,
  ].map((sql) => db.prepare<[{ emails: string }]>(sql));
  return (emails: readonly string[]): void => {
    for (const statement of statements) statement.run({ emails: JSON.stringify(emails) });
  };
}
