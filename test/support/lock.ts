/** Another program that holds the write lock of a store. */
import Database from 'better-sqlite3';

/** Locks a store for writing. @returns unlocks it; nothing is written */
export function lockStore(file: string): () => void {
  const db = new Database(file);
  db.exec('begin immediate');
  return () => db.close();
}
