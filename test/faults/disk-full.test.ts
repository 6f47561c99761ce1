/** The disk becomes full, and has space again: no partial row, and no restart. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { inspectStoreFile } from '../../lib/store/inspection.ts';
import { logIn, send } from '../support/client.ts';
import { invitedIn } from '../support/database.ts';
import { lacks } from '../support/lacks.ts';
import { siteForAll, temporaryFolder } from '../support/site.ts';
import { toolsOn } from '../support/tools.ts';
import { assertKept, invitePeople, startLoad } from './load.ts';
import { assertSound } from './store-check.ts';
import { mountSmall } from './volumes.ts';

const CLIENTS = 8;

it('a full disk: 503 and no partial row, other pages work; with space again, all works without a restart', {
  skip: lacks('prlimit'),
}, async () => {
  const site = siteForAll();
  invitePeople(site, CLIENTS);
  const server = await site.start();
  // A limit for each file of the server acts like a quota, and does not need root.
  const limit = (bytes: string) =>
    assert.equal(
      spawnSync('prlimit', [`--pid=${server.process.pid}`, `--fsize=${bytes}:`]).status,
      0,
    );
  const cookie = await logIn(server.origin, 'visitor0@example.com');

  // Full during the load: some writes succeed, the rest get 503.
  let refused = 0;
  const load = startLoad({
    origin: server.origin,
    clients: CLIENTS,
    onAcknowledged: (number) => number === 100 && limit('65536'),
    onRefused: () => {
      refused += 1;
      if (refused === 50) load.stop();
    },
  });
  await load.ended;
  assert.deepEqual([...new Set(load.replies)].sort(), [200, 503]);
  assertKept(site.store, load);

  const join = () => send(server.origin, 'POST /api/project-join', { cookie });
  const full = await join();
  assert.deepEqual([full.status, full.json()], [503, { error: 'unavailable' }]);
  assert.equal(full.headers.get('retry-after'), '1');
  assert.equal((await send(server.origin, 'GET /')).status, 200);
  assert.equal((await send(server.origin, 'GET /auth/me', { cookie })).status, 200);
  assert.ok(server.stderr.length > 0);
  for (const line of server.stderr)
    assert.match(
      line,
      /^503 \w+ [\w/-]+: the store: (database or disk is full|disk I\/O error) \(SQLITE_\w+\)$/,
    );

  limit('unlimited');
  assert.equal((await join()).status, 200);
  const again = startLoad({
    origin: server.origin,
    clients: CLIENTS,
    onAcknowledged: (number) => number === 100 && again.stop(),
  });
  await again.ended;
  assert.deepEqual([...new Set(again.replies)], [200]);
  const rows = assertSound(site.store);
  for (const each of [load, again]) assertKept(site.store, each);
  const acknowledged = [...load.replies, ...again.replies].filter((status) => status === 200);
  // The login and the one join are not part of the loads.
  assert.equal(rows.logins + rows.timelineViews + rows.joinClicks, acknowledged.length + 2);
});

it('a disk that is full in any step of a restore: one line, and the store of before', async (t) => {
  const folder = path.join(temporaryFolder(), 'data');
  const volume = mountSmall(folder, 16);
  if (!volume) return t.skip('mounting a small volume takes root and the right to mount');
  const file = path.join(folder, 'guestlist.db');
  const { invite, json, tool } = toolsOn(file);
  try {
    invite('ada@example.com');
    const { file: snapshot } = await json<{ file: string }>('backup create');
    invite('grace@example.com');
    const ballast = path.join(folder, 'ballast');
    let refused = 0;
    for (let free = 0, isDone = false; !isDone; free += 4096) {
      const { bsize, bavail } = fs.statfsSync(folder);
      fs.writeFileSync(ballast, Buffer.alloc(bsize * bavail - free));
      const { status, stderr } = await tool(`backup restore ${snapshot} --yes`);
      fs.rmSync(ballast);
      isDone = status === 0;
      assert.equal(invitedIn(file).length, isDone ? 1 : 2, stderr);
      assert.equal(inspectStoreFile(file).fault, null);
      const names = fs.readdirSync(folder, { encoding: 'utf8', recursive: true });
      assert.deepEqual(names.filter((name) => /draft|-replaced/.test(name)).length, isDone ? 1 : 0);
      if (isDone) break;
      assert.match(stderr, /^.*(disk is full|no space left|disk I\/O error).*\n$/);
      refused += 1;
    }
    assert.ok(refused > 9, `${refused} steps`);
  } finally {
    volume.release();
  }
});
