/** Snapshots: what is in one, which stay, and a restore by the commands of docs/install.md. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { root } from '../../lib/config.ts';
import { openDatabase, readValue } from '../../lib/store/sqlite.ts';
import { enter, installWith, invite, startService, temporaryFolder } from '../service.ts';
import { callTool } from '../tools/tool.ts';

/** An installation with one guest. */
const installWithAda = () => installWith((db) => invite(db, 'ada@example.com'));

function takeSnapshot(folder: string): string {
  const { status, stdout, stderr } = callTool(folder, 'backup create');
  assert.equal(status, 0, stderr);
  return stdout.split('\n', 1).join();
}

function namesIn(folder: string): readonly string[] {
  return fs.readdirSync(path.join(folder, 'data/backups')).sort();
}

/** @param time in ms */
function nameAt(time: number): string {
  return `guestlist-${new Date(time).toISOString().replace(/[-:]|\.\d+/g, '')}.db`;
}

test('has all but the sessions, beside a running service, for its owner only', async () => {
  const { folder, db, get } = await startService();
  const cookie = enter(db, 'ada@example.com');
  for (let i = 0; i < 200; i += 1) enter(db, `guest${i}@example.com`);
  await get('/timeline', cookie);
  const file = takeSnapshot(folder);
  assert.match(file, /data\/backups\/guestlist-\d{8}T\d{6}Z\.db$/);
  assert.equal(fs.statSync(file).mode & 0o777, 0o600);
  assert.equal(fs.statSync(path.dirname(file)).mode & 0o777, 0o700);
  assert.deepEqual(namesIn(folder), [path.basename(file)]);

  const snapshot = openDatabase(file, { readonly: true });
  const count = (table: string) => readValue(snapshot, `select count(*) from ${table}`);
  assert.deepEqual([count('invites'), count('events'), count('sessions')], [201, 1, 0]);
  // With a WAL, whoever looked at a snapshot would put files beside it.
  assert.equal(readValue(snapshot, 'pragma journal_mode'), 'delete');
  const bytes = fs.readFileSync(file);
  const hashes = String(readValue(db, 'select group_concat(secret_hash) from sessions'));
  for (const hash of hashes.split(','))
    assert.ok(!bytes.includes(hash), 'a hash is left in the bytes');
  snapshot.close();
});

test('removes snapshots of more than 14 days, but none of the newest five, and no other file', () => {
  const folder = installWithAda();
  const backups = path.join(folder, 'data/backups');
  fs.mkdirSync(backups);
  const daysAgo = (days: number) => nameAt(Date.now() - days * 86_400_000);
  const running = `draft-${process.pid}.db`;
  const kept = [daysAgo(13), daysAgo(15), daysAgo(16), daysAgo(17), 'mine.db', running];
  const old = [daysAgo(18), daysAgo(401), daysAgo(402)];
  // No process has this number.
  const killed = ['draft-9999999.db', 'draft-9999999.db-journal'];
  for (const name of [...kept, ...old, ...killed]) fs.writeFileSync(path.join(backups, name), '');
  const taken = path.basename(takeSnapshot(folder));
  assert.deepEqual(namesIn(folder), [...kept, taken].sort());
  const listed = JSON.parse(callTool(folder, 'backup list --json --limit 2').stdout);
  assert.deepEqual(
    listed.map(({ file }: { file: string }) => path.basename(file)),
    [taken, kept[0]],
  );
});

test('takes no snapshot of a damaged store', () => {
  const folder = installWithAda();
  const store = path.join(folder, 'data/guestlist.db');
  const db = openDatabase(store);
  db.exec('pragma ignore_check_constraints = on; update invites set is_admin = 2');
  db.close();
  const wrongRow = callTool(folder, 'backup create');
  assert.equal(wrongRow.status, 1);
  assert.match(wrongRow.stderr, /^the store is damaged; see Restore in docs\/install\.md: CHECK/);
  fs.writeFileSync(store, fs.readFileSync(store).fill(7, 4096));
  const wrongBytes = callTool(folder, 'backup create');
  assert.equal(wrongBytes.status, 1);
  assert.match(wrongBytes.stderr, /malformed.*see Restore in docs\/install\.md/);
  assert.deepEqual(namesIn(folder), []);
});

/** Loaded before a tool: says in which order it syncs and renames, in a line each. */
const SPY = `
  import fs from 'node:fs';
  import path from 'node:path';
  const log = (act, file) => console.error(act, path.basename(file).replace(/[0-9].*db/, '….db'));
  const { fsyncSync, renameSync } = fs;
  fs.fsyncSync = (opened) => {
    fsyncSync(opened);
    log('sync', fs.readlinkSync('/proc/self/fd/' + opened));
  };
  fs.renameSync = (from, to) => {
    renameSync(from, to);
    log('rename', from);
  };`;

test('is on disk before it has its name, and its name is on disk too', () => {
  const folder = installWithAda();
  const spy = `data:text/javascript,${encodeURIComponent(SPY)}`;
  const { stderr } = callTool(folder, 'backup create', {
    env: { NODE_OPTIONS: `--import=${spy}` },
  });
  assert.equal(stderr, 'sync draft-….db\nrename draft-….db\nsync backups\n');
});

test('is not written over another one of the same second', () => {
  const folder = installWithAda();
  const backups = path.join(folder, 'data/backups');
  fs.mkdirSync(backups);
  const now = Date.now();
  for (let second = 0; second < 300; second += 1)
    fs.writeFileSync(path.join(backups, nameAt(now + second * 1000)), 'of another program');
  const before = namesIn(folder);
  const { status, stderr } = callTool(folder, 'backup create');
  assert.equal(status, 1);
  assert.match(stderr, /^a snapshot of this second exists already\n$/);
  assert.deepEqual(namesIn(folder), before);
  for (const name of before)
    assert.equal(fs.readFileSync(path.join(backups, name), 'utf8'), 'of another program');
});

/** The first block of commands of a section of docs/install.md. */
function commandsOf(section: string): string {
  const text = fs.readFileSync(path.join(root, 'docs/install.md'), 'utf8');
  const [, commands] = text.split(`\n## ${section}\n`)[1]?.match(/```sh\n(.*?)```/s) ?? [];
  assert.ok(commands, section);
  return commands;
}

/** Runs the documented commands. @returns what systemctl was told */
function restore(folder: string, snapshot: string): readonly string[] {
  const log = path.join(temporaryFolder(), 'systemctl.log');
  const stubs = `systemctl() { echo "$@" >> ${log}; }; runuser() { shift 3; "$@"; }\n`;
  const commands = commandsOf('Restore')
    .replace('/opt/guestlist', folder)
    .replace(/^snapshot=.*/, `snapshot=${path.basename(snapshot)}`);
  spawnSync('sh', ['-c', stubs + commands]);
  return fs.readFileSync(log, 'utf8').trim().split('\n');
}

const STOP = 'stop guestlist-backup.timer guestlist-backup.service guestlist.service';
const START = 'start guestlist.service guestlist-backup.timer';

const STORES: Readonly<Record<string, (store: string) => void>> = {
  damaged: (store) => fs.writeFileSync(store, 'no database at all'),
  missing: (store) => fs.rmSync(store),
  'missing, with a WAL': (store) => fs.renameSync(store, `${store}-wal`),
};

for (const [name, make] of Object.entries(STORES))
  test(`is restored, wholly or not at all, over a store that is ${name}`, async () => {
    const folder = installWithAda();
    const snapshot = takeSnapshot(folder);
    callTool(folder, 'invite add eve@example.com');
    const data = path.join(folder, 'data');
    make(path.join(data, 'guestlist.db'));
    const before = fs.readdirSync(data);
    assert.deepEqual(restore(folder, 'guestlist-20000101T000000Z.db'), [STOP]);
    assert.deepEqual(fs.readdirSync(data), before);

    assert.deepEqual(restore(folder, snapshot), [STOP, START]);
    const aside = before.filter((file) => file.startsWith('guestlist.db'));
    assert.deepEqual(fs.readdirSync(path.join(data, 'replaced')), aside);
    assert.equal(fs.statSync(path.join(data, 'guestlist.db')).mode & 0o777, 0o600);
    const { db } = await startService(folder);
    assert.equal(readValue(db, 'select group_concat(email) from invites'), 'ada@example.com');
    // What is put aside is not written over.
    assert.deepEqual(restore(folder, snapshot), [STOP]);
  });
