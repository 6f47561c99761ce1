/** A damaged, lost or read-only store: the start is refused in one line, or uses the sound part. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { FORGED_COOKIE, logIn, send } from '../support/client.ts';
import { damagePage, scribble } from '../support/damage.ts';
import { queryOne, withDatabase } from '../support/database.ts';
import { lacksRoot } from '../support/lacks.ts';
import { siteForAll } from '../support/site.ts';
import { mountSmall } from './volumes.ts';

const ADA = 'ada@example.com';

const site = siteForAll();
const folder = path.dirname(site.store);
const wal = `${site.store}-wal`;
/** The files of a killed server: an invite in the store, a login and five clicks in the -wal. */
const crashed = `${folder}-crashed`;

site.invite(ADA);
const server = await site.start();
const cookie = await logIn(server.origin, ADA);
for (let i = 0; i < 5; i += 1) await send(server.origin, 'POST /api/project-join', { cookie });
server.process.kill('SIGKILL');
await server.exited;
assert.ok(fs.statSync(wal).size > 0);
fs.renameSync(folder, crashed);
beforeEach(() => fs.cpSync(crashed, folder, { recursive: true }));
afterEach(async () => {
  await site.stop();
  fs.rmSync(folder, { recursive: true });
});

/** The store after a clean stop. */
function tidy(): void {
  withDatabase(site.store, (db) => db.pragma('wal_checkpoint(truncate)'));
  assert.ok(!fs.existsSync(wal));
}

function assertRefused(line: RegExp): void {
  const { status, stdout, stderr } = site.run({});
  assert.equal(status, 1, stderr);
  assert.equal(stdout, '');
  assert.match(stderr, line);
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
}

/** Starts, logs in and clicks. @returns the number of clicks before */
async function assertWorks(): Promise<number> {
  const server = await site.start();
  const before = clicks();
  const cookie = await logIn(server.origin, ADA);
  assert.equal((await send(server.origin, 'POST /api/project-join', { cookie })).status, 200);
  assert.equal(clicks(), before + 1);
  assert.equal(queryOne(site.store, 'pragma integrity_check'), 'ok');
  assert.deepEqual(server.stderr, []);
  return before;
}

const clicks = () => Number(queryOne(site.store, 'select count(*) from project_joins'));

describe('the store file', () => {
  for (const [what, damage] of [
    ['deleted', () => fs.rmSync(site.store)],
    ['truncated to nothing', () => fs.truncateSync(site.store)],
  ] as const) {
    it(`${what}, its -wal left: the start is refused, and the -wal is kept`, async () => {
      const content = fs.readFileSync(wal);
      damage();
      assertRefused(/guestlist\.db is gone, but .*-wal is still there; restore a snapshot/);
      assert.equal(site.tool('invite', 'add', ADA).status, 1);
      assert.deepEqual(fs.readFileSync(wal), content);
    });

    it(`${what}, its -wal left: restoring a snapshot repairs it`, async () => {
      site.tool('backup', 'create');
      const [snapshot = ''] = fs.readdirSync(path.join(folder, 'backups'));
      damage();
      const restored = site.tool(
        'backup',
        'restore',
        path.join(folder, 'backups', snapshot),
        '--yes',
      );
      assert.equal(restored.status, 0, restored.stderr);
      assert.equal(await assertWorks(), 5);
    });
  }

  it('truncated in the middle: the start is refused as damaged', async () => {
    tidy();
    fs.truncateSync(site.store, 5 * 4096);
    assertRefused(/guestlist\.db is damaged \(.*\); restore a snapshot from data\/backups/);
  });

  it('overwritten at its start: refused because it is no database', async () => {
    tidy();
    scribble(site.store, 0, 100);
    assertRefused(/guestlist\.db is damaged \(file is not a database\); restore a snapshot/);
  });

  it('overwritten after its first page: the start succeeds, requests that read the damage get 503, and the log reports it', async () => {
    tidy();
    damagePage(site.store, 'sqlite_autoindex_invites_1');
    const server = await site.start();
    const answer = await send(server.origin, 'POST /auth/login', { json: { email: ADA } });
    assert.equal(answer.status, 503);
    await server.reports(/^503 POST \/auth\/login: .*SQLITE_CORRUPT/);
    assert.equal((await send(server.origin, 'GET /')).status, 200);
  });
});

describe('a store that is damaged where sessions or invites are looked up', () => {
  for (const { index, who } of [
    { index: 'sqlite_autoindex_sessions_1', who: 'somebody with a forged cookie' },
    { index: 'sqlite_autoindex_invites_1', who: 'an invitee who is no administrator' },
  ]) {
    it(`fails in the same way on a hidden and on an unknown URL for ${who}, and logs no text of a visitor`, async () => {
      const first = await site.start();
      const cookie = who.includes('forged') ? FORGED_COOKIE : await logIn(first.origin, ADA);
      await first.stop();
      damagePage(site.store, index);
      const server = await site.start();
      const answers = [];
      for (const url of [
        '/svcops',
        '/svcops/page.js',
        '/api/svcops/stats',
        '/written-by-a-visitor',
      ]) {
        const { status, text } = await send(server.origin, `GET ${url}`, { cookie });
        answers.push(`${status} ${text}`);
      }
      assert.deepEqual(answers, Array(4).fill('503 {"error":"unavailable"}'));
      await server.reports(/^503 an unknown URL: the store: .*SQLITE_CORRUPT/m);
      assert.doesNotMatch(server.stderr.join('\n'), /written-by-a-visitor/);
    });
  }
});

describe('the -wal of a server that was killed', () => {
  it('is read, and no row is lost', async () => {
    assert.equal(await assertWorks(), 5);
  });

  for (const [what, damage] of [
    ['deleted', () => fs.rmSync(wal)],
    ['truncated in the middle', () => fs.truncateSync(wal, Math.floor(fs.statSync(wal).size / 2))],
    ['truncated to nothing', () => fs.truncateSync(wal)],
    ['scribbled on at its head', () => scribble(wal, 0, 32)],
    [
      'scribbled on in the middle',
      () => scribble(wal, Math.floor(fs.statSync(wal).size / 2), 4096),
    ],
    ['scribbled on at its end', () => scribble(wal, fs.statSync(wal).size - 100, 100)],
  ] as const) {
    it(`${what}: the rows before the damage are complete, and the service works`, async () => {
      damage();
      const before = await assertWorks();
      assert.ok(before < 5, `${before} clicks`);
    });
  }

  it('with its -shm overwritten: no row is lost', async () => {
    scribble(`${site.store}-shm`, 0, fs.statSync(`${site.store}-shm`).size);
    assert.equal(await assertWorks(), 5);
  });
});

describe('a data/ that is read-only', () => {
  it('refuses the start in one line, and serves again when it is writable', async (t) => {
    const volume = mountSmall(folder, 4);
    if (!volume) return t.skip('mounting a small volume takes root and the right to mount');
    try {
      site.invite(ADA);
      volume.setWritable(false);
      assertRefused(/guestlist\.db cannot be opened \(.*\); check that its folder/);
      volume.setWritable(true);
      assert.equal(await assertWorks(), 0);
      await site.stop();
    } finally {
      volume.release();
    }
  });

  it('refuses the start to a user who may not write there', { skip: lacksRoot }, () => {
    const readable = siteForAll({ forEverybody: true });
    readable.invite(ADA);
    // Every user may read the store, as after a copy by the wrong user.
    fs.chmodSync(path.dirname(readable.store), 0o755);
    fs.chmodSync(readable.store, 0o644);
    const refused = readable.run({}, { uid: 65534 });
    assert.match(
      refused.stderr,
      /guestlist\.db cannot be opened \(.*\); check that its folder can/,
    );
    assert.equal(refused.status, 1);
  });
});
