/** Damages the file of a store. */
import fs from 'node:fs';
import Database from 'better-sqlite3';

/** Overwrites bytes of a file with garbage. */
export function scribble(file: string, from: number, length: number): void {
  const handle = fs.openSync(file, 'r+');
  fs.writeSync(handle, Buffer.alloc(length, 0xa5), 0, length, from);
  fs.closeSync(handle);
}

/** Overwrites the root page of a table or index. The store still opens. */
export function damagePage(file: string, name: string): void {
  const db = new Database(file);
  db.pragma('wal_checkpoint(truncate)');
  const page = Number(
    db.prepare('select rootpage from sqlite_schema where name = ?').pluck().get(name),
  );
  const size = Number(db.pragma('page_size', { simple: true }));
  db.close();
  scribble(file, (page - 1) * size, size);
}
