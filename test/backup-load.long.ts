/** A snapshot of a large store that is written to all the while: it is taken, it is of one moment, and nobody waits. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { inspectFile } from '../lib/store/inspection.ts';
import { logIn, send } from './client.ts';
import { type Installation, install } from './installation.ts';

/** Events of 2 KB each: a store of some 100 MB. */
const EVENTS = 50_000;

/** A writer is never held up for longer, in ms. */
const HELD_UP = 20;

let installation: Installation;

before(() => {
  installation = install();
  installation.tool('invite', 'add', 'ada@example.com');
  const db = new Database(installation.store);
  db.prepare(
    `insert into events (event_type, email, occurred_at, session_id, device_type, os, browser)
     with recursive n (i) as (select 1 union all select i + 1 from n where i < ?)
     select 'login', 'ada@example.com', i, 's', 'desktop', ?, '' from n`,
  ).run(EVENTS, 'x'.repeat(2000));
  db.close();
  assert.ok(fs.statSync(installation.store).size > 1e8);
});
after(() => installation.remove());

/** Takes a snapshot, and repeats `work` until it is taken. @returns its file, and what the work came to */
async function whileCopying<T>(work: () => T | Promise<T>) {
  const tool = path.join(installation.root, 'tools', 'backup.js');
  const results: T[] = [];
  let output: string | undefined;
  let failure: Error | undefined;
  execFile(process.execPath, [tool, 'create', '--json'], (error, stdout) => {
    failure = error ?? undefined;
    output = stdout;
  });
  while (output === undefined) {
    results.push(await work());
    await setImmediate();
  }
  if (failure) throw failure;
  const file: string = JSON.parse(output).file;
  return { file, results };
}

const highest = (times: readonly number[]) => times.reduce((a, b) => Math.max(a, b), 0).toFixed(1);

const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;

test('a writer without any patience is never refused while a snapshot is taken', async (t) => {
  const db = new Database(installation.store, { timeout: 0 });
  const insert = db.prepare(
    "insert into project_joins (email, session_id, clicked_at) values ('ada@example.com', 's', 1)",
  );
  const begin = db.prepare('begin immediate');
  const { file, results } = await whileCopying(() => {
    const start = performance.now();
    begin.run();
    const waited = performance.now() - start;
    insert.run();
    db.exec('commit');
    return waited;
  });
  db.close();
  t.diagnostic(`${results.length} commits; the lock was had after ${highest(results)} ms at most`);
  assert.ok(results.length > 100);
  assert.ok(percentile(results, 0.99) < HELD_UP);
  assert.equal(inspectFile(file).fault, null);
});

test('visitors are served as ever while a snapshot is taken', async (t) => {
  const server = await installation.start();
  const cookie = await logIn(server.origin, 'ada@example.com');
  const timed = async () => {
    const start = performance.now();
    assert.equal((await send(server.origin, 'POST /api/project-join', { cookie })).status, 200);
    return performance.now() - start;
  };
  const quiet: number[] = [];
  for (let i = 0; i < 500; i += 1) quiet.push(await timed());
  const { file, results } = await whileCopying(timed);
  await server.stop();
  for (const [when, times] of [
    ['before', quiet],
    ['meanwhile', results],
  ] as const)
    t.diagnostic(
      `join ${when}: median ${percentile(times, 0.5).toFixed(1)} ms, 99 % ${percentile(times, 0.99).toFixed(1)} ms, most ${highest(times)} ms`,
    );
  assert.ok(results.length > 50);
  // Of a machine that is busy with other tests only the middle tells; the test above is about the lock itself.
  assert.ok(percentile(results, 0.5) - percentile(quiet, 0.5) < HELD_UP);
  assert.equal(inspectFile(file).fault, null);
});
