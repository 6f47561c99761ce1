/**
 * Counts the logs. A view or a click is only appended to its log. A step, `sql/count.sql`, reads
 * the rows behind the bookmarks (`counted.through`), and adds them to the totals in the transaction
 * that moves the bookmarks. So the totals are exact up to the bookmarks, whatever is interrupted.
 */
import fs from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { root } from '../../config.ts';
import { isBusy, isUnavailable } from '../errors.ts';
import { single } from './page.ts';

/** How long a step may take, in ms. The next one reads more or fewer rows of each log. */
const STEP_TIME = 7;
const LEAST_ROWS = 250;
const MOST_ROWS = 5000;

/** Rows that wait before they are counted in the background. */
const MANY = 3000;

/** How long fewer rows wait, in ms. */
const SOON = 1000;

/** How often and when a step is tried again while another program holds the lock, in ms. */
const TRIES = 10;
const PAUSE = 20;

/** The statements of a step. */
const STEP = fs
  .readFileSync(path.join(root, 'sql', 'count.sql'), 'utf8')
  .trim()
  .split(/;\n\n/);

const BEHIND = ['events', 'project_joins']
  .map((log) => `exists (select 1 from ${log} join counted on log = '${log}' where id > through)`)
  .join(' or ');

export function counting(db: Database) {
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
    const wanted = (rows * STEP_TIME) / (performance.now() - begun);
    rows = Math.round(Math.max(LEAST_ROWS, Math.min(wanted, 2 * rows, MOST_ROWS)));
    return single(count.get());
  }

  const transaction = db.transaction(countRows);

  return {
    countRows,
    /** Counts rows for some ms, in one transaction. @returns whether more rows wait */
    step: (): boolean =>
      isBehind.get() === 1 && transaction.immediate() > 0 && isBehind.get() === 1,
  };
}

/** Counts in the server: before a total is read, and in the background. */
export function countInSteps(db: Database) {
  const { step } = counting(db);
  let waiting = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  /**
   * Counts all rows. The event loop is free between two steps. If the store cannot be written, the
   * last rows are left out.
   */
  const now = (): Promise<void> => {
    running ??= countAll().finally(() => {
      running = undefined;
    });
    return running;
  };

  async function countAll(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    waiting = 0;
    for (let tries = 0; tries < TRIES; tries += 1) {
      try {
        while (step()) await nextTurn();
        return;
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        if (!isBusy(error)) return;
        await pause(PAUSE);
      }
    }
  }

  /** A bug in it is logged, and the requests that read a total report it. */
  const background = (): void => void now().catch(console.error);

  return {
    now,
    /** Counts in the background after a commit of so many rows. */
    soon(rows: number): void {
      waiting += rows;
      if (waiting >= MANY) background();
      else timer ??= setTimeout(background, SOON);
    },
    async stop(): Promise<void> {
      clearTimeout(timer);
      await running;
    },
  };
}
