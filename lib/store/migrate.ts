/** Applies migrations: the numbered files in `sql/`, each in one transaction. */
import fs from 'node:fs';
import path from 'node:path';
import type { Database } from 'better-sqlite3';
import { root } from '../config.ts';
import { StoreError } from './errors.ts';
import { logCounter } from './counting.ts';
import { APPLICATION_ID, readSchemaVersion } from './connect.ts';
import { countRowsByTable } from './inspection.ts';
import { listSnapshots, takeSnapshotNow } from './snapshots.ts';

const folder = path.join(root, 'sql');

/** The migrations in order: `sql/001-….sql` takes a store from version 0 to version 1. */
const migrations = fs
  .readdirSync(folder)
  .filter((name) => /^\d{3}-.+\.sql$/.test(name))
  .sort();

/** Duration of a counting step in a migration, in ms: larger steps are cheaper per row. */
const COUNTING_TIME = 5000;

/** The schema version that this code writes. */
export const currentSchema = migrations.length;

/** The schema of 1.1.0. An older one means that a new store's creation was interrupted. */
const OLDEST_VERSION = 6;

/** Migrates a store, after a snapshot if it has data. @throws {StoreError} if its schema is newer */
export function migrateStore(db: Database): void {
  const version = readSchemaVersion(db);
  refuseNewerSchema(db.name, version);
  const isOld = version >= OLDEST_VERSION && version < currentSchema;
  if (isOld && Object.values(countRowsByTable(db)).some((rows) => rows > 0)) {
    console.error(`migrating ${db.name} to schema ${currentSchema}, after a snapshot`);
    takeSnapshotNow(db, version);
  }
  applyMigrations(db);
}

/** @throws {StoreError} if the schema is newer than this code */
export function refuseNewerSchema(file: string, version: number): void {
  if (version <= currentSchema) return;
  const before = listSnapshots(file)
    .map((snapshot) => path.basename(snapshot.file))
    .find((name) => Number(/-schema-(\d+)\.db$/.exec(name)?.[1]) <= currentSchema);
  throw new StoreError(
    `${file} was written by a newer Guestlist (schema ${version}, this one knows ${currentSchema}); ` +
      'install that version, or give up what came since: ' +
      `guestlist backup restore ${before ?? '<a snapshot from before>'} --yes`,
  );
}

/** Applies the missing migrations, without a snapshot. */
export function applyMigrations(db: Database): void {
  const apply = db.transaction((name: string, i: number) => {
    // Another process may have applied it since.
    if (readSchemaVersion(db) > i) return;
    db.exec(fs.readFileSync(path.join(folder, name), 'utf8'));
    if (name === '007-counted.sql') countAll(db);
    db.pragma(`user_version = ${i + 1}`);
    db.pragma(`application_id = ${APPLICATION_ID}`);
  });
  for (const [i, name] of migrations.entries())
    if (readSchemaVersion(db) <= i) apply.immediate(name, i);
}

/** Counts the logs from their beginning. Prints a line for each million rows. */
function countAll(db: Database): void {
  const { countRows } = logCounter(db);
  const size = db.pragma('cache_size', { simple: true });
  // 64 MB.
  db.pragma('cache_size = -64000');
  let done = 0;
  for (let rows = countRows(COUNTING_TIME); rows > 0; rows = countRows(COUNTING_TIME)) {
    done += rows;
    if (done % 1e6 < rows) console.error(`migrating ${db.name}: ${done} rows are counted`);
  }
  db.pragma(`cache_size = ${size}`);
}
