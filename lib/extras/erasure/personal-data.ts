/** The data about an address: in all tables, in snapshots, and its erasure. */
import { messageOf, StoreError } from '../../store/errors.ts';
import { fsync } from '../../store/files.ts';
import { listDrafts, listSnapshots, type Snapshot } from '../../store/snapshots.ts';
import Database, { withDatabase } from '../../store/sqlite.ts';

/** Replaces an erased address. */
export const ERASED_EMAIL = 'erased';

/** The tables whose rows are about one person, and the columns of others that name a person. */
const TABLES = ['sessions', 'invites', 'project_joins', 'events'];
const NAMES = [
  ['invites', 'invited_by'],
  ['changes', 'email'],
  ['changes', 'author'],
] as const;

const IS_KNOWN = [...TABLES.map((table) => [table, 'email'] as const), ...NAMES]
  .map(([table, column]) => `exists (select 1 from ${table} where ${column} = $email)`)
  .join(' or ');

/** Makes a function that finds out whether a row has an address. It may read a whole log. */
const knownFinder = (db: Database.Database) => {
  const select = db.prepare<[{ email: string }], 0 | 1>(`select ${IS_KNOWN}`).pluck();
  return (email: string): boolean => select.get({ email }) === 1;
};

export function personalDataReader(db: Database.Database) {
  const sessions = db.prepare<[string], { id: string; createdAt: number; expiresAt: number }>(
    `select id, created_at as createdAt, expires_at as expiresAt
     from sessions where email = ? order by created_at desc`,
  );
  const invited = db
    .prepare<[string], string>('select email from invites where invited_by = ? order by email')
    .pluck();
  return {
    isKnown: knownFinder(db),
    /** Sessions without their proofs, expired ones included. */
    sessions: (email: string) => sessions.all(email),
    /** The people whom this person has invited. */
    invited: (email: string) => invited.all(email),
  };
}

/** Makes a function that deletes all rows about addresses. The caller records it. */
export function erasureWriter(db: Database.Database) {
  const isErased = 'in (select value from json_each($emails))';
  const statements = [
    ...TABLES.map((table) => `delete from ${table} where email ${isErased}`),
    ...NAMES.map(
      ([table, name]) =>
        `update ${table} set ${name} = '${ERASED_EMAIL}' where ${name} ${isErased}`,
    ),
  ].map((sql) => db.prepare<[{ emails: string }]>(sql));
  return (emails: readonly string[]): void => {
    for (const statement of statements) statement.run({ emails: JSON.stringify(emails) });
  };
}

/**
 * Writes the store anew, because pages and the WAL hold bytes of deleted rows. The server waits.
 *
 * @throws {StoreError} if they are still in the file
 */
export function removeDeletedBytes(store: string): void {
  const db = new Database(store, { fileMustExist: true });
  try {
    db.exec('vacuum');
    // The server's writes wait as long.
    db.pragma('busy_timeout = 1000');
    if (db.pragma('wal_checkpoint(truncate)', { simple: true }) !== 0)
      throw new Error(`another program, such as the standby, reads ${store}`);
    // Without a sync, a power cut would undo the truncation.
    fsync(`${store}-wal`);
  } catch (error) {
    const left = `erased, but its bytes are still in the file: ${messageOf(error)}`;
    throw new StoreError(`${left}; correct that, and run this again`, { cause: error });
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
      (db) => emails.some(knownFinder(db)),
      () => true,
    ),
  );
