/** Restoring a snapshot replaces the whole store while no server runs, or changes nothing. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, it } from 'node:test';
import { lockServer } from '../../../lib/store/access.ts';
import { currentSchema } from '../../../lib/store/migrate.ts';
import { openServerStore } from '../../../lib/store/open.ts';
import { readStore } from '../../faults/reader.ts';
import {
  damagePage,
  invitedIn,
  queryOne,
  withDatabase,
  writeGarbage,
} from '../../support/database.ts';
import { addInvite, recordLogin } from '../../support/rows.ts';
import { toolsForEach } from '../../support/tools.ts';

const ADA = 'ada@example.com';
const ALAN = 'alan@example.com';
const GRACE = 'grace@example.com';
const ZOE = 'zoe@example.com';

const { file, folder, invite, json, says, tool, write } = toolsForEach();
const backups = path.join(folder, 'backups');
const create = async () => (await json<{ file: string }>('backup create')).file;
const restored = async (snapshot: string) =>
  (await json<{ replaced: string | null }>(`backup restore ${snapshot} --yes`)).replaced;
const drafts = () => fs.readdirSync(backups).filter((name) => name.startsWith('draft-'));

/** A restore is refused in one line, and changes nothing. */
async function assertRefused(from: string, reason: RegExp): Promise<void> {
  const before = [fs.readFileSync(file), fs.readdirSync(backups)];
  const { status, stderr } = await tool(`backup restore ${from} --yes`);
  assert.deepEqual([status, stderr.split('\n').length], [1, 2], stderr);
  assert.match(stderr, reason);
  assert.deepEqual([fs.readFileSync(file), fs.readdirSync(backups)], before);
}

/** A snapshot in which Ada is invited, and a store in which Grace is too. */
let snapshot: string;
beforeEach(async () => {
  invite(ADA);
  snapshot = await create();
  invite(GRACE);
});

it('replaces the store with the snapshot, and keeps the replaced one', async () => {
  const sessions = (of: string) => queryOne(of, 'select count(*) from sessions');
  write((writer) => writer.sessions.begin(ADA, Date.now()));
  const taken = path.basename(await create());
  const replaced = String(await restored(taken));
  assert.deepEqual([sessions(file), sessions(replaced)], [0, 1]);
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

// extra: erasure
it('without --yes prints what both contain, and what will be undone', async () => {
  write(({ invites }) => invites.setAdmin(GRACE, true));
  write((writer) => recordLogin(writer, ADA, Date.UTC(2026, 2, 1)));
  const snapshot = await create();
  for (const call of [
    `invite remove ${GRACE}`,
    `invite add ${ALAN}`,
    `person forget ${GRACE} --yes`,
  ])
    await says(call);
  write((writer) => recordLogin(writer, ADA, Date.UTC(2026, 2, 3)));
  const before = fs.readFileSync(file);
  const { status, stdout, stderr } = await tool(`backup restore ${snapshot}`);
  const line = (what: string) => `\\d+ .* cli +${what} *\n`;
  const expected = [
    'changes that are undone:\nid +at +by +via +what +email +detail\n',
    ...['erased +erased', `invited +${ALAN}`, 'removed +erased'].map(line),
    'file +rows +newest day\n',
    'snapshot {2}invites 2, .* events 1 +2026-03-01\nstore {5}invites 2, .* events 2 +2026-03-03\n',
    'the snapshot still has the data of 1 erased person\n',
  ];
  assert.match(stdout, new RegExp(`^${expected.join('')}$`));
  const remedy = 'to restore, stop the server and add --yes; all sessions will end\n';
  assert.deepEqual([status, stderr], [1, `nothing is changed; ${remedy}`]);
  assert.deepEqual(fs.readFileSync(file), before);
});
// end: erasure

it('is refused while a server runs, and keeps one from starting', async (t) => {
  const server = openServerStore(file);
  // The search for locks leaves out this process.
  const stop =
    /^a server or a restore is using .*; stop it first: Ctrl-C in its terminal, or systemctl stop guestlist\.socket guestlist, or docker compose stop, and run the tool by docker compose run --rm guestlist …$/m;
  await assertRefused(snapshot, stop);
  await server.close();
  const steps: string[] = [];
  const { renameSync } = fs;
  t.mock.method(fs, 'renameSync', (from: string, to: string) => {
    renameSync(from, to);
    assert.throws(() => lockServer(file, 0), / is using .*guestlist\.db; /);
    steps.push(path.basename(to).replace(/^guestlist-\w+|-[0-9a-f]{12}$/, ''));
  });
  await restored(snapshot);
  assert.deepEqual(steps, ['draft', '-replaced.db', 'guestlist.db']);
  lockServer(file, 0)();
});

it('on another machine, restores everything but the sessions', async () => {
  const elsewhere = path.join(path.dirname(folder), 'snapshot.db');
  fs.renameSync(snapshot, elsewhere);
  fs.rmSync(folder, { recursive: true });
  assert.equal(await restored(elsewhere), null);
  const modes = [folder, file].map((each) => fs.statSync(each).mode & 0o777);
  assert.deepEqual([invitedIn(file), modes], [[ADA], [0o700, 0o600]]);
});

it('beside a reader of the store, keeps it with its WAL', async () => {
  const endRead = await readStore(file);
  write((writer) => addInvite(writer, ZOE));
  const replaced = await restored(snapshot);
  assert.ok(fs.statSync(`${replaced}-wal`).size > 0);
  const server = openServerStore(file);
  await server.write((writer) => addInvite(writer, ALAN));
  await endRead();
  await server.close();
  assert.deepEqual(invitedIn(file), [ADA, ALAN], 'its end has not removed the new WAL');
  const listed = await says('backup list --limit 1');
  assert.match(listed, /-replaced\.db .*Z +\d+ +invites 3, .* ok\n$/);
  // extra: erasure
  const forget = await tool(`person forget ${ZOE}`);
  assert.match(
    forget.stderr,
    /still have the data:\n.*\n.*-replaced\.db +kept until you delete it\n/,
  );
  // end: erasure
  await restored(replaced ?? '');
  assert.deepEqual(invitedIn(file), [ADA, GRACE, ZOE]);
});

for (const [what, lose, side] of [
  ['overwritten', () => writeGarbage(file, 0, 100), ''],
  ['newer', () => withDatabase(file, (db) => db.pragma('user_version = 99')), ''],
  ['empty beside its WAL', () => fs.truncateSync(file), '-wal'],
  ['missing beside its WAL', () => fs.rmSync(file), '-wal'],
] as const)
  it(`a store that is ${what} is replaced, and its remains are kept`, async () => {
    withDatabase(file, (db) => db.pragma('wal_checkpoint(truncate)'));
    if (side) fs.writeFileSync(file + side, 'Changes. '.repeat(100));
    lose();
    const left = fs.readFileSync(file + side);
    const { stdout } = await tool(`backup restore ${snapshot}`);
    assert.match(stdout, /\nstore {5}(missing, or it cannot be read|invites 2.*)\n/);
    const replaced = `${await restored(snapshot)}`.replace(/-wal$/, '');
    assert.deepEqual([invitedIn(file), queryOne(file, 'pragma integrity_check')], [[ADA], 'ok']);
    // SQLite may have written the end of WAL mode into the header, the first 100 bytes.
    assert.deepEqual(fs.readFileSync(replaced + side).subarray(100), left.subarray(100));
    const beside = fs.readdirSync(folder).sort();
    assert.deepEqual(beside, ['backups', 'guestlist.db', 'guestlist.db.lock']);
  });

for (const [what, make, reason] of [
  ['no database', (at) => fs.writeFileSync(at, 'Not a database. '.repeat(50)), /not a database/],
  ['of another program', set('application_id = 7'), /it is not a store of Guestlist/],
  ['damaged', changed((at) => damagePage(at, 'invites_by_time')), /: .*(damaged|malformed)/],
  ['newer', set(`user_version = ${currentSchema + 1}`), /by a newer Guestlist/],
  ['a folder', (at) => fs.mkdirSync(at), /there is no .*bad\.db that this user may read/],
] as const satisfies readonly (readonly [string, (at: string) => void, RegExp])[])
  it(`a file that is ${what} is refused, and changes nothing`, async () => {
    const bad = path.join(folder, 'bad.db');
    make(bad);
    await assertRefused(bad, reason);
  });

/** A file that is a copy of the snapshot with a change. */
function changed(change: (at: string) => void) {
  return (at: string): void => {
    fs.copyFileSync(snapshot, at);
    change(at);
  };
}

function set(pragma: string) {
  return changed((at) => withDatabase(at, (db) => db.pragma(pragma)));
}
