/** A restore under load. test/faults/power-cut has restores that are killed. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { read } from '../support/database.ts';
import { startProcess } from '../support/process.ts';
import { siteForAll } from '../support/site.ts';
import { toolsOn } from '../support/tools.ts';
import { assertKept, invitePeople, startLoad } from './load.ts';
import { assertSound } from './store-check.ts';

const CLIENTS = 8;

it('under load, what was acknowledged is in the kept store or in the restored one', {
  timeout: 60_000,
}, async () => {
  const site = siteForAll();
  invitePeople(site, CLIENTS);
  const { origin, stderr } = await site.start();
  const { file } = await toolsOn(site.store).json<{ file: string }>('backup create');
  const tool = path.join(site.root, 'tools', 'backup.js');
  let restoring: ReturnType<typeof startProcess> | undefined;
  const load = startLoad({
    origin,
    clients: CLIENTS,
    onAcknowledged(number) {
      if (number !== 150) return;
      restoring = startProcess([process.execPath, tool, 'restore', file, '--yes', '--json']);
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
  const faults = stderr.filter((line) => !line.startsWith('503 '));
  assert.deepEqual(faults, []);
});
