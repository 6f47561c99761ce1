/** Migrations: a new store, and one of each earlier version. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, it } from 'node:test';
import { openStore } from '../../../lib/store/open.ts';
import { queryOne, withDatabase } from '../../support/database.ts';
import { MIGRATIONS, makeOldStore } from '../../support/old-store.ts';
import { temporaryFolder } from '../../support/site.ts';

const DAY = 86_400_000;
const NOON = Date.UTC(2026, 2, 2, 12);

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

it('make a WAL store with the current version', () => {
  openStore(file).close();
  withDatabase(file, (db) => {
    assert.equal(db.pragma('journal_mode', { simple: true }), 'wal');
    assert.equal(db.pragma('user_version', { simple: true }), MIGRATIONS.length);
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok');
    const loose = db
      .prepare(
        "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%' and not strict",
      )
      .pluck()
      .all();
    assert.deepEqual(loose, []);
  });
});

for (let version = 1; version < MIGRATIONS.length; version += 1) {
  it(`migrate a store of version ${version}: its data is kept and counted, after a snapshot`, () => {
    const old = makeOldStore(file, version);
    old.exec(
      `insert into invites (email, invited_by, invited_at) values ('ada@example.com', 'cli', ${NOON})`,
    );
    if (version >= 2)
      old.exec(
        `insert into project_joins (email, session_id, clicked_at) values ('ada@example.com', 's', ${NOON}), ('gone@example.com', 's', ${NOON + 1}), ('ada@example.com', 's', ${NOON + DAY})`,
      );
    if (version >= 4) {
      old.exec(`insert into events (event_type, email, occurred_at, session_id, device_type, os, browser, meta) values
        ('login', 'ada@example.com', ${NOON}, 's', 'mobile', 'iOS', 'Mobile Safari', null),
        ('timeline_view', 'ada@example.com', ${NOON + DAY}, 's', 'mobile', 'iOS', 'Mobile Safari', '{"view":"mobile","forced":false}')`);
    }
    old.close();
    const store = openStore(file);
    try {
      const seen = version >= 4 ? 1 : 0;
      const clicks = version >= 2 ? 3 : 0;
      assert.deepEqual(store.totals.counts(), {
        invites: 1,
        admins: 0,
        logins: seen,
        timelineViews: seen,
        joinClicks: clicks,
      });
      assert.deepEqual(store.totals.funnel(), {
        invited: 1,
        loggedIn: seen,
        viewed: seen,
        joined: version >= 2 ? 1 : 0,
      });
      assert.deepEqual(store.joins.stats(), { clicks, users: version >= 2 ? 2 : 0 });
      assert.equal(store.invites.find('ada@example.com')?.isAdmin, false);
      const person = store.people.find('ada@example.com');
      assert.equal(person?.lastSeenAt, version >= 4 ? NOON + DAY : null);
    } finally {
      store.close();
    }
    const [snapshot = ''] = fs.readdirSync(backups);
    const copy = path.join(backups, snapshot);
    assert.equal(fs.statSync(copy).mode & 0o777, 0o600);
    assert.equal(queryOne(copy, 'pragma user_version'), version);
    assert.equal(queryOne(copy, 'select count(*) from invites'), 1);
  });
}

it('take no snapshot of a new store', () => {
  openStore(file).close();
  assert.ok(!fs.existsSync(backups));
});
