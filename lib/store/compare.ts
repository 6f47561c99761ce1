/** Compares a snapshot with the store that it would replace. */

import { isLost } from './connect.ts';
import { isBusy } from './errors.ts';
import { countRowsByTable, type RowCounts } from './inspection.ts';
import { fileExists } from './private-files.ts';
import Database from './sqlite.ts';

export type Comparison = {
  readonly snapshot: RowCounts;
  /** `null` if the store cannot be read. */
  readonly store: RowCounts | null;
  /** Who is an `administrator`, `invited` or `not invited` in only one of them. */
  readonly people: readonly Readonly<Record<'email' | 'inStore' | 'inSnapshot', string>>[];
};

const standing = (side: string): string =>
  `case ${side}.is_admin when 1 then 'administrator' when 0 then 'invited' else 'not invited' end`;

const PEOPLE = `
  select email, ${standing('own')} as inStore, ${standing('other')} as inSnapshot
  from replaced.invites as own full join main.invites as other using (email)
  where own.is_admin is not other.is_admin order by email`;

/**
 * Compares an open snapshot with the store, if there is one.
 *
 * @param job SQL to run with the store as `replaced`; if that fails, all sessions end
 */
export function compareWithStore(db: Database.Database, store: string, job = ''): Comparison {
  const snapshot = countRowsByTable(db);
  const endSessions = (): Comparison => {
    if (job) db.exec('delete from main.sessions');
    return { snapshot, store: null, people: [] };
  };
  if (isLost(store)) return endSessions();
  if (!fileExists(store)) return { snapshot, store: {}, people: [] };
  try {
    db.prepare('attach ? as replaced').run(store);
    const people = db.prepare<[], Comparison['people'][number]>(PEOPLE).all();
    db.exec(job);
    return { snapshot, store: countRowsByTable(db, 'replaced'), people };
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || isBusy(error)) throw error;
    return endSessions();
  }
}
