/** Brings a store to the newest schema. */
import path from 'node:path';
import type { Database } from 'better-sqlite3';
import { commandFor } from '../config.ts';
import { StoreError } from './errors.ts';
import { removeDatabase } from './files.ts';
import { APPLICATION_ID, readPragma } from './inspection.ts';
import { applyMigrations, migrations } from './schema.ts';
import { listSnapshots, takeSnapshot } from './snapshots.ts';

/** The schema version that this code writes. */
export const currentSchema = migrations.length;

/**
 * Migrates a store. An old one is copied to a snapshot before.
 *
 * @throws {StoreError} if it is newer
 */
export function migrateStore(db: Database): void {
  refuseNewerSchema(db.name, readPragma(db, 'user_version'));
  migrate(db, (version) => {
    console.error(`migrating ${db.name} to schema ${currentSchema}, after a snapshot`);
    // An interrupted migration may have left snapshots. The new one replaces them.
    const earlier = listSnapshots(db.name).filter(({ label }) => label === `-schema-${version}`);
    takeSnapshot(db.name, `-schema-${version}`);
    for (const { file } of earlier) removeDatabase(file);
  });
}

/** @throws {StoreError} if the schema is newer than this code */
export function refuseNewerSchema(file: string, version: number): void {
  if (version <= currentSchema) return;
  const older = listSnapshots(file).find(({ label }) => schemaOf(label) <= currentSchema);
  const name = older ? path.basename(older.file) : '<a snapshot from before>';
  throw new StoreError(
    `${file} was written by a newer Guestlist ` +
      `(schema ${version}, this one knows ${currentSchema}); ` +
      'install that version, or, without what was recorded since: ' +
      commandFor(`backup restore ${name} --yes`),
  );
}

/** The version in the label of a snapshot before a migration: 5 for `-schema-5`, else `NaN`. */
const schemaOf = (label: string): number => Number(/^-schema-(\d+)$/.exec(label)?.[1]);

/**
 * Applies the missing migrations, all or none.
 *
 * @param beforeMigrating is called first with the version of the file; not for a new file
 */
export function migrate(db: Database, beforeMigrating?: (version: number) => void): void {
  const apply = db.transaction(() => {
    const version = readPragma(db, 'user_version');
    // Another process may have applied them before this transaction began.
    if (version === currentSchema) return;
    if (version > 0) beforeMigrating?.(version);
    applyMigrations(db, version, currentSchema);
    db.pragma(`user_version = ${currentSchema}`);
    db.pragma(`application_id = ${APPLICATION_ID}`);
  });
  // Take no lock if no migration is missing.
  if (readPragma(db, 'user_version') !== currentSchema) apply.immediate();
}
