/** Restoring a snapshot replaces the whole store while no server runs, or changes nothing. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { lockServer } from '../../lib/store/access.ts';
import { currentSchema } from '../../lib/store/migrate.ts';
import { openServerStore } from '../../lib/store/open.ts';
import { readStore } from '../faults/reader.ts';
import { damagePage, invitedIn, queryOne, scribble, withDatabase } from '../support/database.ts';
import { addInvite, recordLogin } from '../support/rows.ts';
import { toolsForEach } from '../support/tools.ts';

const [ADA, ALAN, GRACE] = ['ada@example.com', 'alan@example.com', 'grace@example.com'];
const ZOE = 'zoe@example.com';
const insert = (email: string) => `insert into invites values ('${email}', null, 'cli', 2, 0)`;

const { file, folder, invite, json, says, setAdmin, tool, write } = toolsForEach();
const backups = path.join(folder, 'backups');
const create = async () => (await json<{ file: string }>('backup create')).file;
const restored = async (snapshot: string) =>
  (await json<{ replaced: string | null }>(`backup restore ${snapshot} --yes`)).replaced;
const drafts = () => fs.readdirSync(backups).filter((name) => name.startsWith('draft-'));

/** A restore is refused in one line, and changes nothing. */
async function assertRefused(from: string, reason: RegExp): Promise<void> {
  const before = fs.readFileSync(file);
  const { status, stderr } = await tool(`backup restore ${from} --yes`);
  assert.deepEqual([status, stderr.split('\n').length], [1, 2], stderr);
  assert.match(stderr, reason);
  assert.deepEqual(fs.readFileSync(file), before);
  assert.deepEqual(drafts(), []);
}

/** A snapshot in which Ada is invited, and a store in which Grace is too. */
let snapshot: string;
beforeEach(async () => {
  invite(ADA);
  snapshot = await create();
  invite(GRACE);
});

describe('backup restore', () => {
  it('replaces the store with the snapshot, ends all sessions, and keeps the replaced store', async () => {
    const sessions = (of: string) => queryOne(of, 'select count(*) from sessions');
    const begin = (email: string) =>
      write((writer) => writer.sessions.begin(email, Date.now()).token);
    begin(ADA);
    const taken = path.basename(await create());
    begin(GRACE);
    const replaced = String(await restored(taken));
    assert.deepEqual([sessions(file), sessions(replaced)], [0, 2]);
    const said = await says('backup restore', path.basename(snapshot), '--yes');
    assert.match(said, /\nA snapshot never contains the site\. Copy data\/site\/ back\.\n$/);
    assert.deepEqual(invitedIn(file), [ADA]);
    assert.equal(fs.statSync(file).mode & 0o777, 0o600);
    assert.match(path.basename(replaced), /^guestlist-\d{8}T\d{6}Z-replaced\.db$/);
    fs.mkdirSync(path.join(folder, 'site'));
    assert.doesNotMatch(await says(`backup restore ${replaced} --yes`), /the site/);
    assert.deepEqual([invitedIn(file), drafts()], [[ADA, GRACE], []]);
    const [{ what, detail } = {}] = await json('invite log --limit 1');
    assert.deepEqual([what, detail], ['restored', path.basename(replaced)]);
  });

  it('without --yes prints rows and newest days, and the changes and erasures that will be undone', async () => {
    setAdmin(GRACE);
    write((writer) => recordLogin(writer, ADA, Date.UTC(2026, 2, 1)));
    const snapshot = await create();
    await says(`invite remove ${GRACE}`);
    await says(`invite add ${ALAN}`);
    await says(`person forget ${GRACE} --yes`);
    write((writer) => recordLogin(writer, ADA, Date.UTC(2026, 2, 3)));
    const before = fs.readFileSync(file);
    const { status, stdout, stderr } = await tool(`backup restore ${snapshot}`);
    const [undone, head, ...lines] = stdout.trimEnd().split('\n');
    const [own, store, erased] = lines.splice(-3);
    assert.match(own ?? '', /^snapshot {2}invites 2, .* events 1 +2026-03-01$/);
    assert.match(store ?? '', /^store {5}invites 2, .* events 2 +2026-03-03$/);
    assert.equal(undone, 'changes that are undone:');
    assert.match(head ?? '', /^id +at +by +via +what +email +detail$/);
    const whats = lines.map((line) => / cli +(\w+) *(\S*)/.exec(line)?.slice(1).join(' '));
    assert.deepEqual(whats, ['erased erased', `invited ${ALAN}`, 'removed erased', undefined]);
    assert.equal(erased, '1 erased person: what the snapshot holds comes back');
    const remedy = 'to restore, stop the server and add --yes; all sessions will end\n';
    assert.deepEqual([status, stderr], [1, `nothing is changed; ${remedy}`]);
    assert.deepEqual(fs.readFileSync(file), before);
  });

  it('is refused while a server runs, and lets none start before its end', async (t) => {
    const server = openServerStore(file);
    const stop =
      /^a server or a restore is running on .*guestlist\.db; stop it first: systemctl stop guestlist\.socket guestlist, or docker compose stop, and run the tool by docker compose run --rm guestlist …\n$/;
    await assertRefused(snapshot, stop);
    await server.close();
    const steps: string[] = [];
    const { renameSync } = fs;
    t.mock.method(fs, 'renameSync', (from: string, to: string) => {
      assert.throws(() => lockServer(file, 0), /a server or a restore is running on/);
      renameSync(from, to);
      assert.throws(() => lockServer(file, 0), /a server or a restore is running on/);
      steps.push(path.basename(to).replace(/^guestlist-\w+/, ''));
    });
    await restored(snapshot);
    assert.deepEqual(steps, ['-replaced.db', 'guestlist.db']);
    lockServer(file, 0)();
  });

  it('reads a copy with a WAL beside it, and one that a link names', async () => {
    const [copy, link] = [path.join(folder, 'copy.db'), path.join(folder, 'link.db')];
    const db = new Database(file);
    db.exec(insert(ALAN));
    for (const side of ['', '-wal']) fs.copyFileSync(file + side, copy + side);
    db.close();
    await restored(copy);
    assert.deepEqual(invitedIn(file), [ADA, ALAN, GRACE]);
    fs.symlinkSync(snapshot, link);
    await restored(link);
    assert.deepEqual(invitedIn(file), [ADA]);
  });

  it('works in a new folder: on another machine, all is there but the sessions', async () => {
    const elsewhere = path.join(path.dirname(folder), 'snapshot.db');
    fs.renameSync(snapshot, elsewhere);
    fs.chmodSync(elsewhere, 0o644);
    fs.rmSync(folder, { recursive: true });
    assert.equal(await restored(elsewhere), null);
    const modes = [folder, file].map((each) => fs.statSync(each).mode & 0o777);
    assert.deepEqual([invitedIn(file), modes], [[ADA], [0o700, 0o600]]);
  });

  it('beside a program that reads the store: it is kept with its WAL, and listed, restored and forgotten', async () => {
    const endRead = await readStore(file);
    write((writer) => addInvite(writer, ZOE));
    const replaced = await restored(snapshot);
    assert.ok(fs.statSync(`${replaced}-wal`).size > 0);
    const server = openServerStore(file);
    try {
      await server.write((writer) => addInvite(writer, ALAN));
      await endRead();
    } finally {
      await server.close();
    }
    assert.deepEqual(invitedIn(file), [ADA, ALAN], 'its end has not removed the new WAL');
    assert.match(
      await says('backup list --limit 1'),
      /-replaced\.db .*Z +\d+ +invites 3, .* ok\n$/,
    );
    const forget = await tool(`person forget ${ZOE}`);
    assert.match(forget.stderr, /still hold it:\n.*\n.*-replaced\.db +kept until you delete it\n/);
    await restored(replaced ?? '');
    assert.deepEqual(invitedIn(file), [ADA, GRACE, ZOE]);
  });
});

describe('a store that is', () => {
  const overwrite = () => scribble(file, 0, 100);
  const addWal = (lose: (file: string) => void) => {
    fs.writeFileSync(`${file}-wal`, 'Changes. '.repeat(100));
    lose(file);
  };
  const addJournal = () => {
    fs.writeFileSync(`${file}-journal`, 'Changes. '.repeat(100));
    overwrite();
  };
  for (const [what, damage, side = ''] of [
    ['overwritten', overwrite],
    ['damaged inside', () => scribble(file, 4096, 8 * 4096)],
    ['cut', () => fs.truncateSync(file, 5000)],
    ['newer', () => withDatabase(file, (db) => db.pragma('user_version = 99'))],
    ['overwritten beside its journal', () => addJournal()],
    ['empty beside its WAL', () => addWal(fs.truncateSync), '-wal'],
    ['missing beside its WAL', () => addWal(fs.rmSync), '-wal'],
  ] as const) {
    it(`${what} is replaced in the same way, and what is left of it kept`, async () => {
      withDatabase(file, (db) => db.pragma('wal_checkpoint(truncate)'));
      damage();
      const left = fs.readFileSync(file + side);
      const { stdout } = await tool(`backup restore ${snapshot}`);
      assert.match(stdout, /\nstore {5}(missing, or it cannot be read|invites 2.*)\n/);
      const replaced = await restored(snapshot);
      assert.deepEqual([invitedIn(file), queryOne(file, 'pragma integrity_check')], [[ADA], 'ok']);
      // In its first 100 bytes, SQLite may have ended the WAL.
      const kept = fs.readFileSync(`${replaced}`.replace(/-wal$/, '') + side).subarray(100);
      assert.deepEqual(kept, left.subarray(100));
      const beside = fs.readdirSync(folder).sort();
      assert.deepEqual(beside, ['backups', 'guestlist.db', 'guestlist.db.lock']);
    });
  }
});

describe('a file that is not a sound store of this version', () => {
  const content = (text: string | Buffer) => (at: string) => fs.writeFileSync(at, text);
  const changed = (change: string | ((at: string) => void)) => (at: string) => {
    fs.copyFileSync(snapshot, at);
    if (typeof change === 'string') withDatabase(at, (db) => db.exec(change));
    else change(at);
  };
  for (const [what, make, reason] of [
    ['no database', content('Not a database. '.repeat(50)), /file is not a database/],
    ['empty', content(''), /fails the check: it is not a store of Guestlist/],
    ['of another program', changed('pragma application_id = 7'), /it is not a store of Guestlist/],
    [
      'of a pre-release',
      changed(`pragma application_id = ${0x47756573}`),
      /fails the check: it was made by a pre-release; .*invite from its CSV/,
    ],
    ['cut', changed((at) => fs.truncateSync(at, 20_480)), /malformed/],
    ['damaged', changed((at) => damagePage(at, 'invites_by_time')), /: .*(damaged|malformed)/],
    ['newer', changed(`pragma user_version = ${currentSchema + 1}`), /by a newer Guestlist/],
    ['a folder', (at) => fs.mkdirSync(at), /there is no .*bad\.db that this user may read/],
    ['a link to nothing', (at) => fs.symlinkSync('nowhere', at), /there is no .*bad\.db/],
  ] as const satisfies readonly (readonly [string, (at: string) => void, RegExp])[])
    it(`is refused, and changes nothing: ${what}`, async () => {
      const bad = path.join(folder, 'bad.db');
      make(bad);
      await assertRefused(bad, reason);
      assert.equal(fs.readdirSync(backups).length, 1, 'nothing is kept');
    });
});
