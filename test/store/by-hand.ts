/** What other programs write into a store, at random. */
import type Database from 'better-sqlite3';
import { openStore } from '../../lib/store/open.ts';
import { dayOf } from '../../lib/store/period.ts';
import { withDatabase } from '../support/database.ts';
import { randomFrom } from '../support/random.ts';
import { newStoreFile } from '../support/site.ts';
import { DAY } from './counted.ts';

const NOON = Date.UTC(2026, 2, 2, 12);
const TODAY = dayOf(NOON);

/** Days, weeks, open periods, and days without rows. */
export const PERIODS = [
  undefined,
  ...[-1, 0, 1, 4, 9].flatMap((day) => [
    { from: TODAY + day, to: TODAY + day },
    { from: TODAY + day, to: TODAY + day + 3 },
    { from: TODAY + day, to: Infinity },
    { from: -Infinity, to: TODAY + day },
  ]),
  { from: -2, to: 1 },
  { from: -1, to: -1 },
  { from: 0, to: 0 },
];

/** A whole number below another. */
export const randomTo = (next: () => number) => (below: number) => Math.floor(next() * below);

/** What other programs do to a store, by hand. */
export function handsOn(db: Database.Database, random: (below: number) => number) {
  const event = db.prepare("insert into events values (?, ?, ?, ?, 's', ?, ?, '', ?)");
  const click = db.prepare("insert into project_joins values (?, ?, 's', ?)");
  const email = () => `p${random(9)}@example.com`;
  // Mostly within five days, in any order, as if clocks jumped; also before 1970 and after 9999.
  const at = () =>
    random(30) > 0 ? NOON + random(5) * DAY + random(3) * 1000 : (random(7) - 3) * 1.5e14 - 1;
  const log = () => (random(2) ? 'events' : 'project_joins');
  const insert = (id?: number) => {
    if (random(4) === 0) click.run(id ?? null, email(), at());
    else if (random(3) === 0)
      event.run(id ?? null, 'login', email(), at(), `d${random(3)}`, 'x', null);
    else
      event.run(id ?? null, 'timeline_view', email(), at(), `d${random(3)}`, `${random(2)}`, '{}');
  };
  const list = [
    ...Array.from({ length: 12 }, () => () => insert()),
    () => db.exec(`delete from ${log()} where id in (select max(id) from events)`),
    () => db.exec(`delete from ${log()} where id % 7 = ${random(7)} and id % 3 = ${random(3)}`),
    () => db.exec(`delete from ${log()} where email = '${email()}' limit ${1 + random(5)}`),
    () => db.exec(`delete from events where occurred_at / ${DAY} = ${TODAY + random(5)}`),
    () => random(9) || db.exec(`delete from ${log()}; delete from sqlite_sequence`),
    () =>
      db
        .prepare('replace into invites values (?, ?, ?, ?, ?)')
        .run(email(), ['Ada', 'bo', null][random(3)], `cli${random(2)}`, at(), random(2)),
    () => db.prepare('delete from invites where email = ?').run(email()),
  ];
  return { insert, any: () => list[random(list.length)]?.() };
}

/** A new store with rows that are not counted. */
export function newFilledStore(seed: number, rows = 1200): string {
  const file = newStoreFile();
  openStore(file).close();
  withDatabase(file, (db) => {
    const { insert } = handsOn(db, randomTo(randomFrom(seed)));
    db.exec('begin');
    for (let i = 0; i < rows; i += 1) insert();
    db.exec('commit');
  });
  return file;
}
