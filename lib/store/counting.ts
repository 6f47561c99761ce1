/**
 * counted.db: what has been counted from the logs, in a file beside the store, which can be rebuilt
 * at any time. A step, `sql/count.sql`, counts the rows behind the bookmark in one transaction.
 */
import * as crypto from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../config.ts';
import { requireRow } from './paging.ts';
import Database from './sqlite.ts';

/** Rows of a step, by which the next one's duration is chosen. */
const LEAST_ROWS = 100;
const MOST_ROWS = 500_000;

/** Before every id. */
const FIRST_ID = '-9223372036854775808';

const readSql = (name: string): string => fs.readFileSync(path.join(root, 'sql', name), 'utf8');
const TABLES = readSql('counts.sql');
// A blank line follows each statement.
const STEP = readSql('count.sql').trim().split(/;\n\n/);

/** Other SQL gives another version, so that counts of the previous SQL are rebuilt. */
const VERSION = Number.parseInt(crypto.hash('sha256', TABLES + STEP.join()).slice(0, 7), 16);

/** The rows of a step, and the content of each row of a log. */
const TEMPORARY = `
  create temp table fresh (event integer, click integer, email text, at integer, day integer,
    logins integer, timeline_views integer, join_clicks integer);
  create temp view event_contents as select id, json_array(
    event_type, email, occurred_at, session_id, device_type, os, browser, meta) as content
    from events;
  create temp view join_contents as select id, json_array(
    email, session_id, clicked_at) as content from project_joins`;

/** The last ids of the logs. */
export type Ends = { readonly events: number; readonly joins: number };

const ENDS = `
  select ifnull((select max(id) from events), ${FIRST_ID}) as events,
    ifnull((select max(id) from project_joins), ${FIRST_ID}) as joins`;

type State = Ends & Readonly<Record<'made' | 'complete' | 'isProven', number>>;

/** The bookmark. `isProven`: no row was lost or deleted since it was counted. */
const STATE = `
  select events, project_joins as joins, made, complete, bookmark.doubt = doubt.number
    and last_event is (select content from event_contents where id = events)
    and last_join is (select content from join_contents where id = project_joins) as isProven
  from bookmark, doubt`;

export const countsFile = (store: string): string => path.join(path.dirname(store), 'counted.db');

/** Connects to the counts, with the store attached. */
export function connectToCounts<T>(
  store: string,
  busyTimeout: number,
  setUp: (db: Database.Database) => T,
): T {
  const db = new Database(countsFile(store), { timeout: busyTimeout });
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma('temp_store = memory');
    db.prepare('attach ? as store').run(store);
    return setUp(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Counts on a connection of `connectToCounts`. Makes missing tables, and those of another version. */
export function logCounter(db: Database.Database) {
  const version = db.prepare<[], number>('pragma user_version').pluck();
  const isCurrent = (): boolean => version.get() === VERSION;
  const isEmpty = version.get() === 0;
  if (!isCurrent()) db.exec('create table if not exists bookmark (made)');
  // The first statement of a transaction that writes: it locks counted.db alone, and reads nothing.
  const lock = db.prepare('delete from bookmark where false');
  db.exec(TEMPORARY);

  /** Empties all, so that the logs are counted from the beginning. The caller has the lock. */
  function make(): void {
    const tables = db.prepare<[], string>(
      "select name from main.sqlite_schema where type = 'table' and name not like 'sqlite_%'",
    );
    for (const name of tables.pluck().all())
      db.exec(`drop table main."${name.replaceAll('"', '""')}"`);
    db.exec(TABLES);
    db.exec(
      `insert into bookmark select ${FIRST_ID}, null, ${FIRST_ID}, null, number, random() >> 12, 0
       from doubt`,
    );
    db.pragma(`user_version = ${VERSION}`);
  }

  const makeIfOld = db.transaction(() => {
    lock.run();
    if (isCurrent()) return;
    if (!isEmpty) console.error(`${db.name} has another version; counting from the beginning`);
    make();
  });
  if (!isCurrent()) makeIfOld();

  const state = db.prepare<[], State>(STATE);
  const ends = db.prepare<[], Ends>(ENDS);
  const statements = STEP.map((sql) => db.prepare<[object]>(sql));
  const fresh = db.prepare<[], Ends>(
    'select count(event) as events, count(click) as joins from fresh',
  );
  const setComplete = db.prepare('update bookmark set complete = 1 where not complete');
  let rows = LEAST_ROWS;

  /** The bookmark, if it is proven. */
  function proven(): State | undefined {
    const found = isCurrent() ? state.get() : undefined;
    return found?.isProven ? found : undefined;
  }

  return {
    /** The making of these counts, `undefined` if they are incomplete or not proven. */
    making(): number | undefined {
      const found = proven();
      return found?.complete ? found.made : undefined;
    },
    ends: (): Ends => requireRow(ends.get()),
    /** Ids that are left to count up to `end`; ids may have gaps. */
    left(end: Ends): number {
      const found = proven();
      if (!found) return Infinity;
      // Ids may begin again.
      const last = requireRow(ends.get());
      const of = (log: keyof Ends) => Math.max(Math.min(end[log], last[log]) - found[log], 0);
      return Math.max(of('events') + of('joins'), found.complete ? 0 : 1);
    },
    /** Counts rows in one transaction. @param duration that the next step should have, in ms */
    step: db.transaction((duration: number): void => {
      lock.run();
      if (!proven()) make();
      const begun = performance.now();
      for (const statement of statements) statement.run({ rows });
      const { events, joins } = requireRow(fresh.get());
      // Only the duration of a full step tells how many rows the next one may have.
      if (events < rows && joins < rows) return void setComplete.run();
      const wanted = (rows * duration) / (performance.now() - begun);
      rows = Math.round(Math.max(LEAST_ROWS, Math.min(wanted, 2 * rows, MOST_ROWS)));
    }),
  };
}
