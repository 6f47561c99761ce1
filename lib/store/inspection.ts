/** Recognizes a store, and checks that it is undamaged. */
import { StoreError } from './errors.ts';
import { type default as Database, requireRow, withDatabase } from './sqlite.ts';

/** SQLite's `application_id` of a store, "GsL3", and that of pre-releases. */
export const APPLICATION_ID = 0x47734c33;
const PRE_RELEASE_ID = 0x47756573;

export const readPragma = (db: Database.Database, name: string): number =>
  Number(db.pragma(name, { simple: true }));

/** Whether a database is new. */
export const isEmpty = (db: Database.Database): boolean =>
  ['user_version', 'application_id', 'schema_version'].every((name) => readPragma(db, name) === 0);

/** Why a file is not a store, with the remedy; `undefined` if it is one. */
export function whyNoStore(db: Database.Database): string | undefined {
  const id = readPragma(db, 'application_id');
  if (id === APPLICATION_ID) return undefined;
  return id === PRE_RELEASE_ID
    ? 'was made by a pre-release; move it away, and invite from its CSV'
    : 'is not a store of Guestlist; move it away, then try again';
}

const TABLES = ['invites', 'sessions', 'project_joins', 'events'] as const;

/** Numbers of rows by table; empty if the file is not a store. */
export type RowCounts = Readonly<Partial<Record<(typeof TABLES)[number], number>>>;

export type Inspection = {
  readonly version: number;
  readonly rows: RowCounts;
  /** In a few words; `null` if the file checks out. */
  readonly fault: string | null;
};

const refuse = (fault: string): Inspection => ({ version: 0, rows: {}, fault });

/** Reads and checks a whole file of any kind. `quick_check` leaves out indexes. */
export const inspectStoreFile = (file: string, check = 'integrity_check'): Inspection =>
  withDatabase(
    file,
    { readonly: true },
    (db) => {
      const foreign = whyNoStore(db);
      if (foreign) return refuse(`it ${foreign}`);
      const rows = countRowsByTable(db);
      return { version: readPragma(db, 'user_version'), rows, fault: findFault(db, check) };
    },
    ({ message }) => refuse(message),
  );

/** @param name for the message @throws {StoreError} if the file fails the check */
export function checkStoreFile(file: string, name = file): Inspection {
  const inspection = inspectStoreFile(file);
  if (inspection.fault === null) return inspection;
  throw new StoreError(`${name} fails the check: ${inspection.fault}`);
}

/** @param schema the name under which the store is attached */
export function countRowsByTable(db: Database.Database, schema = 'main'): RowCounts {
  const counts = TABLES.map((table) => `(select count(*) from ${schema}.${table}) as ${table}`);
  return requireRow(db.prepare<[], RowCounts>(`select ${counts.join(', ')}`).get());
}

function findFault(db: Database.Database, check: string): string | null {
  const results = db.prepare<[], string>(`select * from pragma_${check}`).pluck().all();
  const fault = results.find((result) => result !== 'ok');
  const [line] = fault?.replace(/^\*+ in database .*\n/, '').split('\n', 1) ?? [];
  return line === undefined ? null : `damaged: ${line}`;
}
