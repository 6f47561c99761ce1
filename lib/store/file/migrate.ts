/** Applies migrations: the numbered files in `sql/`, each in one transaction. */
import fs from 'node:fs';
import path from 'node:path';
import type { Database } from 'better-sqlite3';
import { root } from '../../config.ts';
import { StoreError } from '../errors.ts';
import { storedForm } from '../rows/normalize.ts';
import { mark, readVersion } from './connect.ts';
import { countRows } from './inspection.ts';
import { listSnapshots, takeSnapshotNow } from './snapshots.ts';

const folder = path.join(root, 'sql');

/** The migrations in order: `sql/001-….sql` takes a store from version 0 to version 1. */
const migrations = fs
  .readdirSync(folder)
  .filter((name) => /^\d{3}-.+\.sql$/.test(name))
  .sort();

/** The schema version that this code writes. */
export const currentVersion = migrations.length;

/**
 * Applies the missing migrations. A store that has data is first copied into `backups/` beside it.
 *
 * @throws {StoreError} if the store is newer than this code; it is not changed
 */
export function migrate(db: Database): void {
  const version = readVersion(db);
  refuseNewer(db.name, version);
  if (version > 0 && version < currentVersion) takeSnapshotNow(db, `-schema-${version}`);
  upgrade(db);
}

/** @throws {StoreError} if a file has a schema that this code does not know */
export function refuseNewer(file: string, version: number): void {
  if (version <= currentVersion) return;
  const before = listSnapshots(file)
    .map((snapshot) => path.basename(snapshot.file))
    .find((name) => Number(/-schema-(\d+)\.db$/.exec(name)?.[1]) <= currentVersion);
  throw new StoreError(
    `${file} was written by a newer Guestlist (schema ${version}, this one knows ${currentVersion}); ` +
      'install that version, or give up what came since: ' +
      `backup restore ${before ?? '<a snapshot from before>'} --yes`,
  );
}

/** Applies the missing migrations, without a snapshot. */
export function upgrade(db: Database): void {
  db.function('stored_form', storedForm);
  for (const [i, name] of migrations.entries()) apply(db, name, i + 1);
}

function apply(db: Database, name: string, version: number): void {
  if (readVersion(db) >= version) return;
  const countInvites = () => countRows(db).invites ?? 0;
  const run = db.transaction(() => {
    // Another process may have applied it before this one got the lock.
    if (readVersion(db) >= version) return 0;
    const before = countInvites();
    db.exec(fs.readFileSync(path.join(folder, name), 'utf8'));
    db.pragma(`user_version = ${version}`);
    mark(db);
    return before - countInvites();
  });
  const merged = run.immediate();
  if (merged > 0)
    console.error(
      `invites merged: ${merged}; each named an address that was also invited in another form of ` +
        'its domain. The earlier invite stays, an administrator if either was',
    );
}
