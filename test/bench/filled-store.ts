/**
 * Stores with many events, made once and kept in the temporary folder of the system. The rows are
 * inserted before the migrations with totals, which then count them: minutes instead of hours.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { MIGRATIONS, migrateTo, TABLES_VERSION } from '../support/old-store.ts';

export type Size = { readonly events: number; readonly people: number; readonly clicks: number };

/** An administrator in every filled store. */
export const ADMINISTRATOR = 'admin@example.com';

/** A person with an average number of events and clicks in every filled store. */
export const SOMEBODY = 'zoe77@example.com';

const YEAR = 365 * 86_400_000;

/** The folder of a store of this size. Fills it first if it does not exist. */
export function filledStore(size: Size): string {
  const name = `guestlist-bench-${size.events}-${size.people}-${size.clicks}-v${MIGRATIONS.length}`;
  const folder = path.join(os.tmpdir(), name);
  if (fs.existsSync(folder)) return folder;
  console.error(`filling ${folder}`);
  const draft = `${folder}.draft`;
  fs.rmSync(draft, { recursive: true, force: true });
  fs.mkdirSync(draft);
  const db = new Database(path.join(draft, 'guestlist.db'));
  for (const pragma of ['journal_mode = off', 'synchronous = off', 'cache_size = -400000'])
    db.pragma(pragma);
  migrateTo(db, TABLES_VERSION);
  fill(db, size);
  migrateTo(db, MIGRATIONS.length);
  db.pragma('journal_mode = wal');
  db.close();
  fs.renameSync(draft, folder);
  return folder;
}

/**
 * A year of activity up to now. Four fifths of the people log in, some far more often than others.
 * A tenth of those only log in, a fifth press the join button.
 */
function fill(db: Database.Database, { events, people, clicks }: Size): void {
  const start = Date.now() - YEAR;
  const indexes = db
    .prepare<[], { name: string; sql: string }>(
      "select name, sql from sqlite_schema where type = 'index' and tbl_name = 'events' and sql is not null",
    )
    .all();
  for (const { name } of indexes) db.exec(`drop index ${name}`);
  // Pseudo-random: multiplied by a prime, modulo 2^32. Squared, it favours small numbers.
  const chosen = (i: string) =>
    `cast(power((((${i}) * 2654435761) % 4294967296) / 4294967296.0, 2) * ${people * 0.8} as integer)`;
  const emailOf = (p: string) =>
    `(case ${p} % 4 when 0 then 'ada' when 1 then 'zoe' when 2 then 'linus' else 'grace' end) || ${p} || '@example.com'`;
  const count = (n: number) =>
    `with recursive n (i) as (select 0 union all select i + 1 from n where i + 1 < ${n})`;

  db.exec(`
    insert into invites (email, first_name, invited_by, invited_at, is_admin)
      values ('${ADMINISTRATOR}', 'Admin', 'cli', ${start}, 1);
    ${count(people)}
    insert into invites (email, first_name, invited_by, invited_at)
      select ${emailOf('i')},
        case i % 5 when 0 then null when 1 then 'Zoë' when 2 then 'Ada' when 3 then 'Grace' else 'Linus' end,
        case i % 2 when 0 then 'cli' else '${ADMINISTRATOR}' end,
        ${start} + ${YEAR} / ${people} * i
      from n;

    ${count(events)}, e (i, p) as (select i, ${chosen('i')} from n)
    insert into events (event_type, email, occurred_at, session_id, device_type, os, browser, meta)
      select
        iif(i % 4 = 0 or p % 10 = 0, 'login', 'timeline_view'),
        ${emailOf('p')},
        ${start} + cast(${YEAR}.0 / ${events} * i as integer),
        printf('%022d', i / 5),
        iif(p % 3 = 0, 'mobile', 'desktop'),
        case p % 5 when 0 then 'iOS' when 1 then 'Android' when 2 then 'Mac OS' else 'Windows' end,
        case i % 7 when 0 then 'Firefox' when 1 then 'Edge' when 2 then 'Safari' else 'Chrome' end,
        iif(i % 4 = 0 or p % 10 = 0, null, '{"view":"desktop","forced":false}')
      from e;

    ${count(clicks)}, c (i, p) as (select i, ${chosen('i + 7')} from n)
    insert into project_joins (email, session_id, clicked_at)
      select ${emailOf('(p - p % 10 + 7 + i % 2)')}, printf('%022d', i),
        ${start} + cast(${YEAR}.0 / ${clicks} * i as integer)
      from c;`);
  for (const { sql } of indexes) db.exec(sql);
}
