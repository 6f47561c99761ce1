/**
 * The schema of a store: the migrations in `sql/`, the schema that they make, and how a file's
 * schema differs. Schemas are compared as text. So no view, trigger or virtual table of a file
 * runs.
 */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../config.ts';
import { foldSql, normalizeSql } from './sql-text.ts';
import { type default as Database, withDatabase } from './sqlite.ts';

const folder = path.join(root, 'sql');

/** The migrations in order: `sql/001-….sql` makes version 1. */
export const migrations = fs
  .readdirSync(folder)
  .filter((name) => /^\d{3}-.+\.sql$/.test(name))
  .sort();

/** Applies the migrations after one version, up to another. */
export function applyMigrations(db: Database.Database, from: number, to: number): void {
  for (const name of migrations.slice(from, to))
    db.exec(fs.readFileSync(path.join(folder, name), 'utf8'));
}

/** A row of SQLite's schema table. */
type SchemaObject = {
  readonly type: string;
  readonly name: string;
  /** Normalized; `null` for the index of a primary key. */
  readonly sql: string | null;
};

type Schema = {
  readonly objects: readonly SchemaObject[];
  /** Grouped by table. */
  readonly columns: ReadonlyMap<string, readonly Column[]>;
};

type Column = {
  readonly name: string;
  /** All facts of `pragma table_xinfo` about the column. */
  readonly definition: string;
};

/** The types as SQLite writes them. It also accepts `TRIGGER`. */
const TYPES = ['table', 'index', 'view', 'trigger'];

/** The end of a fault that is mended in the file itself. */
export const DROP_IT = 'is not part of Guestlist (drop it with sqlite3)';

/** The highest version whose schema a file has; `undefined` if there is none. */
export function findSchemaVersion(db: Database.Database): number | undefined {
  for (let version = migrations.length; version > 0; version -= 1)
    if (findSchemaFault(db, version) === null) return version;
  return undefined;
}

/**
 * The first difference between the schema of a file and that of a version, in a few words; `null`
 * without one. Added tables, views and plain indexes are allowed, because they do not change
 * writes.
 */
export function findSchemaFault(db: Database.Database, version: number): string | null {
  const expected = expectedSchema(version);
  const objects = readObjects(db);
  for (const object of expected.objects) {
    const fault = findObjectFault(db, object, objects, expected);
    if (fault !== null) return fault;
  }
  const known = new Set(expected.objects.map(keyOf));
  for (const object of objects) {
    if (!TYPES.includes(object.type)) return `its schema has an unknown entry, ${object.name}`;
    if (object.type === 'trigger' && !known.has(keyOf(object)))
      return `the trigger ${object.name} ${DROP_IT}`;
  }
  for (const table of expected.columns.keys()) {
    const index = findForeignIndex(db, table, known);
    if (index !== undefined) return `the index ${index} of the table ${table} ${DROP_IT}`;
  }
  return null;
}

function findObjectFault(
  db: Database.Database,
  { type, name, sql }: SchemaObject,
  objects: readonly SchemaObject[],
  expected: Schema,
): string | null {
  const own = objects.find((object) => object.type === type && foldSql(object.name) === name);
  if (own === undefined) return `the ${type} ${name} is missing`;
  const columns = expected.columns.get(name);
  // To name the columns of a virtual table, SQLite would run its module.
  if (columns !== undefined && isOrdinaryTable(own)) {
    const fault = findColumnFault(name, columns, readColumns(db, name));
    if (fault !== null) return fault;
  }
  return own.sql === sql ? null : `the ${type} ${name} differs from that of Guestlist`;
}

function findColumnFault(
  table: string,
  expected: readonly Column[],
  columns: readonly Column[],
): string | null {
  const names = new Set(columns.map(({ name }) => name));
  for (const { name } of expected)
    if (!names.has(name)) return `the column ${name} of the table ${table} is missing`;
  for (const [i, { name, definition }] of columns.entries())
    if (definition !== expected[i]?.definition)
      return `the column ${name} of the table ${table} differs from that of Guestlist`;
  return null;
}

/** The name of an added index that can refuse rows, or that runs an expression for each write. */
function findForeignIndex(
  db: Database.Database,
  table: string,
  known: ReadonlySet<string>,
): string | undefined {
  type Index = { readonly name: string; readonly unique: 0 | 1; readonly partial: 0 | 1 };
  const indexes = db.pragma(`main.index_list(${table})`) as readonly Index[];
  for (const { name, unique, partial } of indexes) {
    if (known.has(keyOf({ type: 'index', name }))) continue;
    if (unique === 1 || partial === 1 || hasExpression(db, name)) return name;
  }
  return undefined;
}

/** SQLite's number of a column that is an expression. */
const EXPRESSION = -2;

function hasExpression(db: Database.Database, index: string): boolean {
  const name = `"${index.replaceAll('"', '""')}"`;
  const columns = db.pragma(`main.index_xinfo(${name})`) as readonly { readonly cid: number }[];
  return columns.some(({ cid }) => cid === EXPRESSION);
}

const expectedSchemas = new Map<number, Schema>();

/** The schema that the migrations up to a version make in an empty database. */
function expectedSchema(version: number): Schema {
  const known = expectedSchemas.get(version);
  if (known !== undefined) return known;
  const made = withDatabase(':memory:', {}, (db) => {
    applyMigrations(db, 0, version);
    const objects = readObjects(db);
    const tables = objects.filter(isOrdinaryTable);
    const columns = new Map(tables.map(({ name }) => [name, readColumns(db, name)]));
    return { objects, columns };
  });
  expectedSchemas.set(version, made);
  return made;
}

function readObjects(db: Database.Database): readonly SchemaObject[] {
  const rows = db
    .prepare<[], { type: unknown; name: unknown; sql: unknown }>(
      'select type, name, sql from main.sqlite_master',
    )
    .all();
  return rows.map(({ type, name, sql }) => ({
    type: String(type),
    name: String(name),
    sql: sql === null ? null : normalizeSql(String(sql)),
  }));
}

function readColumns(db: Database.Database, table: string): readonly Column[] {
  const rows = db.pragma(`main.table_xinfo(${table})`) as readonly { readonly name: string }[];
  return rows.map((row) => ({ name: foldSql(row.name), definition: foldSql(JSON.stringify(row)) }));
}

const isOrdinaryTable = ({ type, sql }: SchemaObject): boolean =>
  type === 'table' && sql !== null && sql.startsWith('create table ');

const keyOf = ({ type, name }: { readonly type: string; readonly name: string }): string =>
  `${type} ${foldSql(name)}`;
