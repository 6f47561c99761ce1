/** Checks that a file is a store, and undamaged. */
import { readPragma, whyNoStore } from './connect.ts';
import { StoreError } from './errors.ts';
import { sizeOf } from './files.ts';
import { inviteReader } from './invites.ts';
import { requireRow } from './paging.ts';
import { type default as Database, withDatabase } from './sqlite.ts';

/** The tables whose rows a restore compares. */
export const TABLES = ['invites', 'sessions', 'project_joins', 'events'] as const;

/** Numbers of rows by table; empty if the file is not a store. */
export type RowCounts = Readonly<Partial<Record<(typeof TABLES)[number], number>>>;

export type Inspection = {
  readonly version: number;
  readonly rows: RowCounts;
  /** In a few words; `null` if the file checks out. */
  readonly fault: string | null;
};

/** Reads and checks a whole file of any kind. */
export function inspectStoreFile(file: string): Inspection {
  const refuse = (fault: string): Inspection => ({ version: 0, rows: {}, fault });
  const inspect = (db: Database.Database): Inspection => {
    const foreign = whyNoStore(db);
    if (foreign) return refuse(`it ${foreign}`);
    return {
      version: readPragma(db, 'user_version'),
      rows: countRowsByTable(db),
      fault: findFault(db),
    };
  };
  return withDatabase(file, { readonly: true }, inspect, ({ message }) => refuse(message));
}

/** A fast check of the store, also while the server writes. @returns what is wrong, or `null` */
export function quickCheck(store: string): string | null {
  return withDatabase(
    store,
    { readonly: true },
    (db) => whyNoStore(db) ?? findFault(db, 'quick_check'),
  );
}

/** Whether somebody is invited who is no administrator. @returns false if the store is damaged */
export const hasGuests = (store: string): boolean =>
  sizeOf(store) > 0 &&
  withDatabase(
    store,
    { readonly: true },
    (db) => inviteReader(db).hasGuests(),
    () => false,
  );

/** A file that is no store, or is damaged. */
export class DamagedStore extends StoreError {}

/** @param name for the message @throws {DamagedStore} if the file fails the check */
export function checkStoreFile(file: string, name = file): Inspection {
  const inspection = inspectStoreFile(file);
  if (inspection.fault === null) return inspection;
  throw new DamagedStore(`${name} fails the check: ${inspection.fault}`);
}

/** @param schema the name under which the store is attached */
export function countRowsByTable(db: Database.Database, schema = 'main'): RowCounts {
  const counts = TABLES.map((table) => `(select count(*) from ${schema}.${table}) as ${table}`);
  return requireRow(db.prepare<[], RowCounts>(`select ${counts.join(', ')}`).get());
}

function findFault(db: Database.Database, check = 'integrity_check'): string | null {
  const results = db.prepare<[], string>(`select * from pragma_${check}`).pluck().all();
  const fault = results.find((result) => result !== 'ok');
  const [line] = fault?.replace(/^\*+ in database .*\n/, '').split('\n', 1) ?? [];
  return line === undefined ? null : `damaged: ${line}`;
}
