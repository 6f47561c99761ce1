/** The data about an address: in all tables, in snapshots, and its erasure. */
import { setTimeout } from 'node:timers/promises';
import { StoreError } from './errors.ts';
import { fsync } from './files.ts';
import { listDrafts, listSnapshots, type Snapshot } from './snapshots.ts';
import Database, { requireRow, withDatabase } from './sqlite.ts';

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

type Trace = keyof typeof TRACES;
type TraceCounts = Readonly<Record<Trace, number>>;

export const TRACE_NAMES = Object.keys(TRACES) as readonly Trace[];

/** Replaces an erased address. */
export const ERASED_EMAIL = 'erased';

function countTraces(db: Database.Database, email: string): TraceCounts {
  const counts = Object.entries(TRACES).map(([name, count]) => `(${count}) as ${name}`);
  const select = db.prepare<{ email: string }, TraceCounts>(`select ${counts.join(', ')}`);
  return requireRow(select.get({ email }));
}

/** Whether no row contains the address. */
export const isUnknown = (traces: TraceCounts): boolean =>
  Object.values(traces).every((count) => count === 0);

export function personalDataReader(db: Database.Database) {
  const sessions = db.prepare<[string], { id: string; createdAt: number; expiresAt: number }>(
    `select id, created_at as createdAt, expires_at as expiresAt
     from sessions where email = ? order by created_at desc`,
  );
  const invited = db
    .prepare<[string], string>('select email from invites where invited_by = ? order by email')
    .pluck();
  return {
    /** Reads whole logs. */
    traces: (email: string) => countTraces(db, email),
    /** Sessions without their proofs, expired ones included. */
    sessions: (email: string) => sessions.all(email),
    /** The people whom this person has invited. */
    invited: (email: string) => invited.all(email),
  };
}

/** Makes a function that deletes all rows about addresses. The caller records it. */
export function erasureWriter(db: Database.Database) {
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

/** Between two attempts to empty the WAL, in ms. */
const RETRY_PAUSE = 20;

/**
 * Writes the store anew, because pages and the WAL hold bytes of deleted rows. The server waits.
 *
 * @throws {StoreError} if they are still in the file
 */
export async function removeDeletedBytes(store: string): Promise<void> {
  const db = new Database(store, { fileMustExist: true });
  try {
    db.exec('vacuum');
    db.pragma(`busy_timeout = ${RETRY_PAUSE}`);
    const deadline = performance.now() + 5000;
    while (db.pragma('wal_checkpoint(truncate)', { simple: true }) !== 0) {
      if (performance.now() > deadline)
        throw new Error(`another program, such as the standby, reads ${store}`);
      await setTimeout(RETRY_PAUSE);
    }
    // Without a sync, a power cut would undo the truncation.
    fsync(`${store}-wal`);
  } catch (error) {
    const { message } = error as Error;
    const text = `erased, but its bytes are still in the file: ${message}; mend that, and run this again`;
    throw new StoreError(text, { cause: error });
  } finally {
    db.close();
  }
}

/** The snapshots and drafts that contain one of these addresses, or cannot be read. */
export const copiesWith = (store: string, emails: readonly string[]): readonly Snapshot[] =>
  [...listSnapshots(store), ...listDrafts(store)].filter(({ file }) =>
    withDatabase(
      file,
      { readonly: true },
      (db) => emails.some((email) => !isUnknown(countTraces(db, email))),
      () => true,
    ),
  );
