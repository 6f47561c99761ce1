/** Another program holds the store under load, for less and for more than the server's patience. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { root } from '../../lib/root.ts';
import { install } from '../installation.ts';
import { assertKept, invitePeople, startLoad } from './load.ts';
import { assertSound } from './store-check.ts';

const CLIENTS = 8;

const LOCKER = `
  const db = new (require('better-sqlite3'))(process.argv[1], { timeout: 5000 });
  db.exec('begin immediate');
  setTimeout(() => { db.exec('rollback'); db.close(); }, Number(process.argv[2]));`;

/** Has another process lock a store for so long; resolves once it is free again. */
async function lockFor(ms: number, file: string): Promise<void> {
  const child = spawn(process.execPath, ['-e', LOCKER, file, String(ms)], {
    cwd: root,
    stdio: 'inherit',
  });
  const [status] = await once(child, 'exit');
  assert.equal(status, 0);
}

describe('a store locked by another program', { concurrency: true, timeout: 30_000 }, () => {
  for (const { seconds, statuses, outcome } of [
    { seconds: 3, statuses: [200], outcome: 'everybody waits, and nobody is refused' },
    { seconds: 10, statuses: [200, 503], outcome: '503 after 5 s, and it goes on by itself' },
  ]) {
    it(`for ${seconds} s: ${outcome}`, async () => {
      const site = install();
      invitePeople(site, CLIENTS);
      const server = await site.start();
      let freed = false;
      const load = startLoad({
        origin: server.origin,
        clients: CLIENTS,
        onAcknowledged: () => freed && load.stop(),
      });
      await lockFor(seconds * 1000, site.store);
      freed = true;
      await load.ended;

      assert.deepEqual([...new Set(load.replies.map(({ status }) => status))].sort(), statuses);
      for (const { status, ms } of load.replies)
        assert.ok(status === 503 ? ms >= 4950 && ms < 6500 : ms < 6500, `${status} after ${ms} ms`);
      const slowest = Math.max(...load.replies.map(({ ms }) => ms));
      assert.ok(slowest > 2500, 'the lock was felt');
      assertKept(site.store, load);
      const rows = assertSound(site.store);
      const acknowledged = load.replies.filter(({ status }) => status === 200).length;
      assert.equal(rows.logins + rows.timelineViews + rows.joinClicks, acknowledged);
      await site.remove();
    });
  }
});
