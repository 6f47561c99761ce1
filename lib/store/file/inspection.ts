/** Checks that a file is a store, undamaged and consistent, and compares it with another. */
import type { NewInvite } from '../../records.ts';
import { isBusy, StoreError } from '../errors.ts';
import { hasTable, isLost, readSchemaVersion, whyNotStore } from './connect.ts';
import { fileExists } from './private-files.ts';
import Database, { withDatabase } from './sqlite.ts';

/** Numbers of rows by table; empty if the file is not a store. */
export type RowCounts = Readonly<Partial<Record<(typeof TABLES)[number], number>>>;

export type Inspection = {
  readonly version: number;
  readonly rows: RowCounts;
  /** In a few words; `null` if the file checks out. */
  readonly fault: string | null;
};

const TABLES = ['invites', 'sessions', 'project_joins', 'events'] as const;

export type Options = Database.Options & {
  /** A table whose indexes are not compared with it: for 10 million events, that takes 40 s. */
  readonly skipIndexesOf?: string;
};

/** Reads and checks a whole file of any kind. */
export function inspectStoreFile(file: string, options: Options = { readonly: true }) {
  const refuse = (fault: string): Inspection => ({ version: 0, rows: {}, fault });
  const inspect = (db: Database.Database): Inspection => {
    const why = whyNotStore(db);
    if (why !== undefined) return refuse(why);
    return {
      version: readSchemaVersion(db),
      rows: countRowsByTable(db),
      fault: findFault(db, options),
    };
  };
  if (isLost(file)) return refuse('only its -wal is left');
  return withDatabase(file, options, inspect, ({ message }) => refuse(message));
}

/** @param name for the message @throws {StoreError} if the file fails the check */
export function checkStoreFile(file: string, name = file, options?: Options): Inspection {
  const inspection = inspectStoreFile(file, options);
  if (inspection.fault === null) return inspection;
  throw new StoreError(`${name} fails the check: ${inspection.fault}`);
}

/** The invites of an undamaged store or snapshot. */
export const readSnapshotInvites = (file: string): readonly NewInvite[] =>
  withDatabase(file, { readonly: true }, (db) =>
    db
      .prepare<[], NewInvite>(
        `select email, first_name as firstName, invited_by as invitedBy, invited_at as invitedAt
         from invites order by invited_at, email`,
      )
      .all(),
  );

/** @param schema the name under which the store is attached */
export const countRowsByTable = (db: Database.Database, schema = 'main'): RowCounts =>
  Object.fromEntries(
    TABLES.map((table) => [
      table,
      Number(db.prepare(`select count(*) from ${schema}.${table}`).pluck().get()),
    ]),
  );

/** `quick_check` compares no index. */
const SKIPPING_CHECK = `
  select * from pragma_quick_check
  union all
  select integrity_check from sqlite_schema join pragma_integrity_check(name)
  where type = 'table' and name <> @skipIndexesOf`;

function findFault(db: Database.Database, { skipIndexesOf }: Options): string | null {
  const check = skipIndexesOf ? SKIPPING_CHECK : 'select * from pragma_integrity_check';
  const results = db.prepare<[object], string>(check).pluck().all({ skipIndexesOf });
  const integrity = results.find((result) => result !== 'ok');
  if (integrity !== undefined) return `damaged: ${integrity.split('\n', 1)[0]}`;
  // An interrupted creation, which the next start completes.
  if (!hasTable(db, 'totals')) return null;
  // 1.1.0 counts every row at once.
  const counted = (log: string) =>
    hasTable(db, 'counted')
      ? `(select count(*) from ${log} join counted on log = '${log}' where id <= through)`
      : `(select count(*) from ${log})`;
  const agree = db
    .prepare(
      `select invites = (select count(*) from invites)
         and ifnull(sum(logins + timeline_views), 0) = ${counted('events')}
         and ifnull(sum(join_clicks), 0) = ${counted('project_joins')}
       from totals left join day_totals`,
    )
    .pluck();
  return agree.get() === 1 ? null : 'its totals and its rows disagree';
}

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
 * Compares a snapshot with the store, if there is one.
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
