/** A damaged, lost or read-only store: the start is refused in one line, or uses the sound part. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { StoreError } from '../../lib/store/errors.ts';
import { currentSchema } from '../../lib/store/migrate.ts';
import { openServerStore, openStore } from '../../lib/store/open.ts';
import { takeSnapshot } from '../../lib/store/snapshots.ts';
import { FORGED_COOKIE, logIn, send } from '../support/client.ts';
import { damagePage, queryOne, scribble, withDatabase } from '../support/database.ts';
import { recordJoin } from '../support/rows.ts';
import { siteForAll } from '../support/site.ts';
import { toolsOn } from '../support/tools.ts';
import { mountSmall } from './volumes.ts';

const ADA = 'ada@example.com';

const site = siteForAll();
const { store } = site;
const folder = path.dirname(store);
const wal = `${store}-wal`;
/** The files of a killed server: an invite in the store, a login and five clicks in the -wal. */
const crashed = `${folder}-crashed`;

site.invite(ADA);
const server = await site.start();
const ada = await logIn(server.origin, ADA);
for (let i = 0; i < 5; i += 1) await send(server.origin, 'POST /api/project-join', { cookie: ada });
await server.stop('SIGKILL');
assert.ok(fs.statSync(wal).size > 0);
fs.renameSync(folder, crashed);
beforeEach(() => fs.cpSync(crashed, folder, { recursive: true }));
afterEach(async () => {
  await site.stop();
  fs.rmSync(folder, { recursive: true });
});

/** Changes the store after a clean stop. */
const tidied = (change: () => unknown) => () => {
  withDatabase(store, (db) => db.pragma('wal_checkpoint(truncate)'));
  assert.ok(!fs.existsSync(wal));
  change();
};

/** Opens the store as a start does, and clicks. @returns the number of clicks before */
async function assertWorks(): Promise<number> {
  const opened = openServerStore(store);
  const clicks = () => Number(queryOne(store, 'select count(*) from project_joins'));
  const before = clicks();
  await opened.write((writer) => recordJoin(writer, ADA, 1));
  await opened.close();
  assert.equal(clicks(), before + 1);
  assert.equal(queryOne(store, 'pragma integrity_check'), 'ok');
  return before;
}

const { tool } = toolsOn(store);

/** Asserts that neither server nor tools open the store, nor change it. */
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
  /guestlist\.db is missing; restore a snapshot: node tools\/backup\.js restore <file>; or, to start empty, move guestlist\.db-wal and backups\/ away$/;
const DAMAGED = /guestlist\.db is damaged \(.*\); restore a snapshot from data\/backups/;
const FOREIGN = /is not a store of Guestlist; move it away, then try again$/;

describe('a store is refused, and not changed, that', () => {
  const set = (sql: string) => tidied(() => withDatabase(store, (db) => db.exec(sql)));
  const replace = (sql: string) =>
    tidied(() => {
      fs.rmSync(store);
      withDatabase(store, (db) => db.exec(sql));
    });
  const lose = () => {
    takeSnapshot(store);
    fs.rmSync(store);
  };
  for (const [what, damage, line] of [
    ['is deleted without its -wal', () => fs.rmSync(store), LOST],
    ['is truncated to nothing', () => fs.truncateSync(store), LOST],
    ['is deleted, and has a snapshot', tidied(lose), LOST],
    ['is truncated in the middle', tidied(() => fs.truncateSync(store, 5 * 4096)), DAMAGED],
    ['is overwritten at its start', tidied(() => scribble(store, 0, 100)), DAMAGED],
    ['is newer', set('pragma user_version = 999'), /by a newer Guestlist \(schema 999/],
    [
      'was made before 3.0.0',
      set(`pragma application_id = ${0x47756573}`),
      /was made by a pre-release; move it away, and invite from its CSV$/,
    ],
    ['is of another program', set('pragma application_id = 7'), FOREIGN],
    ['has another mark and nothing else', replace('pragma application_id = 7'), FOREIGN],
    ['has other tables', replace('create table invites (email); pragma user_version = 6'), FOREIGN],
    [
      'cannot be migrated',
      set(`pragma user_version = ${currentSchema - 1}`),
      /\(.* already exists\); it is unchanged; /,
    ],
  ] as const)
    it(what, async (t) => {
      t.mock.method(console, 'error', () => undefined);
      damage();
      await assertRefused(line);
    });

  it('is in a folder that cannot be written', async (t) => {
    fs.rmSync(folder, { recursive: true });
    const volume = mountSmall(folder, 4);
    if (!volume) return t.skip('mounting a small volume takes root and the right to mount');
    try {
      openStore(store).close();
      volume.setWritable(false);
      await assertRefused(
        /guestlist\.db(\.lock)? cannot be opened \(.*\); check that this user can write to it/,
      );
      volume.setWritable(true);
      openStore(store).close();
    } finally {
      volume.release();
    }
  });
});

describe('the -wal of a server that was killed', () => {
  const size = () => fs.statSync(wal).size;
  for (const [what, damage, isWhole] of [
    ['as it is', () => undefined, true],
    ['deleted', () => fs.rmSync(wal), false],
    ['truncated in the middle', () => fs.truncateSync(wal, Math.floor(size() / 2)), false],
    ['scribbled on at its end', () => scribble(wal, size() - 100, 100), false],
  ] as const)
    it(`${what}: ${isWhole ? 'no row is lost' : 'the rows before the damage are whole'}`, async () => {
      damage();
      const before = await assertWorks();
      assert.ok(isWhole ? before === 5 : before < 5, `${before} clicks`);
    });
});

describe('a store that is damaged where sessions or invites are looked up', () => {
  for (const [index, cookie] of [
    ['sqlite_autoindex_sessions_1', FORGED_COOKIE],
    ['sqlite_autoindex_invites_1', ada],
  ] as const)
    it(`at ${index} fails in the same way on a hidden and on an unknown URL, and other pages work`, async () => {
      tidied(() => damagePage(store, index))();
      const server = await site.start();
      for (const url of ['/svcops', '/svcops/page.js', '/api/svcops/stats', '/of-a-visitor']) {
        const { status, text } = await send(server.origin, `GET ${url}`, { cookie });
        assert.equal(`${status} ${text}`, '503 {"error":"unavailable"}');
      }
      await server.reports(/^503 an unknown URL: the store: .*SQLITE_CORRUPT/m);
      assert.doesNotMatch(server.stderr.join('\n'), /of-a-visitor/);
      assert.equal((await send(server.origin, 'GET /')).status, 200);
    });
});
