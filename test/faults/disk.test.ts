/** The disk becomes full, and has space again, or does not sync: no partial row, and no help needed. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { anotherClient, logIn, send } from '../support/client.ts';
import { lacks, lacksStrace } from '../support/lacks.ts';
import { siteForAll } from '../support/site.ts';
import { assertSound } from './store-check.ts';

const CLIENTS = 8;

/** What records a row, and where it is counted. */
const RECORDING = [
  ['POST /auth/login', 'logins'],
  ['GET /timeline', 'timelineViews'],
  ['POST /api/project-join', 'joinClicks'],
] as const;

const site = siteForAll();
site.invite('ada@example.com');

it('a full disk: 503 and no partial row, other pages work; with space again, all works without a restart', {
  skip: lacks('prlimit'),
}, async () => {
  const server = await site.start();
  const cookie = await logIn(server.origin, 'ada@example.com');
  const stored = { logins: 1, timelineViews: 0, joinClicks: 0 };
  const ask = (line: string) => {
    const login = { json: { email: 'ada@example.com' }, headers: anotherClient() };
    return send(server.origin, line, line.endsWith('login') ? login : { cookie });
  };
  /** @returns the status of each reply */
  async function record(rounds: number): Promise<Set<number>> {
    const statuses = new Set<number>();
    const client = async () => {
      for (let i = 0; i < rounds; i += 1)
        for (const [line, kind] of RECORDING) {
          const { status } = await ask(line);
          statuses.add(status);
          if (status === 200) stored[kind] += 1;
        }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    assert.deepEqual(assertSound(site.store), stored);
    return statuses;
  }
  /** A limit for each file of the server acts like a quota, and does not need root. */
  const limit = (bytes: string) =>
    assert.equal(
      spawnSync('prlimit', [`--pid=${server.process.pid}`, `--fsize=${bytes}:`]).status,
      0,
    );

  // Each commit of a few pages is cut at another one.
  for (let bytes = 65_536; bytes < 100_000; bytes += 4096) {
    limit(String(bytes));
    const statuses = await record(bytes === 65_536 ? 12 : 1);
    statuses.delete(200);
    assert.deepEqual([...statuses], [503]);
  }
  const full = await ask('POST /api/project-join');
  assert.deepEqual([full.status, full.json()], [503, { error: 'unavailable' }]);
  assert.equal(full.headers.get('retry-after'), '1');
  for (const line of ['GET /', 'GET /auth/me']) assert.equal((await ask(line)).status, 200);
  const reason =
    /^503 \w+ [\w/-]+: the store: (database or disk is full|disk I\/O error) \(SQLITE_/;
  for (const line of server.stderr) assert.match(line, reason);

  limit('unlimited');
  assert.deepEqual([...(await record(2))], [200]);
  await server.stop();
});

it('a WAL that cannot be synced ends the server before its reply; the next start needs no help', {
  skip: lacksStrace(),
}, async () => {
  const sound = await site.start();
  const cookie = await logIn(sound.origin, 'ada@example.com');
  await sound.stop();
  const server = await site.start({}, [
    ...['strace', '-D', '-f', '-o', '/dev/null', '-e', 'trace=fdatasync'],
    ...['-e', 'inject=fdatasync:error=EIO'],
  ]);
  await assert.rejects(send(server.origin, 'POST /api/project-join', { cookie }), 'no reply');
  assert.notEqual(await server.exited, 0);
  assert.match(server.stderr.join('\n'), /the WAL of .*guestlist\.db cannot be synced/);

  const again = await site.start();
  assert.equal((await send(again.origin, 'POST /api/project-join', { cookie })).status, 200);
  assertSound(site.store);
});
