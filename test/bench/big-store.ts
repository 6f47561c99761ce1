/** A store with ten million events, filled in bulk and kept in the temporary folder for the next run. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { root } from '../../lib/root.ts';

export const EVENTS = 10_000_000;

const PEOPLE = 10_000;

/** The migration that counts what is stored: until then rows come in without triggers. */
const TOTALS = '005';

/** Makes the store where it is missing. @returns its file; its name changes with the schema */
export function bigStore(): string {
  const folder = path.join(root, 'sql');
  const names = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  const migrations = names.map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
  const version = names.length;
  const file = path.join(os.tmpdir(), `guestlist-bench-${EVENTS}-events-${sum(migrations)}.db`);
  if (fs.existsSync(file)) return file;

  console.log('filling a store with ten million events, once: about a minute …');
  const draft = `${file}.draft`;
  fs.rmSync(draft, { force: true });
  const db = new Database(draft);
  // A draft that is lost is made again.
  db.pragma('journal_mode = off');
  db.pragma('synchronous = off');
  db.pragma('cache_size = -1000000');
  db.transaction(() => {
    for (const [i, sql] of migrations.entries()) {
      if (names[i]?.startsWith(TOTALS)) fill(db);
      db.exec(sql);
    }
    db.pragma(`user_version = ${version}`);
  })();
  db.close();
  fs.renameSync(draft, file);
  return file;
}

/** Invitees, and events in the order of time over the last year, one login to nine views. */
function fill(db: Database.Database): void {
  db.prepare(
    `insert into invites (email, first_name, invited_by, invited_at)
     with recursive n (i) as (select 0 union all select i + 1 from n where i < ? - 1)
     select 'guest' || i || '@example.com', 'Guest ' || i, 'cli', ? from n`,
  ).run(PEOPLE, Date.now());
  const yearAgo = Date.now() - 365 * 86_400_000;
  db.prepare(
    `insert into events (event_type, email, occurred_at, session_id, device_type, os, browser, meta)
     with recursive n (i) as (select 0 union all select i + 1 from n where i < @events - 1)
     select
       iif(i % 10 = 0, 'login', 'timeline_view'),
       'guest' || abs(random() % @people) || '@example.com',
       @yearAgo + i * @step,
       'AAAAAAAAAAAAAAAAAAAAAA',
       iif(i % 3 = 0, 'desktop', 'mobile'),
       iif(i % 3 = 0, 'Windows', 'iOS'),
       iif(i % 3 = 0, 'Chrome', 'Mobile Safari'),
       iif(i % 10 = 0, null, '{"view":"mobile","forced":false}')
     from n`,
  ).run({ events: EVENTS, people: PEOPLE, yearAgo, step: Math.floor((365 * 86_400_000) / EVENTS) });
}

/** A short name for the schema. */
const sum = (texts: readonly string[]): string =>
  [...texts.join('')].reduce((hash, char) => (hash * 31 + char.charCodeAt(0)) | 0, 7).toString(36);
