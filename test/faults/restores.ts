/** Restores under load, and restores that are killed. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { inspectStoreFile } from '../../lib/store/inspection.ts';
import { logIn } from '../support/client.ts';
import { invitedIn, read } from '../support/database.ts';
import { startProcess } from '../support/process.ts';
import { siteForAll } from '../support/site.ts';
import { toolsOn } from '../support/tools.ts';
import { assertKept, invitePeople, startLoad } from './load.ts';
import { assertSound } from './store-check.ts';

const CLIENTS = 8;
const [ADA, GRACE] = ['ada@example.com', 'grace@example.com'];

/** @param rounds of load @param kills of a restore */
export function proveRestores(rounds: number, kills: number): void {
  describe('a restore beside a running server', { timeout: 300_000 }, () => {
    const site = siteForAll();
    const tool = path.join(site.root, 'tools', 'backup.js');
    const { json } = toolsOn(site.store);
    const create = async () => (await json<{ file: string }>('backup create')).file;
    const restore = (snapshot: string) =>
      startProcess([process.execPath, tool, 'restore', snapshot, '--yes', '--json']);
    const folders = [path.dirname(site.store), path.join(path.dirname(site.store), 'backups')];
    const drafts = () =>
      folders.flatMap((folder) =>
        fs
          .readdirSync(folder)
          .filter((name) => name.startsWith('draft-'))
          .map((name) => path.join(folder, name)),
      );

    it(`under load, ${rounds} times: what was acknowledged is in the kept store or in the new one`, async () => {
      invitePeople(site, CLIENTS);
      const { origin, stderr } = await site.start();
      for (let round = 0; round < rounds; round += 1) {
        const snapshot = await create();
        let restoring: ReturnType<typeof restore> | undefined;
        const load = startLoad({
          origin,
          clients: CLIENTS,
          onAcknowledged(number) {
            if (number !== 150) return;
            restoring = restore(snapshot);
            restoring.exited.then(() => setTimeout(100)).then(load.stop);
          },
        });
        await load.ended;
        assert.equal(await restoring?.exited, 0, restoring?.stderr.join());
        const { replaced } = JSON.parse(restoring?.stdout.join('') ?? '');
        const begun = read(replaced, (db) =>
          db.prepare<[], string>('select distinct session_id from events').pluck().all(),
        );
        const before = new Map([...load.sessions].filter(([id]) => begun.includes(id)));
        const after = new Map([...load.sessions].filter(([id]) => !begun.includes(id)));
        assert.ok(before.size > 0 && after.size > 0, 'the load went on after the restore');
        assertKept(replaced, { sessions: before });
        assertKept(site.store, { sessions: after });
        assertSound(site.store);
        const others = load.replies.filter((status) => ![200, 302, 401, 503].includes(status));
        assert.deepEqual(others, []);
      }
      assert.deepEqual(
        stderr.filter((line) => !line.startsWith('503 ')),
        [],
      );
    });

    it(`killed ${kills} times: the store is the old one or the new one, and the next restore works`, async () => {
      await site.clear();
      site.invite(ADA);
      const one = `${site.root}/one.db`;
      const two = `${site.root}/two.db`;
      fs.copyFileSync(await create(), one);
      site.invite(GRACE);
      fs.copyFileSync(await create(), two);
      const { origin } = await site.start();

      /** Starts a restore. @returns when it has its draft, or has ended */
      async function begin(snapshot: string) {
        const child = restore(snapshot);
        const left = drafts().length;
        const hasEnded = () => child.process.exitCode !== null;
        while (drafts().length === left && !hasEnded()) await setTimeout(1);
        return child;
      }

      const whole = await begin(one);
      const begun = performance.now();
      assert.equal(await whole.exited, 0);
      const duration = performance.now() - begun;
      const found = { old: 0, new: 0 };
      for (let i = 0; i < kills; i += 1) {
        const before = invitedIn(site.store).length;
        const child = await begin(before === 1 ? two : one);
        await setTimeout(Math.random() * duration);
        await child.stop('SIGKILL');
        const after = invitedIn(site.store).length;
        assert.ok(after === 1 || after === 2, `${after} people`);
        found[after === before ? 'old' : 'new'] += 1;
        assert.equal(inspectStoreFile(site.store).fault, null);
        await logIn(origin, ADA);
      }
      console.log(`${found.old} old, ${found.new} new; ${drafts().length} files of drafts`);
      for (const draft of drafts()) fs.utimesSync(draft, 0, 0);
      assert.equal(await restore(two).exited, 0);
      assert.deepEqual(invitedIn(site.store), [ADA, GRACE]);
      assert.deepEqual(drafts(), []);
      for (const each of await json('backup list')) assert.equal(each.fault, null);
    });
  });
}
