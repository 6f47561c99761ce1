/** Compares a snapshot with the store that it would replace. */
import { isBusy } from '../errors.ts';
import { checkFile, countRows, type Rows } from './inspection.ts';
import { refuseNewer } from './migrate.ts';
import { exists } from './private-files.ts';
import Database, { withDatabase } from './sqlite.ts';

/** A person whose standing a restore changes: `administrator`, `invited` or `not invited`. */
export type Difference = {
  readonly email: string;
  readonly inStore: string;
  readonly inSnapshot: string;
};

export type Comparison = {
  readonly snapshot: Rows;
  /** `null` if the store cannot be read. */
  readonly store: Rows | null;
  readonly people: readonly Difference[];
};

/** The changes that `restoreSnapshot` would make. The store may be in use. */
export function previewRestore(store: string, snapshot: string): Comparison {
  refuseNewer(snapshot, checkFile(snapshot).version);
  return withDatabase(snapshot, { readonly: true }, (db) => compare(db, store));
}

const standing = (side: string): string =>
  `case ${side}.is_admin when 1 then 'administrator' when 0 then 'invited' else 'not invited' end`;

const PEOPLE = `
  select email, ${standing('own')} as inStore, ${standing('other')} as inSnapshot
  from replaced.invites as own full join main.invites as other using (email)
  where own.is_admin is not other.is_admin order by email`;

/** SQL for `compare`: sessions that have ended since the snapshot do not come back. */
export const END_SESSIONS =
  'delete from main.sessions where id not in (select id from replaced.sessions)';

/**
 * Compares a snapshot with the store, if there is one.
 *
 * @param job SQL that also runs, with the store as `replaced`; all sessions end if that fails
 */
export function compare(db: Database.Database, store: string, job = ''): Comparison {
  const snapshot = countRows(db);
  if (!exists(store)) return { snapshot, store: {}, people: [] };
  try {
    db.prepare('attach ? as replaced').run(store);
    const people = db.prepare<[], Difference>(PEOPLE).all();
    db.exec(job);
    return { snapshot, store: countRows(db, 'replaced'), people };
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || isBusy(error)) throw error;
    if (job) db.exec('delete from main.sessions');
    return { snapshot, store: null, people: [] };
  }
}
