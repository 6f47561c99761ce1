/** The write lock of a store, held by another connection. */
import Database from 'better-sqlite3';

/** Locks a store for writing. @returns unlocks it */
export function lockStore(file: string): () => void {
  const db = new Database(file);
  db.exec('begin immediate');
  return () => db.close();
}
