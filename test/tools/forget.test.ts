/** `person forget`: snapshots, addresses within addresses, and traces of other programs. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { inspectFile } from '../../lib/store/file/inspection.ts';
import { claim } from '../../lib/store/file/lock.ts';
import { invitedIn, withDatabase } from '../support/database.ts';
import { makeFormerStore, migrateTo } from '../support/old-store.ts';
import { ANN, JOANN, leaveResidue, schemaVersion, tracesOfAnn } from '../support/residue.ts';
import { siteForEach } from '../support/site.ts';
import { filesWith } from '../support/store-bytes.ts';

const site = siteForEach();
const backups = path.join(path.dirname(site.store), 'backups');
beforeEach(() => {
  for (const email of [ANN, JOANN]) site.invite(email);
});

const forget = (...args: readonly string[]) => site.tool('person', 'forget', ...args);

describe('an address that is part of another one', () => {
  test('is erased without rewriting the store, while the server runs', async () => {
    const before = schemaVersion(site.store);
    const server = await site.start();
    const { status, stderr } = forget(ANN, '--yes');
    assert.equal(status, 0, stderr);
    assert.equal(schemaVersion(site.store), before);
    await server.stop();
    assert.equal(tracesOfAnn(site.store), 0);
    assert.deepEqual(invitedIn(site.store), [JOANN]);
  });

  test('is erased without rewriting the store if the other one is only an inviter', () => {
    withDatabase(site.store, (db) =>
      db.exec(`delete from invites where email = '${JOANN}';
        insert into invites (email, invited_by, invited_at) values ('b@example.com', '${JOANN}', 1)`),
    );
    const before = schemaVersion(site.store);
    assert.equal(forget(ANN, '--yes').status, 0);
    assert.equal(schemaVersion(site.store), before);
  });

  test('is erased without rewriting the store if a name contains it, folded or not', () => {
    site.tool('invite', 'add', 'a@m\u00fcnchen.example');
    site.invite('a@munchen.example');
    site.invite('c@example.com', `see ${ANN}`);
    const before = schemaVersion(site.store);
    for (const email of [ANN, 'a@munchen.example']) assert.equal(forget(email, '--yes').status, 0);
    assert.equal(schemaVersion(site.store), before);
  });

  test('leaves no trace of another program in a small store', async () => {
    leaveResidue(site.store, 2000);
    const server = await site.start();
    const { status, stderr } = forget(ANN, '--yes');
    assert.equal(status, 0, stderr);
    await server.stop();
    assert.equal(tracesOfAnn(site.store), 0);
  });
});

describe('the snapshots', () => {
  const create = () => site.json<{ file: string }>('backup', 'create').file;

  test('lose the person too, and stay sound', () => {
    leaveResidue(site.store, 2000);
    const snapshots = [create(), create()];
    assert.match(forget(ANN).stderr, /and its rows in 2 snapshots would be erased permanently/);
    assert.equal(invitedIn(snapshots[0] ?? '').length, 2, 'nothing is done without --yes');
    const { status, stdout, stderr } = forget(ANN, '--yes', '--json');
    assert.equal(status, 0, stderr);
    assert.deepEqual([JSON.parse(stdout).snapshots, JSON.parse(stdout).snapshotsKept], [2, 0]);
    for (const file of snapshots) {
      assert.equal(tracesOfAnn(file), 0);
      assert.equal(inspectFile(file).fault, null);
      assert.deepEqual(invitedIn(file), [JOANN]);
      assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    }
    assert.deepEqual(
      fs.readdirSync(backups).sort(),
      snapshots.map((file) => path.basename(file)),
    );
  });

  test('are changed although the store does not have the person any more', () => {
    const file = create();
    assert.equal(forget(ANN, '--yes', '--keep-snapshots').status, 0);
    assert.equal(tracesOfAnn(file) > 0, true);
    assert.equal(forget(ANN, '--yes').status, 0);
    assert.equal(tracesOfAnn(file), 0);
  });

  test('are not changed with --keep-snapshots, which is printed', () => {
    const file = create();
    const before = fs.readFileSync(file);
    const { status, stdout } = forget(ANN, '--yes', '--keep-snapshots');
    assert.equal(status, 0);
    assert.match(stdout, /\n1 snapshot in data\/backups may still hold the address\n$/);
    assert.deepEqual(fs.readFileSync(file), before);
  });

  test('that are damaged are named, and the others are changed', () => {
    const [sound, damaged] = [create(), create()];
    fs.truncateSync(damaged, fs.statSync(damaged).size - 8192);
    const { status, stderr } = forget(ANN, '--yes');
    assert.equal(status, 1);
    assert.ok(stderr.includes(`${damaged} cannot be changed, because it fails the check`), stderr);
    assert.deepEqual(invitedIn(sound), [JOANN]);
    assert.ok(!fs.existsSync(path.join(backups, 'draft')));
  });

  test('lose the person also if the command itself takes one before a migration', () => {
    makeFormerStore(site.store);
    assert.equal(forget('ada@example.com', '--yes').status, 0);
    assert.deepEqual(filesWith(site.store, 'ada@example.com'), []);
  });

  test('lose the person also if a copy was under way', async () => {
    const release = claim(site.store, 'copy');
    const file = path.join(backups, 'guestlist-20260101T000000Z.db');
    fs.mkdirSync(backups);
    withDatabase(site.store, (db) => db.prepare('vacuum into ?').run(`${file}.copy`));
    const script = path.join(site.root, 'tools/person.js');
    const tool = spawn(process.execPath, [script, 'forget', ANN, '--yes']);
    const [stderr, closed] = [text(tool.stderr), once(tool, 'close')];
    while (invitedIn(site.store).length > 1) await setTimeout(10);
    fs.renameSync(`${file}.copy`, file);
    release();
    const [status] = await closed;
    // It waits for 5 s, which this process may have slept.
    if (status !== 0) {
      assert.match(await stderr, /is being copied .*; try again after that/);
      assert.equal(forget(ANN, '--yes').status, 0);
    }
    assert.deepEqual(invitedIn(file), [JOANN]);
  });

  test('of an older schema lose the person and keep their schema', () => {
    fs.mkdirSync(backups, { mode: 0o700 });
    const files = [1, 4].map((version) => {
      const file = path.join(backups, `guestlist-2026010${version}T000000Z-schema-${version}.db`);
      withDatabase(file, (db) => {
        migrateTo(db, version);
        for (const email of [ANN, JOANN])
          db.prepare(
            "insert into invites (email, invited_by, invited_at) values (?, 'cli', 1)",
          ).run(email);
      });
      return file;
    });
    const { status, stderr } = forget(ANN, '--yes');
    assert.equal(status, 0, stderr);
    for (const [i, file] of files.entries()) {
      assert.equal(inspectFile(file).version, [1, 4][i]);
      assert.deepEqual(invitedIn(file), [JOANN]);
      assert.equal(tracesOfAnn(file), 0);
    }
  });

  test('and copies of interrupted tools contain no trace of the person', () => {
    const file = create();
    const drafts = [path.join(backups, 'draft'), `${site.store}.draft`];
    for (const draft of drafts) fs.copyFileSync(file, draft);
    assert.equal(forget(ANN, '--yes', '--keep-snapshots').status, 0);
    assert.deepEqual(
      drafts.filter((draft) => fs.existsSync(draft)),
      [],
    );
  });
});
