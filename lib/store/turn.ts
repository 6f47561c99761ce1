/**
 * One read transaction for what a turn of the event loop reads. Outside of a transaction, SQLite
 * takes and releases the locks of the WAL for each statement, which costs as much as the reads.
 */
import type { Database } from 'better-sqlite3';

export function readTransaction(db: Database) {
  const start = db.prepare('begin');
  const rollback = db.prepare('rollback');
  /** When the transaction began; `NaN` if there is none. */
  let since = Number.NaN;

  function end(): void {
    since = Number.NaN;
    // SQLite itself rolls back if the disk is failing.
    if (db.inTransaction) rollback.run();
  }

  return {
    /**
     * Begins the transaction, unless one is open, reading or writing. A turn with many connections
     * can take long. So that it sees what other programs have changed, a transaction serves only
     * one millisecond.
     *
     * @param now a monotonic clock, in ms: the time of day may stand still
     */
    begin(now = performance.now()): void {
      if (now < since + 1) return;
      if (now >= since + 1) end();
      else if (db.inTransaction) return;
      start.run();
      since = now;
      setImmediate(end);
    },
    /** Ends the transaction, before a commit begins. */
    end,
  };
}
