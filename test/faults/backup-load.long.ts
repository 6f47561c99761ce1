/** A snapshot of a large store under writes: it is sound, and no writer is refused meanwhile. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { inspectFile } from '../../lib/store/file/inspection.ts';
import { logIn, send } from '../support/client.ts';
import { siteForAll } from '../support/site.ts';

/** Events of 2 KB each: a store of some 100 MB. */
const EVENTS = 50_000;

const site = siteForAll();
site.invite('ada@example.com');
const db = new Database(site.store);
db.prepare(
  `insert into events (event_type, email, occurred_at, session_id, device_type, os, browser)
   with recursive n (i) as (select 1 union all select i + 1 from n where i < ?)
   select 'login', 'ada@example.com', i, 's', 'desktop', ?, '' from n`,
).run(EVENTS, 'x'.repeat(2000));
db.close();
assert.ok(fs.statSync(site.store).size > 1e8);

/** Takes a snapshot, and repeats `work` until it is taken. @returns the repetitions meanwhile */
async function whileCopying(work: () => unknown) {
  const tool = path.join(site.root, 'tools', 'backup.js');
  const backups = path.join(site.root, 'data', 'backups');
  const copying = () =>
    fs.existsSync(backups) && fs.readdirSync(backups).some((name) => name.startsWith('draft'));
  let output: string | undefined;
  let failure: Error | undefined;
  execFile(process.execPath, [tool, 'create', '--json'], (error, stdout) => {
    failure = error ?? undefined;
    output = stdout;
  });
  let times = 0;
  while (output === undefined) {
    const before = copying();
    await work();
    if (before && copying()) times += 1;
    await setImmediate();
  }
  if (failure) throw failure;
  const file: string = JSON.parse(output).file;
  assert.equal(inspectFile(file).fault, null);
  return times;
}

test('a writer with a timeout of 0 is never refused while a snapshot is taken', async (t) => {
  // It throws if it does not get the lock at once.
  const db = new Database(site.store, { timeout: 0 });
  const insert = db.prepare(
    "insert into project_joins (email, session_id, clicked_at) values ('ada@example.com', 's', 1)",
  );
  const commit = db.transaction(() => insert.run());
  const commits = await whileCopying(() => commit.immediate());
  db.close();
  t.diagnostic(`${commits} commits during the copy`);
  assert.ok(commits > 0);
});

test('visitors are served while a snapshot is taken', async (t) => {
  const server = await site.start();
  const cookie = await logIn(server.origin, 'ada@example.com');
  const joins = await whileCopying(async () => {
    assert.equal((await send(server.origin, 'POST /api/project-join', { cookie })).status, 200);
  });
  t.diagnostic(`${joins} joins during the copy`);
  assert.ok(joins > 0);
});
