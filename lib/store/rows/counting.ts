/**
 * Counts the logs. A view or a click is only appended to its log. A step reads the rows behind the
 * bookmark (`counted.through`), and adds them to the totals in the transaction that moves the
 * bookmark. So the totals are exact up to the bookmark, whatever is interrupted.
 */
import type { Database } from 'better-sqlite3';
import { additions, type LogName, type Sum } from './additions.ts';
import { single } from './page.ts';

/** Rows that are read at once. */
const ROWS = 250;

/** A step reads no more rows of a log after so many, or so many people: then it takes 8 ms. */
const MOST_ROWS = 2000;
const MOST_PEOPLE = 400;

/** Integers alone, because text takes twice as long. Day: whole days since 1970-01-01 UTC. */
type Row = readonly [id: number, person: number, at: number, day: number, isView: 0 | 1];

/** For each log, the time of a row, whether it is a view, and what is added by SQL alone. */
const LOGS = {
  events: {
    at: 'occurred_at',
    isView: "event_type = 'timeline_view'",
    sets: [
      `insert into device_totals select device_type, os, browser, count(*)
       from events where id > ? and id <= ? group by device_type, os, browser
       on conflict do update set events = events + excluded.events`,
      `insert into person_events select log.id >> 14, people.id, log.id
       from events as log join people using (email) where log.id > ? and log.id <= ?
       order by people.id`,
      `insert or ignore into event_blocks
       select distinct id >> 14 from events where id > ? and id <= ?`,
    ],
  },
  project_joins: {
    at: 'clicked_at',
    isView: '0',
    sets: [
      `insert into person_clicks select people.id, log.id
       from project_joins as log join people using (email) where log.id > ? and log.id <= ?`,
    ],
  },
} as const;

export function counting(db: Database) {
  const begin = db.prepare('begin immediate');
  const commit = db.prepare('commit');
  const rollback = db.prepare('rollback');
  const logs = [countedLog(db, 'events'), countedLog(db, 'project_joins')];

  /** Whether rows wait to be counted. */
  const isBehind = (): boolean => logs.some((log) => log.isBehind());

  /** Counts some rows, in the transaction of the caller. @returns how many */
  const countRows = (): number => logs.reduce((sum, log) => sum + log.countRows(), 0);

  return {
    countRows,
    /** Counts rows for at most 8 ms, in one transaction. @returns whether more rows wait */
    step(): boolean {
      if (!isBehind()) return false;
      begin.run();
      try {
        countRows();
        commit.run();
      } catch (error) {
        // SQLite itself rolls back if the disk is full.
        if (db.inTransaction) rollback.run();
        throw error;
      }
      return isBehind();
    },
  };
}

function countedLog(db: Database, name: LogName) {
  const { at, isView, sets } = LOGS[name];
  const bookmark = `(select through from counted where log = '${name}')`;
  const through = db.prepare<[], number>(`select ${bookmark}`).pluck();
  const isBehind = db
    .prepare<[], 0 | 1>(`select exists (select 1 from ${name} where id > ${bookmark})`)
    .pluck();
  // Another program may have written a time that is no safe integer.
  const read = db
    .prepare<[number], Row>(
      `select log.id, people.id,
         min(max(${at}, ${Number.MIN_SAFE_INTEGER}), ${Number.MAX_SAFE_INTEGER}),
         ${at} / 86400000, ${isView}
       from ${name} as log left join people using (email)
       where log.id > ? order by log.id limit ${ROWS}`,
    )
    .raw();
  const addPeople = db.prepare<[number, number]>(
    `insert into people (email) select email from ${name} where id > ? and id <= ?
     group by email order by min(id) on conflict do nothing`,
  );
  const addSets = sets.map((sql) => db.prepare<[number, number]>(sql));
  const add = additions(db)[name];
  const move = db.prepare<[number]>(`update counted set through = ? where log = '${name}'`);

  return {
    isBehind: (): boolean => isBehind.get() === 1,
    countRows(): number {
      const from = single(through.get());
      const days = new Map<number, { readonly all: Sum; readonly people: Map<number, Sum> }>();
      const people = new Map<number, Sum>();
      let last = from;
      let count = 0;
      for (let more = true; more; ) {
        const rows = readSome(last);
        for (const row of rows) {
          const [id, person, , day] = row;
          const ofDay = days.get(day) ?? { all: newSum(row), people: new Map<number, Sum>() };
          days.set(day, ofDay);
          addRow(ofDay.all, row);
          addTo(ofDay.people, person, row);
          addTo(people, person, row);
          last = id;
        }
        count += rows.length;
        more = rows.length === ROWS && count < MOST_ROWS && people.size < MOST_PEOPLE;
      }
      if (count === 0) return 0;
      for (const [day, ofDay] of days) {
        add.toDay(day, ofDay.all);
        for (const [person, sum] of ofDay.people) add.toPersonDay(day, person, sum);
      }
      for (const [person, sum] of people) add.toPerson(person, sum);
      for (const each of addSets) each.run(from, last);
      move.run(last);
      return count;
    },
  };

  /** Reads rows behind an id. Their people are known then. */
  function readSome(behind: number): readonly Row[] {
    const rows = read.all(behind);
    if (!rows.some(([, person]) => person === null)) return rows;
    addPeople.run(behind, rows.at(-1)?.[0] ?? behind);
    return read.all(behind);
  }
}

const newSum = ([id, , at]: Row): Sum => ({
  ...{ rows: 0, views: 0, firstId: id, lastId: id, firstAt: at, lastAt: at, latestAt: at },
});

function addTo(sums: Map<number, Sum>, key: number, row: Row): void {
  const sum = sums.get(key) ?? newSum(row);
  sums.set(key, sum);
  addRow(sum, row);
}

function addRow(sum: Sum, [id, , at, , isView]: Row): void {
  sum.rows += 1;
  sum.views += isView;
  sum.lastId = id;
  sum.lastAt = at;
  if (at > sum.latestAt) sum.latestAt = at;
}
