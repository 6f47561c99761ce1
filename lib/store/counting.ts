/**
 * Counts the logs. A step, `sql/count.sql`, adds rows behind the bookmarks (`counted.through`) to
 * the totals and moves the bookmarks, in one transaction: totals are exact up to the bookmarks.
 */
import fs from 'node:fs';
import type { Database } from 'better-sqlite3';
import { requireRow } from './paging.ts';

/** Target duration of a step, in ms, by which the next one's rows are chosen. */
const STEP_TIME = 2.5;
const LEAST_ROWS = 100;
const MOST_ROWS = 500_000;

const SCRIPT = new URL('../../sql/count.sql', import.meta.url);
// A blank line follows each statement.
const STEP = fs.readFileSync(SCRIPT, 'utf8').trim().split(/;\n\n/);

const BEHIND = ['events', 'project_joins']
  .map((log) => `exists (select 1 from ${log} join counted on log = '${log}' where id > through)`)
  .join(' or ');

export function logCounter(db: Database) {
  db.pragma('temp_store = memory');
  db.exec(`create temp table if not exists fresh (id integer, person integer, day integer,
    at integer, login integer, view integer, click integer)`);
  const statements = STEP.map((sql) => db.prepare<[object]>(sql));
  const count = db.prepare<[], number>('select count(*) from fresh').pluck();
  const isBehind = db.prepare<[], 0 | 1>(`select ${BEHIND}`).pluck();
  let rows = LEAST_ROWS;

  /** Counts rows in the caller's transaction. @param stepTime in ms @returns how many */
  function countRows(stepTime = STEP_TIME): number {
    const begun = performance.now();
    for (const statement of statements) statement.run({ rows });
    const wanted = (rows * stepTime) / (performance.now() - begun);
    rows = Math.round(Math.max(LEAST_ROWS, Math.min(wanted, 2 * rows, MOST_ROWS)));
    return requireRow(count.get());
  }

  const transaction = db.transaction(countRows);

  return {
    countRows,
    /** Counts rows in one transaction. @returns whether uncounted rows are left */
    step: (stepTime?: number): boolean =>
      isBehind.get() === 1 && transaction.immediate(stepTime) > 0 && isBehind.get() === 1,
  };
}
