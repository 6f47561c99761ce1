/** Applies migrations: the numbered files in `sql/`, each in one transaction. */
import fs from 'node:fs';
import path from 'node:path';
import type { Database } from 'better-sqlite3';
import { root } from '../config.ts';
import {
  APPLICATION_ID,
  FORMER_VERSIONS,
  hasTable,
  isFormer,
  readSchemaVersion,
} from './connect.ts';
import { StoreError } from './errors.ts';
import { removeDatabase } from './files.ts';
import { countRowsByTable } from './inspection.ts';
import { listSnapshots, takeSnapshotNow } from './snapshots.ts';
import { withDatabase } from './sqlite.ts';

const folder = path.join(root, 'sql');

/** The migrations in order: `sql/001-….sql` makes version 101. */
const migrations = fs
  .readdirSync(folder)
  .filter((name) => /^\d{3}-.+\.sql$/.test(name))
  .sort();

/** The schema version that this code writes. */
export const currentSchema = FORMER_VERSIONS + migrations.length;

/** Migrates a store, after a snapshot if it has data. @throws {StoreError} if it cannot */
export function migrateStore(db: Database): void {
  const version = readSchemaVersion(db);
  refuseNewerSchema(db.name, version);
  // Without all tables, its creation was interrupted.
  const isOld = version > 0 && version < currentSchema && hasTable(db, 'events');
  if (isOld && Object.values(countRowsByTable(db)).some((rows) => rows > 0)) {
    console.error(`migrating ${db.name} to schema ${currentSchema}, after a snapshot`);
    keepFormer(db, version);
  }
  migrate(db);
}

/** Takes a snapshot before a migration, in place of those that interrupted migrations have left. */
function keepFormer(db: Database, version: number): void {
  const label = `-schema-${version}`;
  const { file } = takeSnapshotNow(db.name, label);
  // Another process may have migrated the store before or during the copy.
  const isLate = readSchemaVersion(db) !== version;
  for (const each of listSnapshots(db.name))
    if (each.label === label && isLate === (each.file === file)) removeDatabase(each.file);
}

/** @throws {StoreError} if the schema is newer than this code */
export function refuseNewerSchema(file: string, version: number): void {
  if (version <= currentSchema) return;
  const before = listSnapshots(file).find(
    ({ label }) => Number(/^-schema-(\d+)$/.exec(label)?.[1]) <= currentSchema,
  )?.file;
  throw new StoreError(
    `${file} was written by a newer Guestlist (schema ${version}, this one knows ${currentSchema}); ` +
      'install that version, or give up what came since: ' +
      `guestlist backup restore ${path.basename(before ?? '<a snapshot from before>')} --yes`,
  );
}

/** Converts a former store, and applies missing migrations, without a snapshot. */
export function migrate(db: Database): void {
  if (isFormer(db)) convert(db);
  const apply = db.transaction((name: string, version: number) => {
    // Another process may have applied it since.
    if (readSchemaVersion(db) >= version) return;
    db.exec(readSql(name));
    db.pragma(`user_version = ${version}`);
    db.pragma(`application_id = ${APPLICATION_ID}`);
  });
  // Without a missing one, no lock is needed.
  for (const [i, name] of migrations.entries())
    if (readSchemaVersion(db) <= FORMER_VERSIONS + i)
      apply.immediate(name, FORMER_VERSIONS + 1 + i);
}

/** Gives a store of 1.1.0 or 2.0.0 the schema of a new one, and renames addresses. */
function convert(db: Database): void {
  type Item = Readonly<Record<'type' | 'name' | 'sql', string>>;
  const read = (from: Database) =>
    from.prepare<[], Item>('select type, name, sql from sqlite_schema where sql is not null').all();
  const made = withDatabase(':memory:', {}, (blank) => {
    migrate(blank);
    return read(blank).filter(({ name }) => !name.startsWith('sqlite_'));
  });
  const kept = made.filter(({ type, name }) => type === 'table' && name !== 'doubt');
  const isKept = ({ name }: Item) => kept.some((each) => each.name === name);
  const replace = db.transaction(() => {
    // Another process may have converted it since.
    if (!isFormer(db)) return;
    for (const type of ['trigger', 'index', 'table'])
      for (const item of read(db))
        if (item.type === type && !isKept(item) && !item.name.startsWith('sqlite_'))
          db.exec(`drop ${type} ${item.name}`);
    db.exec(readSql('from-2.0.sql'));
    for (const item of made) if (!isKept(item)) db.exec(item.sql);
    db.exec('insert into doubt values (1, random())');
    db.pragma(`user_version = ${currentSchema}`);
  });
  replace.immediate();
}

const readSql = (name: string): string => fs.readFileSync(path.join(folder, name), 'utf8');
