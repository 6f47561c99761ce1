/** One transaction for many jobs, of which some may fail. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { it } from 'node:test';
import type Database from 'better-sqlite3';
import { batch } from '../../lib/store/batch.ts';
import { connect } from '../../lib/store/file/connect.ts';
import { openStore } from '../../lib/store/open.ts';
import { temporaryFolder } from '../support/site.ts';

const file = path.join(temporaryFolder(), 'guestlist.db');
openStore(file).close();

const click = (db: Database.Database, email: string) => () =>
  db
    .prepare('insert into project_joins (email, session_id, clicked_at) values (?, ?, ?)')
    .run(email, 's', 1).changes;
const count = (db: Database.Database, email: string) =>
  db.prepare('select count(*) from project_joins where email = ?').pluck().get(email);

function withConnections(use: (db: Database.Database, other: Database.Database) => void): void {
  const [db, other] = [connect(file, 0), connect(file, 0)];
  use(db, other);
  db.close();
  other.close();
}

it('runs its jobs in order, in one transaction, and returns each result', () => {
  withConnections((db, other) => {
    const seen = () => other.pragma('data_version', { simple: true });
    const before = seen();
    const during: unknown[] = [];
    const jobs = [1, 2, 3].map((n) => () => {
      click(db, 'batch@example.com')();
      during.push(seen());
      return n;
    });
    assert.deepEqual(batch(db)(jobs), [{ result: 1 }, { result: 2 }, { result: 3 }]);
    assert.deepEqual(during, [before, before, before], 'nothing shows before the one commit');
    assert.notEqual(seen(), before);
  });
});

it('fails only the failing job: the others are written once', () => {
  withConnections((db) => {
    const error = new Error('guilty');
    const outcomes = batch(db)([
      click(db, 'one@example.com'),
      () => {
        click(db, 'guilty@example.com')();
        throw error;
      },
      click(db, 'NOT-LOWER@example.com'),
      click(db, 'other@example.com'),
    ]);
    assert.deepEqual(
      [outcomes[0], outcomes[1], outcomes[3]],
      [{ result: 1 }, { error }, { result: 1 }],
    );
    assert.match(String((outcomes[2] as { error: unknown }).error), /CHECK constraint failed/);
    assert.deepEqual(
      ['one', 'guilty', 'other'].map((name) => count(db, `${name}@example.com`)),
      [1, 0, 1],
    );
  });
});

it('runs no job while the store is locked', () => {
  withConnections((db, other) => {
    other.exec('begin immediate');
    let ran = false;
    const outcomes = batch(db)([
      () => {
        ran = true;
      },
    ]);
    assert.deepEqual(outcomes, []);
    assert.equal(ran, false);
    other.exec('rollback');
  });
});
