/** Applies migrations: the numbered files in `sql/`, each in one transaction. */
import fs from 'node:fs';
import path from 'node:path';
import type { Database } from 'better-sqlite3';
import { commandFor, root } from '../config.ts';
import { APPLICATION_ID, hasTable, readSchemaVersion } from './connect.ts';
import { StoreError } from './errors.ts';
import { countRowsByTable } from './inspection.ts';
import { listSnapshots, removeSnapshots, takeSnapshot } from './snapshots.ts';

const folder = path.join(root, 'sql');

/** The migrations in order: `sql/001-….sql` makes version 1. */
const migrations = fs
  .readdirSync(folder)
  .filter((name) => /^\d{3}-.+\.sql$/.test(name))
  .sort();

/** The schema version that this code writes. */
export const currentSchema = migrations.length;

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

/** Takes a snapshot before a migration. Those of interrupted migrations go. */
function keepFormer(db: Database, version: number): void {
  const label = `-schema-${version}`;
  const keep = db.transaction(() => {
    // Another process may have migrated the store since.
    if (readSchemaVersion(db) !== version) return;
    const { file } = takeSnapshot(db.name, label);
    const old = listSnapshots(db.name).filter((each) => each.label === label && each.file !== file);
    removeSnapshots(old);
  });
  keep.immediate();
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
      commandFor(`backup restore ${path.basename(before ?? '<a snapshot from before>')} --yes`),
  );
}

/** Applies missing migrations, without a snapshot. */
export function migrate(db: Database): void {
  const apply = db.transaction((name: string, version: number) => {
    // Another process may have applied it since.
    if (readSchemaVersion(db) >= version) return;
    db.exec(fs.readFileSync(path.join(folder, name), 'utf8'));
    db.pragma(`user_version = ${version}`);
    db.pragma(`application_id = ${APPLICATION_ID}`);
  });
  // Without a missing one, no lock is needed.
  for (const [i, name] of migrations.entries())
    if (readSchemaVersion(db) <= i) apply.immediate(name, i + 1);
}
