/**
 * Tools are killed before each of their operations. The next run succeeds, and nothing is lost.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { inspectStoreFile } from '../../lib/store/inspection.ts';
import { openServerStore } from '../../lib/store/open.ts';
import { listDrafts, listSnapshots, takeSnapshot } from '../../lib/store/snapshots.ts';
import { filesWith, invitedIn, queryOne, withDatabase } from '../support/database.ts';
import type { Installation } from '../support/installation.ts';
import { lacksStrace } from '../support/lacks.ts';
import { startProcess } from '../support/process.ts';
import { installationForEach } from '../support/temporary.ts';
import { readStore } from './reader.ts';
import { folderOnOtherVolume, lacksVolume } from './volumes.ts';

const ADA = 'ada@example.com';
const ALAN = 'alan@example.com'; // extra: restore
const NEW = 'new@example.com'; // extra: erasure

/** Calls before which a tool is killed, and how many of each are between two kills. */
const CALLS = { rename: 1, unlink: 1, mkdir: 1, ftruncate: 1, fsync: 1, pwrite64: 9 };

/** A start after an interrupted restore. */
const REFUSED = /guestlist\.db is missing; put it back, or restore a snapshot/;

type Story = {
  readonly prepare: (installation: Installation) => void;
  readonly command: (installation: Installation) => readonly string[];
  /** Whether another program reads the store. */
  readonly isRead?: boolean;
  /** Whether `backups/` is on another volume. */
  readonly isElsewhere?: boolean;
  /** Asserts what must be true after a kill and a second run. */
  readonly check: (store: string) => void;
};

// extra: restore
/** Everybody who is invited in the store or a snapshot. */
const everybody = (store: string): readonly string[] => {
  const files = [store, ...listSnapshots(store).map(({ file }) => file)];
  return [...new Set(files.flatMap(invitedIn))].sort();
};

const restore: Story = {
  prepare(installation) {
    installation.invite(ADA);
    takeSnapshot(installation.store);
    installation.invite(ALAN);
  },
  command: ({ store }) => ['backup', 'restore', listSnapshots(store).at(-1)?.file ?? '', '--yes'],
  check(store) {
    assert.deepEqual(invitedIn(store), [ADA]);
    assert.deepEqual(everybody(store), [ADA, ALAN]);
  },
};
// end: restore

const STORIES: Readonly<Record<string, Story>> = {
  'a snapshot': {
    prepare: ({ invite }) => invite(ADA),
    command: () => ['backup', 'create'],
    check: (store) => assert.deepEqual(invitedIn(store), [ADA]),
  },
  // extra: restore
  'a restore': restore,
  'a restore beside a program that reads the store': { ...restore, isRead: true },
  'a restore from another volume': { ...restore, isElsewhere: true },
  // end: restore
  'a migration': {
    prepare(installation) {
      installation.invite(ADA);
      withDatabase(installation.store, (db) =>
        db.exec('drop table changes; pragma user_version = 4'),
      );
    },
    command: () => ['invite', 'list'],
    check(store) {
      assert.deepEqual(invitedIn(store), [ADA]);
      const [snapshot, ...others] = listSnapshots(store);
      assert.equal(queryOne(snapshot?.file ?? '', 'pragma user_version'), 4);
      assert.deepEqual(others, []);
    },
  },
  // extra: erasure
  'an erasure': {
    prepare(installation) {
      installation.invite(ADA);
      installation.invite(NEW);
    },
    command: () => ['person', 'forget', NEW, '--yes'],
    check(store) {
      assert.deepEqual(invitedIn(store), [ADA]);
      assert.deepEqual(filesWith(store, NEW), []);
    },
  },
  // end: erasure
};

describe('killed before each operation, and run again', { skip: lacksStrace() }, () => {
  const installation = installationForEach();
  const data = path.dirname(installation.store);
  const copy = `${data}-before`;

  /** @returns the exit status; `null` if it was killed */
  function runTool([name = '', ...args]: readonly string[], under: readonly string[] = []) {
    const script = path.join(installation.root, 'tools', `${name}.js`);
    return startProcess([...under, process.execPath, script, ...args]).ends();
  }

  /** Moves a folder to another volume, and makes it a link. */
  function putElsewhere(folder: string): void {
    const target = folderOnOtherVolume();
    fs.cpSync(folder, target, { recursive: true });
    fs.rmSync(folder, { recursive: true });
    fs.symlinkSync(target, folder);
  }

  /** @returns whether the tool was killed */
  async function killBefore(call: string, time: number, story: Story): Promise<boolean> {
    fs.rmSync(data, { recursive: true, force: true });
    fs.cpSync(copy, data, { recursive: true });
    if (story.isElsewhere) putElsewhere(path.join(data, 'backups'));
    const endRead = story.isRead ? await readStore(installation.store) : undefined;
    const command = story.command(installation);
    const inject = `inject=${call}:signal=SIGKILL:when=${time}`;
    const under = ['strace', '-D', '-o', '/dev/null', '-e', `trace=${call}`, '-e', inject];
    const status = await runTool(command, under);
    await endRead?.();
    if (status === null) await runAgain(command, story);
    return status === null;
  }

  async function runAgain(command: readonly string[], { check }: Story): Promise<void> {
    try {
      await openServerStore(installation.store).close();
    } catch (error) {
      assert.match(String(error), REFUSED);
    }
    for (const { file } of listSnapshots(installation.store))
      assert.equal(inspectStoreFile(file).fault, null, file);
    // Makes the drafts old enough to be removed by the next run.
    for (const { file } of listDrafts(installation.store)) fs.utimesSync(file, 0, 0);
    // The rows may be erased already, which is status 1.
    assert.notEqual(await runTool(command), null);
    assert.equal(inspectStoreFile(installation.store).fault, null);
    check(installation.store);
  }

  for (const [what, story] of Object.entries(STORIES))
    it(what, { skip: story.isElsewhere && lacksVolume }, async (t) => {
      // A migration says that it begins.
      t.mock.method(console, 'error', () => undefined);
      story.prepare(installation);
      fs.rmSync(copy, { recursive: true, force: true });
      fs.cpSync(data, copy, { recursive: true });
      let kills = 0;
      for (const [call, step] of Object.entries(CALLS))
        for (let time = 1; await killBefore(call, time, story); time += step) kills += 1;
      assert.ok(kills > 9, `${kills} kills`);
    });
});
