/** Checks that a file is a store, undamaged and consistent. */
import type { NewInvite } from '../records.ts';
import { StoreError } from './errors.ts';
import { requireRow } from './paging.ts';
import { hasTable, isLost, readSchemaVersion, whyNotStore } from './connect.ts';
import { type default as Database, withDatabase } from './sqlite.ts';

const TABLES = ['invites', 'sessions', 'project_joins', 'events'] as const;

/** Numbers of rows by table; empty if the file is not a store. */
export type RowCounts = Readonly<Partial<Record<(typeof TABLES)[number], number>>>;

export type Inspection = {
  readonly version: number;
  readonly rows: RowCounts;
  /** In a few words; `null` if the file checks out. */
  readonly fault: string | null;
};

export type Options = Database.Options & {
  /** A table whose indexes are not compared with it: for 10 million events, that takes 40 s. */
  readonly skipIndexesOf?: string;
};

/** Reads and checks a whole file of any kind. */
export function inspectStoreFile(file: string, options: Options = { readonly: true }) {
  const refuse = (fault: string): Inspection => ({ version: 0, rows: {}, fault });
  if (isLost(file)) return refuse('only its -wal is left');
  const inspect = (db: Database.Database): Inspection => {
    const why = whyNotStore(db);
    if (why !== undefined) return refuse(why);
    const rows = countRowsByTable(db);
    return { version: readSchemaVersion(db), rows, fault: findFault(db, options) };
  };
  return withDatabase(file, options, inspect, ({ message }) => refuse(message));
}

/** @param name for the message @throws {StoreError} if the file fails the check */
export function checkStoreFile(file: string, name = file, options?: Options): Inspection {
  const inspection = inspectStoreFile(file, options);
  if (inspection.fault === null) return inspection;
  throw new StoreError(`${name} fails the check: ${inspection.fault}`);
}

const INVITES = `
  select email, first_name as firstName, invited_by as invitedBy, invited_at as invitedAt
  from invites order by invited_at, email`;

/** The invites of an undamaged store or snapshot. */
export const readSnapshotInvites = (file: string): readonly NewInvite[] =>
  withDatabase(file, { readonly: true }, (db) => db.prepare<[], NewInvite>(INVITES).all());

/** @param schema the name under which the store is attached */
export function countRowsByTable(db: Database.Database, schema = 'main'): RowCounts {
  const counts = TABLES.map((table) => `(select count(*) from ${schema}.${table}) as ${table}`);
  return requireRow(db.prepare<[], RowCounts>(`select ${counts.join(', ')}`).get());
}

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
  const agree = `
    select invites = (select count(*) from invites)
      and ifnull(sum(logins + timeline_views), 0) = ${counted('events')}
      and ifnull(sum(join_clicks), 0) = ${counted('project_joins')}
    from totals left join day_totals`;
  return db.prepare(agree).pluck().get() === 1 ? null : 'its totals and its rows disagree';
}
