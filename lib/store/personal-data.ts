/** The data about one address in all tables, and its erasure. */
import type { Database } from 'better-sqlite3';
import { requireRow } from './paging.ts';

/** Numbers of rows that contain an address, in every schema since 1.1.0. */
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

/** Events among which one step of an erasure looks, so that each transaction is short. */
const STEP = 50_000;

/** Deletes all rows about an address. */
export function erasureWriter(db: Database) {
  const ofAccess = [
    'delete from sessions where email = $email',
    'delete from invites where email = $email',
    'delete from project_joins where email = $email',
    `update invites set invited_by = '${ERASED_EMAIL}' where invited_by = $email`,
    `update changes set email = '${ERASED_EMAIL}' where email = $email`,
    `update changes set author = '${ERASED_EMAIL}' where author = $email`,
  ].map((sql) => db.prepare<[{ email: string }]>(sql));
  const nextIds = db.prepare<[number], { last: number | null; left: number }>(
    `select max(id) as last, ifnull((select max(id) from events) - max(id), 0) as left
     from (select id from events where id > ? order by id limit ${STEP})`,
  );
  const eraseEvents = db.prepare<[string, number, number]>(
    'delete from events where email = ? and id > ? and id <= ?',
  );

  return {
    /** Deletes all but events. Without a session, no more are recorded. */
    eraseAccess(email: string): void {
      for (const statement of ofAccess) statement.run({ email });
    },
    /** Deletes events behind an id. @returns the last id of the step, and how many may be left */
    eraseEvents(email: string, after: number) {
      const step = requireRow(nextIds.get(after));
      if (step.last !== null) eraseEvents.run(email, after, step.last);
      return step;
    },
  };
}
