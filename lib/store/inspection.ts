/** Recognizes a store, and checks that its schema is that of its version, and its pages undamaged. */
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

const TABLES = ['invites', 'sessions', 'project_joins', 'events'] as const;

/** Numbers of rows by table; empty if the file is not a store. */
export type RowCounts = Readonly<Partial<Record<(typeof TABLES)[number], number>>>;

export type Inspection = {
  readonly version: number;
  readonly rows: RowCounts;
  /** In a few words; `null` if the file checks out. */
  readonly fault: string | null;
};

/** The version of a file, and why it is not a sound store; `null` if it is one. */
type Recognition = Omit<Inspection, 'rows'>;

const refuse = (fault: string): Recognition => ({ version: 0, fault });

/**
 * Reads and checks a whole file of any kind. `quick_check` leaves out indexes.
 *
 * @throws {StoreError} if the file cannot be read
 */
export const inspectStoreFile = (file: string, check = 'integrity_check'): Inspection =>
  inspect(file, check, recognize);

/** The same for a copy of the store in use, whose schema a backup does not judge. */
export const inspectCopy = (file: string): Inspection =>
  inspect(file, 'integrity_check', recognizeByIds);

function inspect(
  file: string,
  check: string,
  recognizeFile: (db: Database.Database) => Recognition,
): Inspection {
  const inspection = withDatabase<Inspection>(
    file,
    { readonly: true },
    (db) => {
      const { version, fault } = recognizeFile(db);
      if (fault !== null) return { version, rows: {}, fault };
      return { version, rows: countRowsByTable(db), fault: findDamage(db, check) };
    },
    (error) => {
      // That it cannot be read says nothing about its content.
      if (isUnavailable(error) && !isDamage(error)) throw toFileError(file, error);
      return { ...refuse(error.message), rows: {} };
    },
  );
  return { ...inspection, fault: inspection.fault && printable(inspection.fault) };
}

/** A fault can quote a name from the file, however long. */
const printable = (fault: string): string => visible(fault.slice(0, 300));

/** Throws for a fault. @param name of the file @throws {StoreError} */
export function requireSound(inspection: Inspection, name: string): Inspection {
  if (inspection.fault === null) return inspection;
  throw new StoreError(`${name} fails the check: ${inspection.fault}`);
}

function recognizeByIds(db: Database.Database): Recognition {
  // Without the remedy behind the semicolon, which is for the store in use.
  const [foreign] = whyNoStore(db)?.split(';') ?? [];
  return foreign === undefined
    ? { version: readPragma(db, 'user_version'), fault: null }
    : refuse(`it ${foreign}`);
}

/** Recognizes a store whose schema is sound. That of a newer one is unknown here. */
function recognize(db: Database.Database): Recognition {
  const newest = migrations.length;
  if (hasLostIds(db)) {
    const version = findSchemaVersion(db);
    if (version !== undefined) return { version, fault: null };
    const why = findSchemaFault(db, newest);
    return refuse(`it is not a store of Guestlist: its ids are 0, and ${why}`);
  }
  const recognition = recognizeByIds(db);
  const { version, fault } = recognition;
  if (fault !== null || version > newest) return recognition;
  if (version < 1) return refuse(`its user_version is ${version}, which no store has`);
  return { version, fault: findSchemaFault(db, version) };
}

/** A dump has neither id, nor has a clone by SQLite's shell. */
const hasLostIds = (db: Database.Database): boolean =>
  readPragma(db, 'user_version') === 0 && readPragma(db, 'application_id') === 0;

/**
 * Counts the rows of the tables that are there: an older version has fewer. A view is never read.
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
  const tables = TABLES.filter((table) => isThere.get(table) === 1);
  const counts = tables.map((table) => `(select count(*) from ${schema}.${table}) as ${table}`);
  if (counts.length === 0) return {};
  return requireRow(db.prepare<[], RowCounts>(`select ${counts.join(', ')}`).get());
}

// Not `select … from pragma_integrity_check`: a table of the file could have that name.
function findDamage(db: Database.Database, check: string): string | null {
  const rows = db.pragma(check) as readonly Readonly<Record<string, string>>[];
  const results = rows.map((row) => row[check]);
  const fault = results.find((result) => result !== 'ok');
  const [line] = fault?.replace(/^\*+ in database .*\n/, '').split('\n', 1) ?? [];
  return line === undefined ? null : `damaged: ${line}`;
}
