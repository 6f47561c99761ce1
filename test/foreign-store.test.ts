/** Which SQLite files are taken for a store: those with Guestlist's mark, and unmarked ones with its tables. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import Database from 'better-sqlite3';
import { type Installation, install } from './installation.ts';

let installation: Installation;
beforeEach(() => {
  installation = install();
  fs.mkdirSync(path.dirname(installation.store), { mode: 0o700 });
});
afterEach(() => installation.remove());

function withDatabase<T>(use: (db: Database.Database) => T): T {
  const db = new Database(installation.store);
  try {
    return use(db);
  } finally {
    db.close();
  }
}

const applicationId = () => withDatabase((db) => db.pragma('application_id', { simple: true }));

const FOREIGN = {
  'a schema version of its own': 'create table films (title text); pragma user_version = 3',
  'tables of the same names':
    'create table invites (id int); create table sessions (id int); pragma user_version = 3',
  'a mark of its own and nothing else': 'pragma application_id = 7',
};

for (const [what, sql] of Object.entries(FOREIGN)) {
  test(`a SQLite file with ${what} is refused by server and tools, untouched`, () => {
    withDatabase((db) => db.exec(sql));
    const before = fs.readFileSync(installation.store);
    for (const refused of [
      installation.run(),
      installation.tool('invite', 'list'),
      installation.tool('invite', 'add', 'ada@example.com'),
    ]) {
      assert.equal(refused.status, 1, refused.stdout);
      assert.match(refused.stderr, /is a SQLite file of something else; move it away/);
    }
    assert.deepEqual(fs.readFileSync(installation.store), before);
  });
}

test('a store is marked, and one of 1.0.0 is known by its tables and then marked', () => {
  installation.tool('invite', 'add', 'ada@example.com');
  const mark = applicationId();
  assert.equal(Buffer.from(Number(mark).toString(16), 'hex').toString(), 'Gues');
  withDatabase((db) => db.pragma('application_id = 0'));
  assert.match(installation.tool('invite', 'list').stdout, /ada@example\.com/);
  assert.equal(applicationId(), mark);
});

test('a snapshot of 1.0.0, which has no mark, is restored', () => {
  installation.tool('invite', 'add', 'ada@example.com');
  const { file } = JSON.parse(installation.tool('backup', 'create', '--json').stdout);
  const db = new Database(file);
  db.pragma('application_id = 0');
  db.close();
  const restored = installation.tool('backup', 'restore', file, '--yes');
  assert.equal(restored.status, 0, restored.stderr);
  assert.match(installation.tool('invite', 'list').stdout, /ada@example\.com/);
});

test('what an interrupted restore has left is removed at the next opening', () => {
  installation.tool('invite', 'add', 'ada@example.com');
  const draft = `${installation.store}.draft`;
  for (const suffix of ['', '-wal', '-journal']) fs.writeFileSync(draft + suffix, 'a whole copy');
  installation.tool('invite', 'list');
  assert.deepEqual(
    fs.readdirSync(path.dirname(installation.store)).filter((name) => name.includes('draft')),
    [],
  );
});
