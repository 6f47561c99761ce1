/** Stores and snapshots with domains as typed: migrated to ASCII, duplicates merged. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { queryOne } from '../support/database.ts';
import { makeOldStore, TABLES_VERSION } from '../support/old-store.ts';
import { siteForEach } from '../support/site.ts';
import { filesWith } from '../support/store-bytes.ts';

const EVA = 'eva@bücher.example.com';
const EVA_ASCII = 'eva@xn--bcher-kva.example.com';
const ROOT = 'root@example.com';

describe('a store with domains as typed', () => {
  const DECOMPOSED = EVA.normalize('NFD');
  const site = siteForEach();

  /** Eva twice: later, and an administrator, as browsers send it. Max only as typed, by Eva. */
  function fill(file: string): void {
    const db = makeOldStore(file, TABLES_VERSION);
    const invite = db.prepare(
      'insert into invites (email, first_name, invited_by, invited_at, is_admin) values (?, ?, ?, ?, ?)',
    );
    invite.run(EVA_ASCII, 'Eva', ROOT, 3, 1);
    invite.run(EVA, null, 'cli', 1, 0);
    invite.run('max@bücher.example.com', 'Max', EVA, 2, 0);
    invite.run('no@ü.1', null, 'cli', 4, 0);
    for (const [i, email] of [EVA, EVA_ASCII, DECOMPOSED].entries()) {
      db.prepare('insert into sessions values (?, ?, zeroblob(32), 1, 9e15)').run(`s${i}`, email);
      db.prepare(
        `insert into events (event_type, email, occurred_at, session_id, device_type, os, browser)
         values ('login', ?, 5, 's', 'desktop', '', '')`,
      ).run(email);
      db.prepare("insert into project_joins values (null, ?, 's', 6)").run(email);
    }
    db.close();
  }

  const invites = () => site.json('invite', 'list');
  const [MAX_ASCII, REFUSED] = ['max@xn--bcher-kva.example.com', 'no@ü.1'];

  function assertMerged(): void {
    const list = invites();
    assert.deepEqual(
      list.map(({ email, firstName, isAdmin, invitedBy, invitedAt }) => [
        email,
        firstName,
        isAdmin,
        invitedBy,
        invitedAt,
      ]),
      [
        [REFUSED, null, false, 'cli', 4],
        [MAX_ASCII, 'Max', false, EVA_ASCII, 2],
        [EVA_ASCII, 'Eva', true, 'cli', 1],
      ],
    );
    const { sessions, totals } = JSON.parse(site.tool('person', 'export', EVA).stdout);
    assert.equal(sessions.length, 3);
    assert.deepEqual([totals.logins, totals.joinClicks], [3, 3]);
  }

  it('is migrated to ASCII; of two invites the earlier one stays, as administrator if either was', () => {
    fill(site.store);
    const { stderr } = site.tool('invite', 'list');
    assert.match(stderr, /^invites merged: 1; each named an address/);
    assertMerged();
    assert.equal(site.tool('invite', 'list').stderr, '');
  });

  it('is migrated at a restore too', () => {
    site.tool('invite', 'add', EVA);
    const snapshot = path.join(path.dirname(site.store), 'old.db');
    fill(snapshot);
    const { status, stderr } = site.tool('backup', 'restore', snapshot, '--yes');
    assert.equal(status, 0, stderr);
    assert.match(stderr, /^invites merged: 1;/);
    assertMerged();
  });

  it('gives another store its invites, except those that cannot log in', () => {
    const snapshot = path.join(path.dirname(site.store), 'old.db');
    fill(snapshot);
    const { stdout, stderr } = site.tool('invite', 'add', '--from-snapshot', snapshot);
    assert.equal(stdout, '2 invited; 1 already invited\n', stderr);
    const emails = invites().map(({ email }) => email);
    assert.deepEqual(emails, [MAX_ASCII, EVA_ASCII]);
  });

  it('loses a forgotten person in every form, also as a snapshot', () => {
    fill(site.store);
    assert.equal(site.tool('person', 'forget', EVA).status, 1);
    const { status, stdout, stderr } = site.tool('person', 'forget', EVA, '--yes');
    assert.equal(status, 0, stderr);
    assert.match(stdout, new RegExp(`^${EVA} is erased: 1 invite, 3 sessions.*in 1 snapshot`));
    for (const form of [EVA, EVA_ASCII, DECOMPOSED])
      assert.deepEqual(filesWith(site.store, form), []);
    const [snapshot = ''] = fs.readdirSync(path.join(path.dirname(site.store), 'backups'));
    const file = path.join(path.dirname(site.store), 'backups', snapshot);
    assert.equal(queryOne(file, 'pragma user_version'), TABLES_VERSION);
    assert.equal(queryOne(file, 'select count(*) from invites'), 2);
  });
});
