/** The data about an address: finds and erases it in all tables, and finds it in snapshots. */
import { messageOf, StoreError } from '../../store/errors.ts';
import { fsync } from '../../store/files.ts';
import {
  listDrafts,
  listLostJournals,
  listSnapshots,
  type Snapshot,
} from '../../store/snapshots.ts';
import Database, { withDatabase } from '../../store/sqlite.ts';

/** Replaces an erased address. */
export const ERASED_EMAIL = 'erased';

/** The tables whose rows are about one person, named by the column `email`. */
const PERSONAL_TABLES = ['sessions', 'invites', 'project_joins', 'events'];

/** A column that names a person in a row about something else. */
type Mention = {
  readonly table: string;
  readonly column: string;
};

const MENTIONS: readonly Mention[] = [
  { table: 'invites', column: 'invited_by' },
  { table: 'changes', column: 'email' },
  { table: 'changes', column: 'author' },
];

/** A session without its secret. Times in epoch ms. */
type StoredSession = {
  readonly id: string;
  readonly createdAt: number;
  readonly expiresAt: number;
};

/** Reads data that only the export of a person needs. */
export type PersonalDataReader = {
  readonly isKnown: (email: string) => boolean;
  /** Also expired ones. */
  readonly sessions: (email: string) => readonly StoredSession[];
  /** The people whom this person invited. */
  readonly invited: (email: string) => readonly string[];
};

export function personalDataReader(db: Database.Database): PersonalDataReader {
  const sessions = db.prepare<[string], StoredSession>(
    `select id, created_at as createdAt, expires_at as expiresAt
     from sessions where email = ? order by created_at desc`,
  );
  const invited = db
    .prepare<[string], string>('select email from invites where invited_by = ? order by email')
    .pluck();
  return {
    isKnown: knownFinder(db),
    sessions(email) {
      return sessions.all(email);
    },
    invited(email) {
      return invited.all(email);
    },
  };
}

/** Makes a function that tells whether any row has an address. It may read the whole log. */
function knownFinder(db: Database.Database): (email: string) => boolean {
  const conditions: string[] = [];
  for (const table of PERSONAL_TABLES)
    conditions.push(`exists (select 1 from ${table} where email = $email)`);
  for (const { table, column } of MENTIONS)
    conditions.push(`exists (select 1 from ${table} where ${column} = $email)`);
  const select = db
    .prepare<[{ email: string }], 0 | 1>(`select ${conditions.join(' or ')}`)
    .pluck();
  return (email) => select.get({ email }) === 1;
}

/** Makes a function that deletes all rows about addresses. Its caller writes to the audit log. */
export function erasureWriter(db: Database.Database): (emails: readonly string[]) => void {
  const isErased = 'in (select value from json_each($emails))';
  const statements: string[] = [];
  for (const table of PERSONAL_TABLES)
    statements.push(`delete from ${table} where email ${isErased}`);
  for (const { table, column } of MENTIONS)
    statements.push(
      `update ${table} set ${column} = '${ERASED_EMAIL}' where ${column} ${isErased}`,
    );
  const prepared = statements.map((sql) => db.prepare<[{ emails: string }]>(sql));
  return (emails) => {
    for (const statement of prepared) statement.run({ emails: JSON.stringify(emails) });
  };
}

/**
 * Rewrites the whole store, because free pages and the WAL contain bytes of deleted rows. The
 * server waits during this.
 *
 * @throws {StoreError} if such bytes are still in the file
 */
export function removeDeletedBytes(store: string): void {
  const db = new Database(store, { fileMustExist: true });
  try {
    db.exec('vacuum');
    // A write of the server waits as long.
    db.pragma('busy_timeout = 1000');
    if (db.pragma('wal_checkpoint(truncate)', { simple: true }) !== 0)
      throw new Error(`another program, such as the standby, reads ${store}`);
    // Without a sync, the old bytes could return after a power cut.
    fsync(`${store}-wal`);
  } catch (error) {
    const left = `erased, but its bytes are still in the file: ${messageOf(error)}`;
    throw new StoreError(`${left}; correct that, and run this again`, { cause: error });
  } finally {
    db.close();
  }
}

/** The snapshots and drafts that contain one of these addresses, or cannot be read. */
export function copiesWith(store: string, emails: readonly string[]): readonly Snapshot[] {
  const copies = [...listSnapshots(store), ...listDrafts(store), ...listLostJournals(store)];
  return copies.filter(({ file }) => mayHold(file, emails));
}

function mayHold(file: string, emails: readonly string[]): boolean {
  return withDatabase(
    file,
    { readonly: true },
    (db) => emails.some(knownFinder(db)),
    () => true,
  );
}
