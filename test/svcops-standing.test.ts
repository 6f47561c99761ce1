/** What the store keeps of each person for the invite list: the same by triggers and by migration, whatever is done by hand. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { openStore } from '../lib/store/open.ts';
import { MIGRATIONS, migrateTo, TABLES_VERSION } from './support/old-store.ts';
import { inviteGuests } from './svcops-guests.ts';

describe('the standing of people', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-test-'));
  const file = path.join(folder, 'guestlist.db');
  let db: Database.Database;

  before(() => {
    const store = openStore(file);
    inviteGuests(store);
    store.close();
    db = new Database(file);
  });
  after(() => {
    db.close();
    fs.rmSync(folder, { recursive: true });
  });

  const people = (of: Database.Database) =>
    of
      .prepare<[], Record<string, unknown>>('select * from people order by email')
      .all()
      .map(({ id, ...person }) => person);
  const statusOf = (name: string) =>
    db.prepare('select status from people where email = ?').pluck().get(`${name}@example.com`);

  it('is made by the migrations as the triggers would have kept it', () => {
    const old = new Database(':memory:');
    migrateTo(old, TABLES_VERSION);
    old.prepare('attach ? as kept').run(file);
    for (const table of ['invites', 'events', 'project_joins']) {
      const columns = old.pragma(`table_info(${table})`) as { name: string }[];
      const names = columns.map(({ name }) => name).join();
      old.exec(`insert into main.${table} (${names}) select ${names} from kept.${table}`);
    }
    old.exec('detach kept');
    migrateTo(old, MIGRATIONS.length);
    assert.equal(people(old).length, 5);
    assert.deepEqual(people(old), people(db));
    const find = old.prepare('select rowid from people_text where people_text match \'"dora"\'');
    assert.equal(find.all().length, 1);
    old.close();
  });

  it('goes back when rows are deleted by hand', () => {
    assert.deepEqual(['ada', 'bo', 'cleo', 'dora'].map(statusOf), [0, 1, 2, 3]);
    db.exec("delete from project_joins where email = 'dora@example.com'");
    assert.equal(statusOf('dora'), 2);
    db.exec("delete from events where email = 'cleo@example.com' and event_type = 'timeline_view'");
    assert.equal(statusOf('cleo'), 1);
    db.exec("delete from events where email = 'bo@example.com'");
    assert.equal(statusOf('bo'), 0);
    db.exec("delete from invites where email = 'dora@example.com'");
    assert.equal(statusOf('dora'), null);
  });

  it('keeps no letter of an erased person, not in the bytes of the index either', () => {
    const bytes = () => {
      const blocks = db.prepare('select block from people_text_data').pluck().all();
      return Buffer.concat(blocks.filter((block) => Buffer.isBuffer(block)));
    };
    assert.ok(bytes().includes('dor'));
    for (const table of ['invites', 'events', 'project_joins'])
      db.prepare(`delete from ${table} where email = ?`).run('dora@example.com');
    assert.equal(statusOf('dora'), undefined);
    db.exec("insert into people_text (people_text, rank) values ('integrity-check', 1)");
    assert.deepEqual([bytes().includes('bo,'), bytes().includes('dor')], [true, false]);
  });

  it('does not touch an index at a view, but for a new rank', () => {
    // What a view changes is in no index of people: SQLite rewrites an index when its column is set.
    const indexed = db
      .prepare<[], string>(
        `select distinct i.name from pragma_index_list('people') as l, pragma_index_info(l.name) as i`,
      )
      .pluck()
      .all();
    const trigger = db
      .prepare<[], string>("select sql from sqlite_schema where name = 'events_view'")
      .pluck()
      .get();
    const set = /do update\s+set (timeline_views.*last_seen_at.*)/.exec(trigger ?? '')?.[1] ?? '';
    assert.ok(set && indexed.length > 0);
    for (const column of indexed) assert.doesNotMatch(set, new RegExp(`\\b${column} =`));
  });
});
