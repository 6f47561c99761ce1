/**
 * Tools are killed at each system call that changes a file. Every snapshot is whole, the store is
 * the old one or the new one, and the next try succeeds.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { inspectFile } from '../../lib/store/file/inspection.ts';
import { restoreSnapshot } from '../../lib/store/file/restore.ts';
import { listSnapshots, takeSnapshot } from '../../lib/store/file/snapshots.ts';
import { openServerStore, openStore } from '../../lib/store/open.ts';
import { logIn, send } from '../support/client.ts';
import { invitedIn } from '../support/database.ts';
import { type Installation, install } from '../support/installation.ts';
import { lacksStrace } from '../support/lacks.ts';

const CALLS = ['mkdir', 'openat', 'pwrite64', 'ftruncate', 'fsync', 'rename', 'unlink'];

/** Page writes are alike, so every twelfth one is enough. */
const EVERY_WRITE = 12;

/** The nth call of this name by the main thread, from 1. */
type Step = { readonly call: string; readonly n: number; readonly line: string };

function strace(
  site: Installation,
  args: readonly string[],
  options: readonly string[],
): Promise<string | null> {
  const [tool, ...words] = args;
  const script = path.join(site.root, 'tools', `${tool}.js`);
  const command = ['-f', ...options, process.execPath, script, ...words];
  return new Promise((resolve) => {
    const child = execFile('strace', command, () => resolve(child.signalCode));
  });
}

/** The steps of a run that touch the data. */
async function stepsOf(site: Installation, args: readonly string[]) {
  const log = path.join(site.root, 'strace.log');
  const signal = await strace(site, args, ['-y', '-o', log, '-e', `trace=${CALLS}`]);
  assert.equal(signal, null);
  const lines = fs.readFileSync(log, 'utf8').split('\n');
  const main = lines[0]?.split(' ')[0];
  const counts = new Map<string, number>();
  const steps: Step[] = [];
  for (const line of lines) {
    const [, thread, call] = /^(\d+) +(\w+)\(/.exec(line) ?? [];
    if (thread !== main || call === undefined) continue;
    const n = (counts.get(call) ?? 0) + 1;
    counts.set(call, n);
    const concerns = line.includes(`${path.dirname(site.store)}/`) && !line.includes('-shm');
    const changes = !/O_RDONLY| = -1 /.test(line);
    if (concerns && changes && (call !== 'pwrite64' || n % EVERY_WRITE === 0))
      steps.push({ call, n, line });
  }
  return steps;
}

async function killAt(site: Installation, args: readonly string[], { call, n, line }: Step) {
  const options = ['-e', `trace=${call}`, '-e', `inject=${call}:signal=KILL:when=${n}`];
  assert.equal(await strace(site, args, options), 'SIGKILL', `not reached: ${line}`);
}

function allCheckOut(store: string, step: Step): void {
  for (const { file } of listSnapshots(store))
    assert.equal(inspectFile(file).fault, null, `${file} after ${step.line}`);
}

/** An installation to which Ada is invited. */
function prepared(context: TestContext): { site: Installation; data: string } {
  const site = install();
  context.after(() => site.remove());
  site.invite('ada@example.com');
  return { site, data: path.dirname(site.store) };
}

/** Keeps the data as it is. @returns a function that brings it back */
function template(context: TestContext, data: string): () => void {
  const kept = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-template-'));
  context.after(() => fs.rmSync(kept, { recursive: true }));
  fs.cpSync(data, kept, { recursive: true, filter: (name) => !name.endsWith('-shm') });
  return () => {
    fs.rmSync(data, { recursive: true });
    fs.cpSync(kept, data, { recursive: true });
  };
}

describe('killed at each step', { skip: lacksStrace(), concurrency: 2 }, () => {
  test('create leaves no snapshot or a whole one, and the server continues', async (t) => {
    const { site, data } = prepared(t);
    const server = await site.start();
    const cookie = await logIn(server.origin, 'ada@example.com');
    const steps = await stepsOf(site, ['backup', 'create']);
    const { store } = site;
    for (const step of steps) {
      // As before the run that was traced.
      fs.rmSync(path.join(data, 'backups'), { recursive: true });
      await killAt(site, ['backup', 'create'], step);
      allCheckOut(store, step);
      assert.equal((await send(server.origin, 'POST /api/project-join', { cookie })).status, 200);
      const known = listSnapshots(store).length;
      const { rows } = await takeSnapshot(store);
      assert.equal(rows.events, 1);
      assert.equal(fs.readdirSync(path.join(data, 'backups')).length, known + 1, step.line);
    }
    t.diagnostic(`killed at ${steps.length} steps`);
    assert.ok(steps.some(({ call }) => call === 'rename'));
    await server.stop();
  });

  test('restore leaves the old store or the new one, and keeps the old one', async (t) => {
    const { site, data } = prepared(t);
    const { file } = await takeSnapshot(site.store);
    // The old store is that of a killed server: a part of it is in its WAL.
    const store = openStore(site.store);
    const invite = { firstName: null, invitedBy: 'cli', invitedAt: 1 };
    store.transaction(({ invites }) => invites.add({ ...invite, email: 'grace@example.com' }));
    const reset = template(t, data);
    store.close();

    reset();
    const command = ['backup', 'restore', file, '--yes'];
    const steps = await stepsOf(site, command);
    const outcomes = { old: 0, new: 0 };
    for (const step of steps) {
      reset();
      await killAt(site, command, step);
      allCheckOut(site.store, step);
      await openServerStore(site.store).close();
      const found = invitedIn(site.store);
      const replaced = !found.includes('grace@example.com');
      outcomes[replaced ? 'new' : 'old'] += 1;
      assert.equal(found[0], 'ada@example.com', step.line);
      if (!replaced) await restoreSnapshot(site.store, file);
      assert.deepEqual(invitedIn(site.store), ['ada@example.com'], step.line);
      const kept = listSnapshots(site.store).find((each) => each.file !== file);
      assert.ok(kept, `nothing is kept after ${step.line}`);
      assert.deepEqual(invitedIn(kept.file), ['ada@example.com', 'grace@example.com'], step.line);
      assert.deepEqual(
        fs.readdirSync(data).filter((name) => name.includes('draft')),
        [],
        step.line,
      );
    }
    t.diagnostic(`killed at ${steps.length} steps: ${JSON.stringify(outcomes)}`);
    assert.ok(outcomes.old > 0 && outcomes.new > 0);
  });

  test('an erasure leaves each snapshot with the person or without, and is completed', async (t) => {
    const { site, data } = prepared(t);
    site.invite('grace@example.com');
    const { file } = await takeSnapshot(site.store);
    const reset = template(t, data);
    const command = ['person', 'forget', 'ada@example.com', '--snapshots', '--yes'];
    const steps = await stepsOf(site, command);
    let unfinished = 0;
    for (const step of steps) {
      reset();
      await killAt(site, command, step);
      if (fs.existsSync(`${file}-journal`)) unfinished += 1;
      else allCheckOut(site.store, step);
      const restored = path.join(site.root, 'copy');
      for (const side of ['', '-journal'])
        if (fs.existsSync(file + side)) fs.copyFileSync(file + side, restored + side);
      assert.equal(inspectFile(restored, {}).fault, null, step.line);
      assert.ok(invitedIn(restored).includes('grace@example.com'), step.line);
      site.tool(command[0] ?? '', ...command.slice(1));
      for (const each of [site.store, file])
        assert.deepEqual(invitedIn(each), ['grace@example.com'], step.line);
      assert.equal(inspectFile(file).fault, null, step.line);
    }
    t.diagnostic(`killed at ${steps.length} steps, ${unfinished} within a transaction`);
    assert.ok(unfinished > 0);
  });
});
