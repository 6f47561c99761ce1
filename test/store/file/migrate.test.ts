/** Migrations: a new store, and one that 1.1.0 has filled. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, it } from 'node:test';
import { inspectFile } from '../../../lib/store/file/inspection.ts';
import { openStore } from '../../../lib/store/open.ts';
import { queryOne, read, withDatabase } from '../../support/database.ts';
import { MIGRATIONS, makeOldStore, OLDEST_VERSION } from '../../support/old-store.ts';
import { temporaryFolder } from '../../support/site.ts';

const data = path.join(temporaryFolder(), 'data');
const file = path.join(data, 'guestlist.db');
const backups = path.join(data, 'backups');
beforeEach(() => fs.rmSync(data, { recursive: true, force: true }));

it('have numbers from 001 on without a gap', () => {
  assert.deepEqual(
    MIGRATIONS.map((name) => name.slice(0, 4)),
    MIGRATIONS.map((_, i) => `${String(i + 1).padStart(3, '0')}-`),
  );
});

it('make a marked WAL store with the current version and strict tables', () => {
  openStore(file).close();
  withDatabase(file, (db) => {
    const pragma = (name: string) => db.pragma(name, { simple: true });
    assert.equal(pragma('journal_mode'), 'wal');
    assert.equal(pragma('user_version'), MIGRATIONS.length);
    assert.equal(
      Buffer.from(Number(pragma('application_id')).toString(16), 'hex').toString(),
      'Gues',
    );
    const loose = db
      .prepare(
        `select name from pragma_table_list
         where schema = 'main' and type = 'table' and name not like 'sqlite_%' and not strict`,
      )
      .pluck()
      .all();
    assert.deepEqual(loose, []);
  });
  assert.ok(!fs.existsSync(backups), 'a new store needs no snapshot');
});

it('give a store of 1.1.0 the schema of a new one, byte for byte', () => {
  const schema = () =>
    read(file, (db) => db.prepare('select type, name, sql from sqlite_schema order by 1, 2').all());
  openStore(file).close();
  const asMade = schema();
  fs.rmSync(data, { recursive: true });
  makeOldStore(file).close();
  openStore(file).close();
  assert.deepEqual(schema(), asMade);
});

it('keep and count the rows of a store of 1.1.0', () => {
  makeOldStore(file).close();
  const store = openStore(file);
  try {
    const counts = { invites: 4, admins: 1, logins: 2, timelineViews: 2, joinClicks: 3 };
    assert.deepEqual(store.totals.counts(), counts);
    const funnel = { invited: 4, loggedIn: 1, viewed: 1, joined: 1 };
    assert.deepEqual(store.totals.funnel(), funnel);
    assert.deepEqual(store.joins.stats(), { clicks: 3, users: 2 });
    assert.equal(store.invites.find('ada@example.com')?.isAdmin, true);
    const gone = store.people.find('gone@example.com');
    assert.deepEqual([gone?.logins, gone?.timelineViews, gone?.joinClicks], [1, 1, 1]);
    assert.equal(store.changes.list({ limit: 10 }).rows.length, 7);
  } finally {
    store.close();
  }
  assert.equal(inspectFile(file).fault, null);
});

it('first take a snapshot of a store of 1.1.0, and keep the last one of interrupted starts', () => {
  const interrupted = makeOldStore(file);
  interrupted.exec('create table person_days (day)');
  for (let i = 0; i < 2; i += 1) assert.throws(() => openStore(file), /already exists/);
  interrupted.exec('drop table person_days');
  interrupted.close();
  openStore(file).close();
  const [snapshot = '', ...others] = fs.readdirSync(backups);
  assert.deepEqual(others, []);
  assert.match(snapshot, /-schema-6\.db$/);
  const copy = path.join(backups, snapshot);
  assert.equal(fs.statSync(copy).mode & 0o777, 0o600);
  assert.equal(queryOne(copy, 'pragma user_version'), OLDEST_VERSION);
  assert.equal(queryOne(copy, 'select count(*) from invites'), 4);
});
