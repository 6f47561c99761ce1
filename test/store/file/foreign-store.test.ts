/** SQLite files that count as a store: with Guestlist's mark, or unmarked with its tables. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, test } from 'node:test';
import { inspectFile } from '../../../lib/store/file/inspection.ts';
import { queryOne, withDatabase } from '../../support/database.ts';
import { makeFormerStore } from '../../support/old-store.ts';
import { siteForEach } from '../../support/site.ts';

const site = siteForEach();
beforeEach(() => void fs.mkdirSync(path.dirname(site.store), { mode: 0o700 }));

const applicationId = () => queryOne(site.store, 'pragma application_id');

const FOREIGN = {
  'a schema version of its own': 'create table films (title text); pragma user_version = 3',
  'tables of the same names':
    'create table invites (id int); create table sessions (id int); pragma user_version = 3',
  'a mark of its own and nothing else': 'pragma application_id = 7',
};

for (const [what, sql] of Object.entries(FOREIGN)) {
  test(`a SQLite file with ${what} is refused by server and tools, and not changed`, () => {
    withDatabase(site.store, (db) => db.exec(sql));
    const before = fs.readFileSync(site.store);
    for (const refused of [
      site.run(),
      site.tool('invite', 'list'),
      site.tool('invite', 'add', 'ada@example.com'),
    ]) {
      assert.equal(refused.status, 1, refused.stdout);
      assert.match(refused.stderr, /is a SQLite file of something else; move it away/);
    }
    assert.deepEqual(fs.readFileSync(site.store), before);
  });
}

test('a store is marked, and one of 1.0.0 is migrated with new totals', () => {
  site.invite('ada@example.com');
  const mark = applicationId();
  assert.equal(Buffer.from(Number(mark).toString(16), 'hex').toString(), 'Gues');
  const schema = () =>
    withDatabase(site.store, (db) =>
      db.prepare('select type, name, sql from sqlite_schema order by 1, 2').all(),
    );
  const asMade = schema();

  makeFormerStore(site.store);
  assert.match(site.tool('invite', 'list').stdout, /ada@example\.com +Zoë/);
  assert.equal(applicationId(), mark);
  assert.deepEqual(schema(), asMade);
  assertTotals();
  const [snapshot] = fs.readdirSync(path.join(path.dirname(site.store), 'backups'));
  assert.match(String(snapshot), /-schema-4\.db$/);
});

test('a snapshot of 1.0.0, which has no mark, is restored', () => {
  site.invite('ada@example.com');
  const snapshot = path.join(site.root, '1.0.0.db');
  makeFormerStore(snapshot);
  const restored = site.tool('backup', 'restore', snapshot, '--yes');
  assert.equal(restored.status, 0, restored.stderr);
  assertTotals();
});

/** The totals of the store of 1.0.0. */
function assertTotals(): void {
  const { fault, rows } = inspectFile(site.store);
  assert.equal(fault, null);
  assert.deepEqual(rows, { invites: 2, sessions: 0, project_joins: 1, events: 1 });
  assert.equal(site.tool('joins', 'stats').stdout, 'clicks: 1\nusers: 1\n');
}

test('the copy of an interrupted restore is removed when the store is opened next', () => {
  site.invite('ada@example.com');
  const draft = `${site.store}.draft`;
  for (const suffix of ['', '-wal', '-journal']) fs.writeFileSync(draft + suffix, 'a whole copy');
  site.tool('invite', 'list');
  assert.deepEqual(
    fs.readdirSync(path.dirname(site.store)).filter((name) => name.includes('draft')),
    [],
  );
});
