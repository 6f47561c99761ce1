/** Looks at the store and its newest snapshot, without changing either: nothing is migrated, nothing written. */
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { currentVersion } from '../store/migrate.ts';
import { storeFile } from '../store/open.ts';
import { type Finding, fault, reason, well } from './finding.ts';

/** A nightly snapshot is no older than this, in ms: a day and two hours. */
const FRESH = 26 * 3_600_000;

/** Free disk that there must be beside the store's own size, in bytes. */
const ROOM = 100e6;

const SNAPSHOT = /^guestlist-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*\.db$/;

const backups = path.join(path.dirname(storeFile), 'backups');
const restore =
  'stop the service, then: node tools/backup.js list and node tools/backup.js restore <file>';

/** Whether the store can be read, has the schema of this code, and is whole. */
export function checkStore(): readonly Finding[] {
  if (!fs.existsSync(storeFile)) {
    return [
      fault(
        'store',
        `there is no store at ${storeFile}`,
        'the first invite makes it: node tools/invite.js add ada@example.com',
      ),
    ];
  }
  try {
    return inspect(storeFile, (db) => [readable(db), schema(db), integrity(db)]);
  } catch (error) {
    return [unreadable(error)];
  }
}

function inspect<T>(file: string, look: (db: Database.Database) => T): T {
  const db = new Database(file, { readonly: true });
  try {
    return look(db);
  } finally {
    db.close();
  }
}

function unreadable(error: unknown): Finding {
  if (error instanceof Database.SqliteError) {
    return fault('store', `${storeFile} cannot be read: ${error.message} (${error.code})`, restore);
  }
  // The compiled part of better-sqlite3 was made for another version of Node.
  return fault(
    'store',
    `better-sqlite3 cannot be loaded: ${reason(error).split('\n', 1)[0]}`,
    'Node was changed or the dependencies are not whole: npm ci --omit=dev, then restart the service',
  );
}

function readable(db: Database.Database): Finding {
  const tables = db.prepare('select count(*) from sqlite_schema').pluck().get();
  return well('store', `${storeFile} can be read (${String(tables)} tables, indexes and triggers)`);
}

function schema(db: Database.Database): Finding {
  const version = Number(db.pragma('user_version', { simple: true }));
  if (version === currentVersion) return well('schema', `schema ${version}`);
  const message = `the store has schema ${version}, this code knows ${currentVersion}`;
  return version < currentVersion
    ? fault('schema', message, 'restart the service, which brings the store up to date')
    : fault(
        'schema',
        message,
        'install the version that wrote it, or restore a snapshot from before',
      );
}

function integrity(db: Database.Database): Finding {
  const said = String(db.pragma('integrity_check', { simple: true }));
  return said === 'ok'
    ? well('integrity', 'integrity_check says ok')
    : fault('integrity', `the store is damaged: ${said.split('\n', 1)[0]}`, restore);
}

/** Whether the newest snapshot is from last night, and whole. */
export function checkSnapshot(now: number): Finding {
  const again =
    'see what stopped it (journalctl -u guestlist-backup), then: systemctl start guestlist-backup';
  const names = fs.existsSync(backups) ? fs.readdirSync(backups) : [];
  const newest = names
    .filter((name) => SNAPSHOT.test(name))
    .sort()
    .at(-1);
  if (newest === undefined) {
    return fault(
      'snapshot',
      `there is no snapshot in ${backups}`,
      'systemctl enable --now guestlist-backup.timer; systemctl start guestlist-backup',
    );
  }
  const age = now - Date.parse(newest.replace(SNAPSHOT, '$1-$2-$3T$4:$5:$6Z'));
  const hours = `${Math.round(age / 3_600_000)} h`;
  if (age > FRESH) return fault('snapshot', `the newest, ${newest}, is ${hours} old`, again);
  try {
    const said = inspect(path.join(backups, newest), integrity);
    if (said.ok) return well('snapshot', `${newest} is ${hours} old and whole`);
    return fault('snapshot', `${newest}: ${said.message}`, again);
  } catch (error) {
    return fault('snapshot', `${newest} cannot be read: ${reason(error)}`, again);
  }
}

/** Whether the disk has room for the store's growth and one more snapshot. */
export function checkDisk(): Finding {
  const folder = path.dirname(storeFile);
  const { bavail, bsize } = fs.statfsSync(folder);
  const free = bavail * bsize;
  const size = ['', '-wal']
    .map((suffix) => fs.statSync(storeFile + suffix, { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, bytes) => sum + bytes, 0);
  const said = `${megabytes(free)} free, the store has ${megabytes(size)}`;
  return free >= 2 * size + ROOM
    ? well('disk', said)
    : fault(
        'disk',
        `the disk runs full: ${said}; twice that and ${megabytes(ROOM)} are needed`,
        `make room on the disk of ${folder}: old logs (journalctl --vacuum-size=200M), or a larger disk`,
      );
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;
