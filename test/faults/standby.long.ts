/** The standby: server, Litestream and store are lost under load; what was acknowledged in time comes back from the copy. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { root } from '../../lib/config.ts';
import { logIn, send, sessionId } from '../support/client.ts';
import type { Server } from '../support/installation.ts';
import { siteForAll } from '../support/site.ts';

/** The program itself, which the package carries for each platform: its wrapper would not pass signals on. */
const litestream = path.join(
  root,
  `node_modules/@flydotio/litestream-${process.platform}-${process.arch}/litestream`,
);

/** What docs/standby.md promises: a reply is in the copy after this long, in ms. */
const LAG = 2000;

/** How long the load lasts, in ms: as long again as the lag, and a second. */
const LOAD = 2 * LAG + 1000;

const site = siteForAll();

/** The shipped configuration, with the paths of this installation, and a folder for a new copy. */
function configure(): { config: string; copy: string } {
  const copy = fs.mkdtempSync(path.join(site.root, 'copy-'));
  const config = path.join(site.root, 'litestream.yml');
  const shipped = fs.readFileSync(path.join(root, 'deploy/litestream.yml'), 'utf8');
  const text = shipped
    .replace('/var/lib/guestlist/guestlist.db', site.store)
    .replace('/var/backups/guestlist', copy);
  assert.equal(text.split(site.root).length, 3, 'both paths are replaced');
  fs.writeFileSync(config, text);
  return { config, copy };
}

/** Starts Litestream, and waits until it has its first whole copy. */
async function replicate(config: string, copy: string): Promise<ChildProcess> {
  const child = spawn(litestream, ['replicate', '-config', config], { stdio: 'inherit' });
  after(() => void child.kill('SIGKILL'));
  const copied = () =>
    fs.existsSync(copy) &&
    fs
      .readdirSync(copy, { encoding: 'utf8', recursive: true })
      .some((name) => name.endsWith('.snapshot.lz4'));
  while (!copied()) {
    assert.equal(child.exitCode, null, 'Litestream has ended');
    // It tells nobody.
    await setTimeout(20);
  }
  return child;
}

/** A row that a reply has acknowledged, by what it can be found by; `count` is how many of its kind there are by then. */
type Acknowledged = {
  readonly kind: 'login' | 'timeline_view' | 'join';
  readonly session: string;
  readonly count: number;
  readonly at: number;
};

/** Visitors log in, view and press until the server is gone. @returns what was acknowledged, when all have seen it go */
async function visit(server: Server, visitors: readonly string[]) {
  const acknowledged: Acknowledged[] = [];
  const acknowledge = (kind: Acknowledged['kind'], session: string, count: number) =>
    acknowledged.push({ kind, session, count, at: performance.now() });
  await Promise.all(
    visitors.map(async (email) => {
      try {
        for (;;) {
          const cookie = await logIn(server.origin, email);
          const session = sessionId(cookie);
          acknowledge('login', session, 1);
          for (let count = 1; count <= 10; count += 1) {
            const view = await send(server.origin, 'GET /timeline', { cookie });
            if (view.status === 200) acknowledge('timeline_view', session, count);
            const join = await send(server.origin, 'POST /api/project-join', { cookie });
            if (join.status === 200) acknowledge('join', session, count);
          }
        }
      } catch (error) {
        // The server is gone, as is meant.
        if (server.process.signalCode === null && server.process.exitCode === null)
          await Promise.race([
            once(server.process, 'exit'),
            setTimeout(1000).then(() => Promise.reject(error)),
          ]);
      }
    }),
  );
  return acknowledged;
}

const skip = !fs.existsSync(litestream) && 'the registry holds no Litestream for this platform';

test('what was acknowledged over two seconds before all was lost comes back', {
  skip,
}, async (t) => {
  const visitors = ['ada@example.com', 'grace@example.com', 'alan@example.com'];
  site.toolWithInput(visitors.join('\n'), 'invite', 'add', '--from', '-');
  const server = await site.start();
  const { config, copy } = configure();
  const standby = await replicate(config, copy);

  const load = visit(server, visitors);
  await setTimeout(LOAD);
  const lost = performance.now();
  standby.kill('SIGKILL');
  server.process.kill('SIGKILL');
  fs.rmSync(path.dirname(site.store), { recursive: true });
  const acknowledged = await load;
  fs.rmSync(path.dirname(site.store), { recursive: true, force: true });

  const restored = path.join(site.root, 'restored.db');
  const restore = spawnSync(litestream, ['restore', '-config', config, '-o', restored, site.store]);
  assert.equal(restore.status, 0, String(restore.stderr));
  const put = site.tool('backup', 'restore', restored, '--yes');
  assert.equal(put.status, 0, put.stderr);

  const rows = (tool: string) => JSON.parse(site.tool(tool, 'list', '--json').stdout);
  const found = new Map<string, number>();
  const count = (kind: string, session: string) =>
    found.set(`${kind} ${session}`, (found.get(`${kind} ${session}`) ?? 0) + 1);
  for (const { type, session } of rows('events')) count(type, session);
  for (const { session } of rows('joins')) count('join', session);
  const isThere = (each: Acknowledged) =>
    (found.get(`${each.kind} ${each.session}`) ?? 0) >= each.count;

  const missing = acknowledged.filter((each) => !isThere(each));
  const lag = Math.max(0, ...missing.map(({ at }) => lost - at));
  t.diagnostic(
    `${acknowledged.length} acknowledged, ${missing.length} lost; the oldest of them ${Math.round(lag)} ms before the end`,
  );
  const old = acknowledged.filter(({ at }) => at < lost - LAG);
  assert.ok(old.length > 20, 'there was a load');
  assert.deepEqual(
    old.filter((each) => !isThere(each)),
    [],
  );
});

test('beside a standby snapshots are taken, and a restore waits for its stop', {
  skip,
}, async () => {
  const { config, copy } = configure();
  site.invite('edsger@example.com');
  const standby = await replicate(config, copy);
  const create = site.tool('backup', 'create', '--json');
  assert.equal(create.status, 0, create.stderr);
  const { file } = JSON.parse(create.stdout);
  const refused = site.tool('backup', 'restore', file, '--yes');
  assert.equal(refused.status, 1);
  assert.match(
    refused.stderr,
    /is open in another program; stop it \(the server, the standby, sqlite3\)/,
  );
  standby.kill('SIGTERM');
  await once(standby, 'exit');
  assert.equal(site.tool('backup', 'restore', file, '--yes').status, 0);
});
