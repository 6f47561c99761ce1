/** Tells whether a file is a store, has the schema of its version, and has undamaged pages. */
import { visible } from '../visible.ts';
import { isDamage, isUnavailable, StoreError, toFileError } from './errors.ts';
import { findSchemaFault, findSchemaVersion, migrations } from './schema.ts';
import { type default as Database, requireRow, withDatabase } from './sqlite.ts';

/** SQLite's `application_id` of a store, "GsL3", and that of pre-releases. */
export const APPLICATION_ID = 0x47734c33;
const PRE_RELEASE_ID = 0x47756573;

export const readPragma = (db: Database.Database, name: string): number =>
  Number(db.pragma(name, { simple: true }));

/** Whether a database is new. */
export const isEmpty = (db: Database.Database): boolean =>
  readPragma(db, 'user_version') === 0 &&
  readPragma(db, 'application_id') === 0 &&
  readPragma(db, 'schema_version') === 0;

/** Why a file is not a store, with the remedy; `undefined` if it is one. */
export function whyNoStore(db: Database.Database): string | undefined {
  const id = readPragma(db, 'application_id');
  if (id === APPLICATION_ID) return undefined;
  return id === PRE_RELEASE_ID
    ? 'was made by a pre-release; move it away, and invite from its CSV'
    : 'is not a store of Guestlist; move it away, then try again';
}

const COUNTED_TABLES = ['invites', 'sessions', 'project_joins', 'events'] as const;

/**
 * Numbers of rows by table. An old store has fewer tables, and a file that is no store has none.
 */
export type RowCounts = {
  readonly [Table in (typeof COUNTED_TABLES)[number]]?: number;
};

export type Inspection = {
  readonly version: number;
  readonly rows: RowCounts;
  /** The fault in a few words; `null` if the file has none. */
  readonly fault: string | null;
};

/** The facts about a file before its rows and pages are read. */
type Recognition = {
  readonly version: number;
  /** Why the file is not a sound store; `null` if it is one. */
  readonly fault: string | null;
};

const faulty = (fault: string): Recognition => ({ version: 0, fault });

/** Reads and checks a whole file of any kind. @throws {StoreError} if the file cannot be read */
export const inspectStoreFile = (file: string): Inspection => inspect(file, recognize);

/** Does the same for a copy of the store in use. A backup accepts any schema. */
export const inspectCopy = (file: string): Inspection => inspect(file, recognizeByIds);

function inspect(file: string, recognizeFile: (db: Database.Database) => Recognition): Inspection {
  return withDatabase<Inspection>(
    file,
    { readonly: true },
    (db) => {
      const { version, fault } = recognizeFile(db);
      if (fault !== null) return { version, rows: {}, fault: printable(fault) };
      const rows = countRowsByTable(db);
      const damage = findDamage(db);
      return { version, rows, fault: damage === null ? null : printable(damage) };
    },
    (error) => {
      // A fault of the disk or a lock tells nothing about the content.
      if (isUnavailable(error) && !isDamage(error)) throw toFileError(file, error);
      return { version: 0, rows: {}, fault: printable(error.message) };
    },
  );
}

/** A fault may contain a name from the file, which may be long and have any characters. */
const printable = (fault: string): string => visible(fault.slice(0, 300));

/** @param name of the file, for the message @throws {StoreError} if the file has a fault */
export function requireSound(inspection: Inspection, name: string): Inspection {
  if (inspection.fault === null) return inspection;
  throw new StoreError(`${name} fails the check: ${inspection.fault}`);
}

function recognizeByIds(db: Database.Database): Recognition {
  // The remedy after the semicolon is left out, because it is for the store in use.
  const [foreign] = whyNoStore(db)?.split(';') ?? [];
  return foreign === undefined
    ? { version: readPragma(db, 'user_version'), fault: null }
    : faulty(`it ${foreign}`);
}

/**
 * Recognizes a store by its ids and its schema. The schema of a newer version is not known here.
 */
function recognize(db: Database.Database): Recognition {
  const newest = migrations.length;
  if (hasLostIds(db)) {
    const version = findSchemaVersion(db);
    if (version !== undefined) return { version, fault: null };
    const why = findSchemaFault(db, newest);
    return faulty(`it is not a store of Guestlist: its ids are 0, and ${why}`);
  }
  const recognition = recognizeByIds(db);
  const { version, fault } = recognition;
  if (fault !== null || version > newest) return recognition;
  if (version < 1) return faulty(`its user_version is ${version}, which no store has`);
  return { version, fault: findSchemaFault(db, version) };
}

/** A dump has no ids. A clone by SQLite's shell has none either. */
const hasLostIds = (db: Database.Database): boolean =>
  readPragma(db, 'user_version') === 0 && readPragma(db, 'application_id') === 0;

/**
 * Counts the rows of the existing tables: an older version has fewer. A view is never read.
 *
 * @param schema the name under which the store is attached
 */
export function countRowsByTable(db: Database.Database, schema = 'main'): RowCounts {
  const isThere = db
    .prepare<[string], 1>(
      `select 1 from ${schema}.sqlite_master
        where type = 'table' and name = ? collate nocase and sql like 'create table%'`,
    )
    .pluck();
  const tables = COUNTED_TABLES.filter((table) => isThere.get(table) === 1);
  const counts = tables.map((table) => `(select count(*) from ${schema}.${table}) as ${table}`);
  if (counts.length === 0) return {};
  return requireRow(db.prepare<[], RowCounts>(`select ${counts.join(', ')}`).get());
}

/** A row of `integrity_check`. */
type CheckRow = { readonly integrity_check: string };

/**
 * The first fault that SQLite finds in the pages of a file; `null` without one. It uses a pragma,
 * because a table of the file could have the name `pragma_integrity_check`.
 */
function findDamage(db: Database.Database): string | null {
  for (const row of db.pragma('integrity_check') as readonly CheckRow[]) {
    const result = row.integrity_check;
    if (result !== 'ok') return `damaged: ${firstFault(result)}`;
  }
  return null;
}

/**
 * `*** in database main ***` is a heading. `Tree 5 page 5: btreeInitPage() returns error` is a
 * fault.
 */
const DATABASE_HEADING = /^\*+ in database .*\n/;

function firstFault(result: string): string {
  const [line = ''] = result.replace(DATABASE_HEADING, '').split('\n', 1);
  return line;
}
