/**
 * A disk becomes full and has space again, or does not sync: rows are never partial, and nobody
 * must help.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { anotherClient, logIn, send } from '../support/client.ts';
import { lockStore } from '../support/database.ts';
import { lacks, lacksStrace } from '../support/lacks.ts';
import { startProcess } from '../support/process.ts';
import { installationForAll } from '../support/temporary.ts';
import { assertSound } from './store-check.ts';

const CLIENTS = 8;

/** Requests that record a row, and the number that counts it. */
const RECORDING = [
  ['POST /auth/login', 'logins'],
  ['GET /timeline', 'timelineViews'],
  ['POST /api/project-join', 'joinClicks'],
] as const;

const installation = installationForAll();
installation.invite('ada@example.com');

it('a full disk gets 503, records nothing, and needs no restart', {
  skip: lacks('prlimit'),
}, async () => {
  const server = await installation.start();
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
    assert.deepEqual(assertSound(installation.store), stored);
    return statuses;
  }
  /** A limit for each file of the server acts like a quota, and does not need root. */
  const limit = (bytes: string) =>
    assert.equal(
      spawnSync('prlimit', [`--pid=${server.process.pid}`, `--fsize=${bytes}:`]).status,
      0,
    );

  // The limit moves on by a page, so the disk is full at another page of each commit.
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

/**
 * Lets each sync of a running program fail.
 *
 * @returns a function that ends this; `undefined` if it is not permitted
 */
async function failSyncs(pid: number | undefined, trace: string) {
  const command = ['strace', '-f', '-p', String(pid), '-o', trace, '-e', 'trace=fsync,fdatasync'];
  const strace = startProcess([...command, '-e', 'inject=fsync,fdatasync:error=EIO']);
  await strace.reports(/ attached/).catch(() => undefined);
  if (strace.process.exitCode !== null) return undefined;
  /** @returns how many syncs have failed */
  return async (): Promise<number> => {
    await strace.stop();
    return fs.readFileSync(trace, 'utf8').match(/\(INJECTED\)/g)?.length ?? 0;
  };
}

it('after a failed sync, its logins get 503 and the next one works', {
  skip: lacksStrace(),
}, async (t) => {
  const server = await installation.start();
  const cookie = await logIn(server.origin, 'ada@example.com');
  const login = async () => {
    const options = { json: { email: 'ada@example.com' }, headers: anotherClient() };
    return (await send(server.origin, 'POST /auth/login', options)).status;
  };
  const { logins } = assertSound(installation.store);
  const endFault = await failSyncs(server.process.pid, path.join(installation.root, 'trace'));
  if (!endFault) return t.skip('needs the right to trace a program that runs');
  // While the store is locked, the logins wait for one commit.
  const unlock = lockStore(installation.store);
  const refused = Array.from({ length: 30 }, login);
  for (let i = 0; i < 3; i += 1) await send(server.origin, 'GET /auth/me', { cookie });
  unlock();
  assert.deepEqual(await Promise.all(refused), Array(30).fill(503));
  assert.equal((await send(server.origin, 'GET /auth/me', { cookie })).status, 200);
  assert.equal(await endFault(), 1, 'one sync for all of them');
  const reason = '503 POST /auth/login: the store: disk I/O error (SQLITE_IOERR_FSYNC)';
  assert.deepEqual(server.stderr, Array(30).fill(reason));

  assert.deepEqual(await Promise.all([login(), login()]), [200, 200]);
  await server.stop('SIGKILL');
  const again = await installation.start();
  assert.equal((await send(again.origin, 'POST /api/project-join', { cookie })).status, 200);
  // A login with a 503 may be recorded, because the fault can come after its row is written.
  assert.ok(
    assertSound(installation.store).logins >= logins + 2,
    'each login that got 200 is there',
  );
});
