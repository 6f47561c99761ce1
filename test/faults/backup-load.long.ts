/** A snapshot of a large store under writes: it is sound, and no writer waits for it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { inspectStoreFile } from '../../lib/store/inspection.ts';
import { withDatabase } from '../support/database.ts';
import { startProcess } from '../support/process.ts';
import { siteForAll } from '../support/site.ts';

const site = siteForAll();
site.invite('ada@example.com');
// 10,000 events of 2 KB each: a store of some 20 MB.
withDatabase(site.store, (db) =>
  db.exec(`insert into events (event_type, email, occurred_at, session_id, device_type, os, browser)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 10000)
    select 'login', 'ada@example.com', i, 's', 'desktop', printf('%02000d', i), '' from n`),
);
assert.ok(fs.statSync(site.store).size > 2e7);

/** Takes a snapshot, is held up midway until `work` was done 20 times, and repeats it until the end. */
async function whileCopying(work: () => unknown): Promise<void> {
  const backups = path.join(path.dirname(site.store), 'backups');
  const isCopying = () =>
    fs.existsSync(backups) && fs.readdirSync(backups).some((name) => name.startsWith('draft-'));
  const tool = path.join(site.root, 'tools', 'backup.js');
  const copying = startProcess([process.execPath, tool, 'create', '--json']);
  let times = 0;
  while (copying.process.exitCode === null) {
    if (times === 0 && isCopying()) {
      copying.process.kill('SIGSTOP');
      for (; times < 20 && isCopying(); times += 1) work();
      copying.process.kill('SIGCONT');
    }
    work();
    await setImmediate();
  }
  assert.equal(await copying.exited, 0);
  assert.equal(inspectStoreFile(JSON.parse(copying.stdout.join('')).file).fault, null);
  // This process did not run while the other one was copying.
  if (times < 20) await whileCopying(work);
}

test('a writer with a timeout of 0 is never refused while a snapshot is taken', {
  timeout: 60_000,
}, async () => {
  // It throws if it does not get the lock at once.
  const db = new Database(site.store, { timeout: 0 });
  const insert = db.prepare(
    "insert into project_joins (email, session_id, clicked_at) values ('ada@example.com', 's', 1)",
  );
  const commit = db.transaction(() => insert.run());
  await whileCopying(() => commit.immediate());
  db.close();
});
