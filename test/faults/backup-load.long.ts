/** A snapshot of a large store under writes: it is sound, and no writer waits for it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { inspectFile } from '../../lib/store/file/inspection.ts';
import { draftPath } from '../../lib/store/file/snapshots.ts';
import { siteForAll } from '../support/site.ts';

/** Events of 2 KB each: a store of some 20 MB. */
const EVENTS = 10_000;

const site = siteForAll();
site.invite('ada@example.com');
const db = new Database(site.store);
db.prepare(
  `insert into events (event_type, email, occurred_at, session_id, device_type, os, browser)
   with recursive n (i) as (select 1 union all select i + 1 from n where i < ?)
   select 'login', 'ada@example.com', i, 's', 'desktop', ?, '' from n`,
).run(EVENTS, 'x'.repeat(2000));
db.close();
assert.ok(fs.statSync(site.store).size > 2e7);

/** Takes a snapshot, is held up midway until `work` was done 20 times, and repeats it until the end. */
async function whileCopying(work: () => unknown): Promise<void> {
  const isCopying = () => fs.existsSync(draftPath(site.store));
  const tool = path.join(site.root, 'tools', 'backup.js');
  const copying = promisify(execFile)(process.execPath, [tool, 'create', '--json']);
  let done = false;
  const ended = copying.finally(() => {
    done = true;
  });
  let times = 0;
  while (!done) {
    if (times === 0 && isCopying()) {
      copying.child.kill('SIGSTOP');
      try {
        for (; times < 20 && isCopying(); times += 1) await work();
      } finally {
        copying.child.kill('SIGCONT');
      }
    }
    await work();
    await setImmediate();
  }
  assert.equal(inspectFile(JSON.parse((await ended).stdout).file).fault, null);
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
