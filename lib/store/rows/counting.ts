/**
 * Counts the logs. A view or a click is only appended to its log. A step, `sql/count.sql`, reads
 * the rows behind the bookmarks (`counted.through`), and adds them to the totals in the transaction
 * that moves the bookmarks. So the totals are exact up to the bookmarks, whatever is interrupted.
 */
import fs from 'node:fs';
import type { Database } from 'better-sqlite3';
import { requireRow } from './paging.ts';

/** How long a step may take, in ms. The next one reads more or fewer rows of each log. */
const STEP_TIME = 4;
const LEAST_ROWS = 100;
const MOST_ROWS = 100_000;

/** A step, as statements that run in order. */
const SCRIPT = new URL('../../../sql/count.sql', import.meta.url);
const STEP = fs.readFileSync(SCRIPT, 'utf8').trim().split(/;\n\n/);

const BEHIND = ['events', 'project_joins']
  .map((log) => `exists (select 1 from ${log} join counted on log = '${log}' where id > through)`)
  .join(' or ');

/** @param stepTime how long a step may take, in ms */
export function logCounter(db: Database, stepTime = STEP_TIME) {
  db.pragma('temp_store = memory');
  db.exec(`create temp table if not exists fresh (id integer, person integer, day integer,
    at integer, login integer, view integer, click integer)`);
  const statements = STEP.map((sql) => db.prepare<[object]>(sql));
  const count = db.prepare<[], number>('select count(*) from fresh').pluck();
  const isBehind = db.prepare<[], 0 | 1>(`select ${BEHIND}`).pluck();
  let rows = LEAST_ROWS;

  /** Counts some rows, in the transaction of the caller. @returns how many */
  function countRows(): number {
    const begun = performance.now();
    for (const statement of statements) statement.run({ rows });
    const wanted = (rows * stepTime) / (performance.now() - begun);
    rows = Math.round(Math.max(LEAST_ROWS, Math.min(wanted, 2 * rows, MOST_ROWS)));
    return requireRow(count.get());
  }

  const transaction = db.transaction(countRows);

  return {
    countRows,
    /** Counts rows for some ms, in one transaction. @returns whether more rows wait */
    step: (): boolean =>
      isBehind.get() === 1 && transaction.immediate() > 0 && isBehind.get() === 1,
  };
}
