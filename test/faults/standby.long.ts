/** The standby: server, Litestream and store are lost under load, and restored from the copy. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { root } from '../../lib/config.ts';
import { invitedIn } from '../support/database.ts';
import { siteForAll } from '../support/site.ts';
import { assertKept, invitePeople, startLoad } from './load.ts';
import { assertSound } from './store-check.ts';

/** The program itself: the wrapper of the package would not pass signals on. */
const litestream = path.join(
  root,
  `node_modules/@flydotio/litestream-${process.platform}-${process.arch}/litestream`,
);

/**
 * An acknowledged write is in the copy after at most so many segments: Litestream may have read the
 * WAL for the first ones before. With the shipped intervals, this takes less than two seconds.
 */
const SEGMENTS = 4;

const CLIENTS = 3;

const site = siteForAll();

/** Writes the shipped configuration with the paths of the test, and makes a folder for a copy. */
function configure(): { config: string; copy: string } {
  const copy = fs.mkdtempSync(path.join(site.root, 'copy-'));
  const config = path.join(site.root, 'litestream.yml');
  const shipped = fs.readFileSync(path.join(root, 'deploy/litestream.yml'), 'utf8');
  const text = shipped
    .replace('/var/lib/guestlist/guestlist.db', site.store)
    .replace('/var/backups/guestlist', copy);
  assert.equal(text.split(site.root).length, 3, 'both paths are replaced');
  assert.match(text, /monitor-interval: 250ms[\s\S]*? sync-interval: 250ms/);
  fs.writeFileSync(config, text);
  return { config, copy };
}

/** Waits for a condition while these programs run. */
async function until(condition: () => boolean, ...programs: readonly ChildProcess[]) {
  while (!condition()) {
    for (const { exitCode, signalCode } of programs) assert.equal(exitCode ?? signalCode, null);
    await setTimeout(20);
  }
}

/** How many files of the copy end so. */
const count = (copy: string, ending: string): number =>
  fs
    .readdirSync(copy, { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith(ending)).length;

/** Starts Litestream, and waits until it has its first whole copy. */
async function replicate(config: string, copy: string): Promise<ChildProcess> {
  const child = spawn(litestream, ['replicate', '-config', config], { stdio: 'inherit' });
  after(() => void child.kill('SIGKILL'));
  await until(() => count(copy, '.snapshot.lz4') > 0, child);
  return child;
}

const skip = !fs.existsSync(litestream) && 'the registry holds no Litestream for this platform';
const options = { skip };

test(
  'what was acknowledged four segments ago comes back, and a new copy follows the restored store',
  options,
  async (t) => {
    invitePeople(site, CLIENTS);
    const server = await site.start();
    const { config, copy } = configure();
    const standby = await replicate(config, copy);

    const load = startLoad({ origin: server.origin, clients: CLIENTS });
    await until(() => load.replies.length > 100, server.process, standby);
    const old = structuredClone(load.sessions);
    const segments = count(copy, '.wal.lz4');
    await until(() => count(copy, '.wal.lz4') >= segments + SEGMENTS, server.process, standby);
    standby.kill('SIGKILL');
    server.process.kill('SIGKILL');
    await Promise.all([load.ended, server.exited]);
    fs.rmSync(path.dirname(site.store), { recursive: true });

    const fromCopy = () => {
      const restored = path.join(fs.mkdtempSync(path.join(site.root, 'copy-')), 'restored.db');
      spawnSync(litestream, ['restore', '-config', config, '-o', restored, site.store]);
      return restored;
    };
    const put = site.tool('backup', 'restore', fromCopy(), '--yes');
    assert.equal(put.status, 0, put.stderr);
    assertKept(site.store, { sessions: old }, Number.POSITIVE_INFINITY);
    const stored = assertSound(site.store);
    t.diagnostic(`${load.replies.length} acknowledged, ${JSON.stringify(stored)} restored`);

    const again = await replicate(config, copy);
    site.invite('alan@example.com');
    await until(() => invitedIn(fromCopy()).includes('alan@example.com'), again);
  },
);
