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

/** Migrates a store, an old one after a snapshot. @throws {StoreError} if it is newer */
export function migrateStore(db: Database): void {
  refuseNewerSchema(db.name, readPragma(db, 'user_version'));
  migrate(db, (version) => {
    console.error(`migrating ${db.name} to schema ${currentSchema}, after a snapshot`);
    // A migration that was interrupted has left them. The new snapshot takes their place.
    const earlier = listSnapshots(db.name).filter(({ label }) => label === `-schema-${version}`);
    takeSnapshot(db.name, `-schema-${version}`);
    for (const { file } of earlier) removeDatabase(file);
  });
}

/** @throws {StoreError} if the schema is newer than this code */
export function refuseNewerSchema(file: string, version: number): void {
  if (version <= currentSchema) return;
  const before = listSnapshots(file).find(
    ({ label }) => Number(/^-schema-(\d+)$/.exec(label)?.[1]) <= currentSchema,
  )?.file;
  throw new StoreError(
    `${file} was written by a newer Guestlist (schema ${version}, this one knows ${currentSchema}); ` +
      'install that version, or, without what was recorded since: ' +
      commandFor(`backup restore ${path.basename(before ?? '<a snapshot from before>')} --yes`),
  );
}

/** Applies missing migrations, all or none. @param beforeMigrating called before, unless the file is new */
export function migrate(db: Database, beforeMigrating = (_version: number): void => {}): void {
  const apply = db.transaction(() => {
    const version = readPragma(db, 'user_version');
    // Another process may have applied them since.
    if (version === currentSchema) return;
    if (version > 0) beforeMigrating(version);
    applyMigrations(db, version, currentSchema);
    db.pragma(`user_version = ${currentSchema}`);
    db.pragma(`application_id = ${APPLICATION_ID}`);
  });
  // Without a missing one, no lock is needed.
  if (readPragma(db, 'user_version') !== currentSchema) apply.immediate();
}
