/** What an operator reads of a store that cannot be used: the true cause, and the way out. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { whileOpening } from '../../lib/store/errors.ts';
import { lacksStrace } from '../support/lacks.ts';
import { type Result, runToEnd, startProcess } from '../support/process.ts';
import { installationForAll, installationForEach, temporaryFolder } from '../support/temporary.ts';
import { DATABASE } from './reader.ts';
import { mountSmall } from './volumes.ts';

const MISSING = /\/data is a link to .*\/missing, which is missing \(is its disk mounted\?\)\n$/;

/** What the opening of a store says that fails with a code. */
function describeFault(code: string): string {
  const file = path.join(folder, 'guestlist.db');
  try {
    whileOpening(file, () => {
      throw Object.assign(new Error('why'), { code });
    });
  } catch (error) {
    return String(error).replace(file, 'guestlist.db');
  }
  return '';
}
const folder = temporaryFolder();

describe('the remedy of', () => {
  for (const [code, remedy] of [
    ['SQLITE_CORRUPT_INDEX', /is damaged \(why\); restore a snapshot from data\/backups$/],
    ['SQLITE_NOTADB', /is damaged \(why\); restore a snapshot from data\/backups$/],
    ['SQLITE_BUSY', /is locked by another program; find it: fuser -v .*\.db .*-shm; end it/],
    ['SQLITE_BUSY_RECOVERY', /is locked by another program; find it: fuser -v /],
    ['SQLITE_FULL', /cannot be written \(why\); the disk is full: free space on it/],
    ['ENOSPC', /the disk is full/],
    ['EDQUOT', /the disk is full/],
    ['SQLITE_IOERR_READ', /cannot be read or written \(why\); its disk may fail: see dmesg$/],
    ['SQLITE_IOERR_FSYNC', /its disk may fail/],
    ['EIO', /its disk may fail/],
    [
      'SQLITE_IOERR_LOCK',
      /cannot be locked \(why\); data\/ must be on a local disk, not on a netw/,
    ],
    ['SQLITE_IOERR_SHMMAP', /data\/ must be on a local disk/],
    ['SQLITE_PROTOCOL', /data\/ must be on a local disk/],
    ['SQLITE_READONLY', /cannot be opened \(why\); check that this user can write to it/],
    ['SQLITE_CANTOPEN', /check that this user can write to it and .*, and that its disk is mou/],
    ['EACCES', /check that this user can write to it/],
  ] as const)
    it(`${code} is its own`, () => {
      assert.match(describeFault(code), remedy);
      const isDamage = /CORRUPT|NOTADB/.test(code);
      assert.equal(/restore/.test(describeFault(code)), isDamage, 'restore is for damage alone');
    });
});

describe('a fault of the machine', () => {
  const installation = installationForEach();

  it('that is a lock names the process with the lock, not the server', {
    skip: lacksLocks(),
  }, async () => {
    installation.invite('ada@example.com');
    const server = await installation.start();
    const program = `const db = new (require(process.argv[1]))(process.argv[2]);
      db.exec('begin immediate'); console.log('locked'); process.stdin.resume();`;
    const other = startProcess([process.execPath, '-e', program, DATABASE, installation.store]);
    await other.prints(/locked/);
    const { status, stderr } = installation.tool('invite', 'add', 'bo@example.com');
    await other.stop();
    await server.stop();
    const line = `guestlist\\.db is locked by process ${other.process.pid} \\(node\\); end it or wait`;
    assert.match(stderr, new RegExp(`${line}, then try again\n$`));
    assert.equal(status, 1);
  });

  for (const [what, call, code] of [
    ['locks', 'fcntl', 'EOPNOTSUPP'],
    ['shared memory', 'mmap', 'ENODEV'],
  ])
    it(`that is a share without ${what} asks for a local disk`, { skip: lacksStrace() }, () => {
      installation.invite('ada@example.com');
      const sides = ['', '-shm', '-wal'].flatMap((side) => ['-P', installation.store + side]);
      const inject = ['-e', `inject=${call}:error=${code}`];
      const tool = [process.execPath, path.join(installation.root, 'tools', 'invite.js'), 'list'];
      const command = ['strace', '-f', '-o', '/dev/null', ...sides, ...inject, ...tool];
      const { status, stderr } = runToEnd(command);
      assert.match(stderr, /^.*data\/ must be on a local disk, not on a network share.*\n$/);
      assert.doesNotMatch(stderr, /restore/);
      assert.equal(status, 1);
    });
});

it('a full disk is named with its remedy', (t) => {
  const data = path.join(temporaryFolder(), 'data');
  const volume = mountSmall(data, 1);
  if (!volume) return t.skip('mounting a small volume takes root and the right to mount');
  const installation = installationForAll();
  fs.symlinkSync(data, path.dirname(installation.store));
  try {
    installation.invite('ada@example.com');
    const { bsize, bavail } = fs.statfsSync(data);
    fs.writeFileSync(path.join(data, 'ballast'), Buffer.alloc(bsize * bavail));
    const results = [
      installation.tool('invite', 'add', 'bo@example.com'),
      installation.tool('backup', 'create'),
    ];
    for (const { status, stderr } of results) {
      assert.match(stderr, /^.* cannot be written \(.*\); the disk is full: free space on it.*\n$/);
      assert.equal(status, 1);
    }
  } finally {
    volume.release();
  }
});

it('a read-only volume of the snapshots is named', (t) => {
  const installation = installationForAll();
  installation.invite('ada@example.com');
  const backups = path.join(path.dirname(installation.store), 'backups');
  const volume = mountSmall(backups, 1);
  if (!volume) return t.skip('mounting a small volume takes root and the right to mount');
  try {
    runToEnd(['mount', '-o', 'remount,ro', backups]);
    const { status, stderr } = installation.tool('backup', 'create');
    const fault = `^${backups}/draft-\\w+ cannot be opened \\(.*\\); its volume is mounted read-only; `;
    assert.match(stderr, new RegExp(`${fault}mount it for writing \\(a unit needs Rea.*\n$`));
    assert.equal(status, 1);
  } finally {
    volume.release();
  }
});

it('a disk without room for the snapshot folder is named', { skip: lacksStrace() }, () => {
  const installation = installationForAll();
  installation.invite('ada@example.com');
  const backups = path.join(path.dirname(installation.store), 'backups');
  const inject = ['-P', backups, '-e', 'inject=mkdir:error=ENOSPC'];
  const tool = [process.execPath, path.join(installation.root, 'tools', 'backup.js'), 'create'];
  const { status, stderr } = runToEnd(['strace', '-f', '-o', '/dev/null', ...inject, ...tool]);
  assert.match(stderr, /^.*backups cannot be written \(ENOSPC.*\); the disk is full: free .*\n$/);
  assert.equal(status, 1);
});

describe('where data/ is a link to what is missing', () => {
  const installation = installationForAll();
  const data = path.dirname(installation.store);
  fs.symlinkSync(path.join(temporaryFolder(), 'missing'), data);
  for (const [what, run] of [
    ['a start', () => installation.run()],
    ['invite add', () => installation.tool('invite', 'add', 'bo@example.com')],
    ['backup create', () => installation.tool('backup', 'create')],
    ['backup list', () => installation.tool('backup', 'list')],
    ['site check', () => installation.tool('site', 'check')],
    ['site init', () => installation.tool('site', 'init')],
  ] as const satisfies readonly (readonly [string, () => Result])[])
    it(`${what} says so, and creates nothing`, () => {
      const { status, stdout, stderr } = run();
      assert.deepEqual([status, stdout], [1, '']);
      assert.match(stderr, MISSING);
      assert.equal(stderr.split('\n').length, 2);
      assert.ok(!fs.existsSync(data));
    });
});

describe('a package that is missing', () => {
  const installation = installationForAll();
  const modules = path.join(installation.root, 'node_modules');
  const real = fs.realpathSync(modules);

  for (const name of ['better-sqlite3', 'ua-parser-js', 'bindings'])
    it(`as ${name} is one line with the remedy`, () => {
      fs.rmSync(modules, { recursive: true });
      fs.mkdirSync(modules);
      const others = fs.readdirSync(real).filter((each) => each !== name);
      for (const each of others) copyOrLink(path.join(real, each), path.join(modules, each));
      const results = [installation.run()];
      if (name !== 'ua-parser-js')
        results.push(installation.tool('invite', 'add', 'bo@example.com'));
      for (const { status, stdout, stderr } of results) {
        assert.deepEqual([status, stdout], [1, '']);
        assert.match(stderr, /^.*(package|module) .*; in \/.*: npm ci\n$/);
        assert.ok(stderr.includes(name), stderr);
      }
    });
});

/** better-sqlite3 as a copy, because it finds its packages beside itself. */
function copyOrLink(from: string, to: string): void {
  if (path.basename(from) !== 'better-sqlite3') fs.symlinkSync(from, to);
  else spawnSync('cp', ['-R', from, to]);
}

function lacksLocks(): string | false {
  return !fs.existsSync('/proc/locks') && 'needs /proc/locks';
}
