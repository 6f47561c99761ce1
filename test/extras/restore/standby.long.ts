/** The standby: server, Litestream and store are lost under load, and restored from the copy. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { root } from '../../../lib/config.ts';
import { assertSound } from '../../faults/store-check.ts';
import { logIn, send } from '../../support/client.ts';
import { invitedIn } from '../../support/database.ts';
import type { Installation } from '../../support/installation.ts';
import { until } from '../../support/limit.ts';
import { runToEnd } from '../../support/process.ts';
import { installationForAll } from '../../support/temporary.ts';

/** The program itself, because the wrapper of the package does not pass signals on. */
const litestream = path.join(
  root,
  `test/node_modules/@flydotio/litestream-${process.platform}-${process.arch}/litestream`,
);

/**
 * An acknowledged write is in the copy after at most so many segments: Litestream may have read the
 * WAL for the first ones before. With the shipped intervals, this takes less than two seconds.
 */
const SEGMENTS = 4;

const installation = installationForAll();

/** Writes the shipped configuration with the paths of the test, and makes a folder for a copy. */
function configure(installation: Installation): { config: string; copy: string } {
  const copy = fs.mkdtempSync(path.join(installation.root, 'copy-'));
  const config = path.join(installation.root, 'litestream.yml');
  const shipped = fs.readFileSync(path.join(root, 'deploy/litestream.yml'), 'utf8');
  const text = shipped
    .replace('/var/lib/guestlist/guestlist.db', installation.store)
    .replace('/var/backups/guestlist', copy);
  assert.equal(text.split(installation.root).length, 3, 'both paths are replaced');
  assert.match(text, /monitor-interval: 250ms[\s\S]*? sync-interval: 250ms/);
  fs.writeFileSync(config, text);
  return { config, copy };
}

/** Waits for a condition while Litestream runs. */
const untilCopied = (what: string, condition: () => boolean, program: ChildProcess) =>
  until(what, () => {
    assert.equal(program.exitCode ?? program.signalCode, null);
    return condition();
  });

/** How many files of the copy have this ending. */
const count = (copy: string, ending: string): number =>
  fs
    .readdirSync(copy, { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith(ending)).length;

/** Starts Litestream, and waits until it has its first whole copy. */
async function replicate(config: string, copy: string): Promise<ChildProcess> {
  const child = spawn(litestream, ['replicate', '-config', config], { stdio: 'inherit' });
  after(() => void child.kill('SIGKILL'));
  await untilCopied('the first copy', () => count(copy, '.snapshot.lz4') > 0, child);
  return child;
}

const skip = !fs.existsSync(litestream) && 'the registry holds no Litestream for this platform';

test('the restored store has all acknowledged rows, and is copied again', {
  skip,
}, async (t) => {
  installation.invite('ada@example.com');
  const server = await installation.start();
  const { config, copy } = configure(installation);
  const standby = await replicate(config, copy);

  const cookie = await logIn(server.origin, 'ada@example.com');
  let acknowledged = 0;
  const join = async () => {
    const { status } = await send(server.origin, 'POST /api/project-join', { cookie });
    assert.equal(status, 200);
    acknowledged += 1;
  };
  while (acknowledged < 100) await join();
  const earlier = acknowledged;
  const segments = count(copy, '.wal.lz4');
  await until('more segments', async () => {
    await join();
    return count(copy, '.wal.lz4') >= segments + SEGMENTS;
  });
  standby.kill('SIGKILL');
  server.process.kill('SIGKILL');
  await server.ends();
  fs.rmSync(path.dirname(installation.store), { recursive: true });

  const fromCopy = () => {
    const restored = path.join(
      fs.mkdtempSync(path.join(installation.root, 'copy-')),
      'restored.db',
    );
    runToEnd([litestream, 'restore', '-config', config, '-o', restored, installation.store]);
    return restored;
  };
  const put = installation.tool('backup', 'restore', fromCopy(), '--yes');
  assert.equal(put.status, 0, put.stderr);
  const { joinClicks } = assertSound(installation.store);
  t.diagnostic(
    `${acknowledged} acknowledged, ${earlier} four segments ago, ${joinClicks} restored`,
  );
  assert.ok(joinClicks >= earlier && joinClicks <= acknowledged);

  const again = await replicate(config, copy);
  installation.invite('alan@example.com');
  const isCopied = () => invitedIn(fromCopy()).includes('alan@example.com');
  await untilCopied('a row in the copy', isCopied, again);
});

test('all views are recorded beside Litestream, also beside an old reader', {
  skip,
}, async (t) => {
  const other = installationForAll();
  other.invite('ada@example.com');
  const server = await other.start();
  const { config, copy } = configure(other);
  const standby = await replicate(config, copy);
  const cookie = await logIn(server.origin, 'ada@example.com');
  const walSize = () => fs.statSync(`${other.store}-wal`).size / 1e6;

  /** 200 views a second, for some seconds. */
  const viewFor = async (seconds: number) => {
    const views: Promise<number>[] = [];
    const ticking = setInterval(() => {
      const view = send(server.origin, 'GET /timeline', { cookie });
      views.push(view.then(({ status }) => status));
    }, 5);
    await setTimeout(seconds * 1000);
    clearInterval(ticking);
    const statuses = new Set(await Promise.all(views));
    t.diagnostic(`${views.length} views; the WAL has ${Math.round(walSize())} MB`);
    assert.deepEqual([...statuses], [200]);
  };

  await viewFor(30);
  assert.ok(walSize() < 50);
  const reader = new Database(other.store, { readonly: true });
  t.after(() => reader.close());
  reader.exec('begin');
  reader.prepare('select count(*) from events').get();
  await viewFor(60);
  // The program must end before its folder is removed.
  const ended = once(standby, 'exit');
  standby.kill('SIGKILL');
  await ended;
});
