/** How far `person forget` reaches: the snapshots, addresses within addresses, and what other programs have left. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { root } from '../../lib/config.ts';
import { inspectFile } from '../../lib/store/file/inspection.ts';
import { claim } from '../../lib/store/file/lock.ts';
import { type Installation, install } from '../support/installation.ts';
import { makeFormerStore } from '../support/old-store.ts';
import {
  ANN,
  JOANN,
  leaveResidue,
  schemaVersion,
  tracesOfAnn,
  withDatabase,
} from '../support/residue.ts';
import { filesWith } from '../support/store-bytes.ts';

let installation: Installation;
let backups: string;
beforeEach(() => {
  installation = install();
  backups = path.join(path.dirname(installation.store), 'backups');
  for (const email of [ANN, JOANN]) installation.invite(email);
});
afterEach(() => installation.remove());

const forget = (...args: readonly string[]) => installation.tool('person', 'forget', ...args);

const invitedIn = (file: string) =>
  withDatabase(file, (db) => db.prepare('select email from invites order by email').pluck().all());

describe('an address that is part of another one', () => {
  test('is erased without rewriting the store, while the server runs', async () => {
    const before = schemaVersion(installation.store);
    const server = await installation.start();
    const { status, stderr } = forget(ANN, '--yes');
    assert.equal(status, 0, stderr);
    assert.equal(schemaVersion(installation.store), before);
    await server.stop();
    assert.equal(tracesOfAnn(installation.store), 0);
    assert.deepEqual(invitedIn(installation.store), [JOANN]);
  });

  test('is erased without rewriting the store where the other one is only that of an inviter', () => {
    withDatabase(installation.store, (db) =>
      db.exec(`delete from invites where email = '${JOANN}';
        insert into invites (email, invited_by, invited_at) values ('b@example.com', '${JOANN}', 1)`),
    );
    const before = schemaVersion(installation.store);
    assert.equal(forget(ANN, '--yes').status, 0);
    assert.equal(schemaVersion(installation.store), before);
  });

  test('what another program has left of it is removed from a small store at once', async () => {
    leaveResidue(installation.store, 2000);
    const server = await installation.start();
    const { status, stderr } = forget(ANN, '--yes');
    assert.equal(status, 0, stderr);
    await server.stop();
    assert.equal(tracesOfAnn(installation.store), 0);
  });
});

describe('the snapshots', () => {
  const create = (): string =>
    JSON.parse(installation.tool('backup', 'create', '--json').stdout).file;

  test('lose the person too, stay whole, and no restore brings them back', () => {
    leaveResidue(installation.store, 2000);
    const snapshots = [create(), create()];
    assert.match(forget(ANN).stderr, /and its rows in 2 snapshots would be erased for good/);
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

  test('are changed although the store knows nothing of the person any more', () => {
    const file = create();
    assert.equal(forget(ANN, '--yes', '--keep-snapshots').status, 0);
    assert.equal(tracesOfAnn(file) > 0, true);
    assert.equal(forget(ANN, '--yes').status, 0);
    assert.equal(tracesOfAnn(file), 0);
  });

  test('are left as they are with --keep-snapshots, which says so', () => {
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
    assert.ok(
      stderr.includes(`${damaged} cannot be changed, because it does not check out`),
      stderr,
    );
    assert.deepEqual(invitedIn(sound), [JOANN]);
    assert.ok(!fs.existsSync(path.join(backups, 'draft')));
  });

  test('lose the person also where the command itself takes one, of a store of 1.0.0', () => {
    makeFormerStore(installation.store);
    assert.equal(forget('ada@example.com', '--yes').status, 0);
    assert.deepEqual(filesWith(installation.store, 'ada@example.com'), []);
  });

  test('lose the person also where a copy was under way', async () => {
    const release = claim(installation.store, 'copy');
    const file = path.join(backups, 'guestlist-20260101T000000Z.db');
    fs.mkdirSync(backups);
    withDatabase(installation.store, (db) => db.prepare('vacuum into ?').run(`${file}.copy`));
    const script = path.join(installation.root, 'tools/person.js');
    const exited = once(spawn(process.execPath, [script, 'forget', ANN, '--yes']), 'exit');
    while (invitedIn(installation.store).length > 1) await setTimeout(10);
    fs.renameSync(`${file}.copy`, file);
    release();
    assert.deepEqual(await exited, [0, null]);
    assert.deepEqual(invitedIn(file), [JOANN]);
  });

  test('of an older schema keep it', () => {
    fs.mkdirSync(backups, { mode: 0o700 });
    const files = [1, 4].map((version) => {
      const file = path.join(backups, `guestlist-2026010${version}T000000Z-schema-${version}.db`);
      withDatabase(file, (db) => {
        for (const name of fs.readdirSync(path.join(root, 'sql')).sort().slice(0, version))
          db.exec(fs.readFileSync(path.join(root, 'sql', name), 'utf8'));
        db.pragma(`user_version = ${version}`);
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

  test('and the copies that interrupted tools have left hold nothing of the person', () => {
    const file = create();
    const drafts = [path.join(backups, 'draft'), `${installation.store}.draft`];
    for (const draft of drafts) fs.copyFileSync(file, draft);
    assert.equal(forget(ANN, '--yes', '--keep-snapshots').status, 0);
    assert.deepEqual(
      drafts.filter((draft) => fs.existsSync(draft)),
      [],
    );
  });
});
