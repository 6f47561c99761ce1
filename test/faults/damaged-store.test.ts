/**
 * A damaged, lost or read-only store: a start is refused in one line, or uses the undamaged part.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { StoreError } from '../../lib/store/errors.ts';
import { currentSchema } from '../../lib/store/migrate.ts';
import { openServerStore } from '../../lib/store/open.ts';
import { takeSnapshot } from '../../lib/store/snapshots.ts';
import { FORGED_COOKIE, send } from '../support/client.ts';
import { damagePage, withDatabase, writeGarbage } from '../support/database.ts';
import { installationForAll } from '../support/temporary.ts';
import { toolsOn } from '../support/tools.ts';

const ADA = 'ada@example.com';

const installation = installationForAll();
const { store } = installation;
const folder = path.dirname(store);
const wal = `${store}-wal`;

// `after` is called here and not in a hook, because Node runs no hook for a skipped test.
beforeEach(async () => {
  await installation.clear();
  installation.invite(ADA);
});

const { tool } = toolsOn(store);

/** Asserts that server and tools do not open or change the store. */
async function assertRefused(line: RegExp): Promise<void> {
  const bytes = () =>
    [store, wal].map((file) => (fs.existsSync(file) ? fs.readFileSync(file) : undefined));
  const before = bytes();
  assert.throws(
    () => openServerStore(store),
    (error) => error instanceof StoreError && line.test(error.message),
  );
  for (const call of ['invite list', 'invite add ada@example.com']) {
    const { status, stderr } = await tool(call);
    assert.deepEqual([status, stderr.split('\n').length], [1, 2], stderr);
    assert.match(stderr.trimEnd(), line);
  }
  assert.deepEqual(bytes(), before);
}

const LOST =
  /guestlist\.db is missing; put it back, or restore a snapshot: node tools\/backup\.js restore <file>; or, to start empty, move guestlist\.db-wal and backups\/ away$/;
const DAMAGED = /guestlist\.db is damaged \(.*\); restore a snapshot from data\/backups/;
const FOREIGN = /is not a store of Guestlist; move it away, then try again$/;

describe('a store is refused, and not changed, that', () => {
  const set = (sql: string) => () => withDatabase(store, (db) => db.exec(sql));
  const replace = (sql: string) => {
    fs.rmSync(store);
    withDatabase(store, (db) => db.exec(sql));
  };
  for (const [what, damage, line] of [
    ['is deleted without its -wal', () => fs.renameSync(store, wal), LOST],
    ['is emptied, and has a snapshot', () => takeSnapshot(store) && fs.truncateSync(store), LOST],
    ['is truncated in the middle', () => fs.truncateSync(store, 5 * 4096), DAMAGED],
    ['is overwritten at its start', () => writeGarbage(store, 0, 100), DAMAGED],
    ['is newer', set('pragma user_version = 999'), /by a newer Guestlist \(schema 999/],
    [
      'was made before 3.0.0',
      set(`pragma application_id = ${0x47756573}`),
      /was made by a pre-release; move it away, and invite from its CSV$/,
    ],
    ['is of another program', set('pragma application_id = 7'), FOREIGN],
    ['has other tables', () => replace('create table invites (email)'), FOREIGN],
    [
      'cannot be migrated',
      set(`pragma user_version = ${currentSchema - 1}`),
      /\((.* already exists|duplicate column .*)\); it is unchanged; /,
    ],
  ] as const)
    it(what, async (t) => {
      t.mock.method(console, 'error', () => undefined);
      damage();
      await assertRefused(line);
    });

  it('is on a volume that cannot be written', async (t) => {
    if (spawnSync('mount', ['--bind', '-o', 'ro', folder, folder]).status !== 0)
      return t.skip('mounting takes root and the right to mount');
    try {
      await assertRefused(
        /guestlist\.db(\.lock)? cannot be opened \(.*\); its volume is mounted read-only; mount it /,
      );
    } finally {
      spawnSync('umount', [folder]);
    }
  });
});

describe('a store that is damaged where sessions or invites are looked up', () => {
  for (const [index, given] of [
    ['sqlite_autoindex_sessions_1', FORGED_COOKIE],
    ['sqlite_autoindex_invites_1', undefined],
  ] as const)
    it(`at ${index} fails alike on a hidden and on an unknown URL`, async () => {
      const { token } = installation.write(({ sessions }) => sessions.begin(ADA, Date.now()));
      damagePage(store, index);
      const server = await installation.start();
      const cookie = given ?? `svc_session=${token}`;
      for (const url of ['/svcops', '/svcops/page.js', '/api/svcops/stats', '/of-a-visitor']) {
        for (const headers of [{}, { 'Sec-Fetch-Site': 'cross-site' }]) {
          const { status, text } = await send(server.origin, `GET ${url}`, { cookie, headers });
          assert.equal(`${status} ${text}`, '503 {"error":"unavailable"}');
        }
      }
      await server.reports(/^503 an unknown URL: the store: .*SQLITE_CORRUPT/m);
      assert.doesNotMatch(server.stderr.join('\n'), /of-a-visitor/);
      assert.equal((await send(server.origin, 'GET /')).status, 200);
    });
});
