/** The doctor: each finding is provoked. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { errorReply, type Reply, redirect, statusOnly } from '../../../lib/http/reply.ts';
import { securityHeaders } from '../../../lib/http/security-headers.ts';
import { APPLICATION_ID } from '../../../lib/store/inspection.ts';
import { applyMigrations } from '../../../lib/store/schema.ts';
import { mountSmall } from '../../faults/volumes.ts';
import { damagePage, lockStore, withDatabase, writeGarbage } from '../../support/database.ts';
import { lacksRoot } from '../../support/lacks.ts';
import { runToEnd, WITHOUT_FILE_RIGHTS } from '../../support/process.ts';
import { serve } from '../../support/serve.ts';
import { installationForAll, temporaryFolder } from '../../support/temporary.ts';

type Environment = Readonly<Record<string, string>>;

/** An environment in which no service answers. */
const NOWHERE = { NODE_ENV: 'production', PORT: '2', PUBLIC_ORIGIN: 'https://localhost:2' };

const installation = installationForAll();
const data = path.join(installation.root, 'data');
const sample = path.join(installation.root, 'pages/sample');
installation.invite('ada@example.com');
installation.setAdmin('ada@example.com');
takeSnapshot(0);
const { examineInstallation }: typeof import('../../../lib/extras/doctor/examine.ts') =
  await import(path.join(installation.root, 'lib/extras/doctor/examine.js'));

/** Makes a snapshot of an age, the only one unless others are kept. */
function takeSnapshot(hours: number, isOnly = true): string {
  const folder = path.join(data, 'backups');
  if (isOnly) fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const time = new Date(Date.now() - hours * 3_600_000).toISOString();
  const file = path.join(folder, `guestlist-${time.replace(/[-:]|\.\d+/g, '')}.db`);
  withDatabase(installation.store, (db) => db.prepare('vacuum into ?').run(file));
  fs.chmodSync(file, 0o600);
  return file;
}

/** Asserts that a check finds this: its status and message. */
async function finds(check: string, found: RegExp, env: Environment = NOWHERE): Promise<void> {
  const finding = (await examineInstallation(env)).find((each) => each.check === check);
  assert.match(`${finding?.status}: ${finding?.message}`, new RegExp(`^${found.source}`, 's'));
}

it('names faults, exits with 1, and skips what a checkout lacks', () => {
  const { PUBLIC_ORIGIN, NODE_ENV, PORT, ...inherited } = process.env;
  const run = (env: Environment) => {
    const script = path.join(installation.root, 'tools', 'doctor.js');
    const options = { env: { ...inherited, ...env } };
    const { status, stdout } = runToEnd([process.execPath, script], options);
    return [status, stdout.match(/^(ok {3}|skip {1}|FAULT) {2}\w+/gm)?.join()] as const;
  };
  const some = 'ok     site,ok     store';
  const all = `ok     settings,${some},ok     snapshot,FAULT  public`;
  assert.deepEqual(run(NOWHERE), [1, all]);
  const development = `skip   settings,${some},skip   snapshot,skip   public`;
  assert.deepEqual(run({ PORT: '2' }), [0, development]);
  const installed = `FAULT  settings,${some},ok     snapshot,FAULT  public`;
  assert.deepEqual(run({ PORT: '2', GUESTLIST_COMMAND: '1' }), [1, installed]);
});

for (const [change, check, found] of [
  [{ PORT: 'three' }, 'settings', /fault: PORT is "three"/],
  [{ PORT: 'three' }, 'public', /skip: PORT is "three"/],
  [{ PORT: 'three' }, 'snapshot', /ok: /],
  [
    { NODE_ENV: '', PUBLIC_ORIGIN: '', GUESTLIST_COMMAND: '1' },
    'settings',
    /fault: neither NODE_ENV/,
  ],
  [{ NODE_ENV: '' }, 'settings', /fault: .*; set NODE_ENV=production$/],
  [{ PUBLIC_ORIGIN: '' }, 'settings', /fault: PUBLIC_ORIGIN is not set; set it to the https addr/],
  [{ PUBLIC_ORIGIN: '' }, 'public', /fault: PUBLIC_ORIGIN is not set; set it to the https addr/],
  [{ PUBLIC_ORIGIN: 'http://a.b' }, 'settings', /fault: PUBLIC_ORIGIN is http:.*; set it to the/],
  [{ NODE_ENV: 'production # b' }, 'settings', /fault: NODE_ENV is "production # b", so cookies/],
  [{ PUBLIC_ORIGIN: 'preview' }, 'settings', /fault: .* must be an http or https address/],
  [{ PUBLIC_ORIGIN: 'https://preview.invalid' }, 'public', /fault: .*getaddrinfo.*; check that/],
  [{}, 'public', /fault: .* cannot be reached: .*ECONNREFUSED.*the proxy runs/],
] as const satisfies readonly (readonly [Environment, string, RegExp])[])
  it(`${check} with ${JSON.stringify(change)}: ${found.source}`, () =>
    finds(check, found, { ...NOWHERE, ...change }));

// `site check` has the tests of the mistakes themselves.
it('finds mistakes in the content, and that the site is gone', async () => {
  await finds('site', /ok: no mistakes found in pages\/sample$/);
  const content = path.join(sample, 'content.json');
  const text = fs.readFileSync(content, 'utf8');
  fs.writeFileSync(content, text.replace('"tagline"', '"tagine"'));
  await finds('site', /fault: .*("tagine".*tagline: missing|tagline: missing.*"tagine")/);
  fs.writeFileSync(content, text);
  installation.invite('grace@example.com');
  await finds('site', /fault: guests see the sample: there is no .*\/data\/site; copy it there/);
  await finds('site', /ok/, { PORT: '2' });
});

describe('with a server', () => {
  const other = installationForAll();
  const production = { NODE_ENV: 'production' };
  const sessions = () =>
    withDatabase(installation.store, (db) => db.prepare('select * from sessions').all());

  /** Starts a server, and makes the settings for its doctor. */
  async function start(from: typeof installation) {
    const server = await from.start(production);
    const env = { ...production, PORT: '0', PUBLIC_ORIGIN: server.origin };
    return { server, env };
  }

  it('accepts a login of this installation, and leaves no session', async () => {
    const { server, env } = await start(installation);
    await finds('public', /ok: http:.* and accepts a login of this installation$/, env);
    await server.stop();
    assert.deepEqual(sessions(), []);
  });

  it('finds that the name leads to another installation', async () => {
    const { server, env } = await start(other);
    await finds('public', /fault: .* answers 401 to a login of this installation, so it is/, env);
    await server.stop();
    assert.deepEqual(sessions(), []);
  });

  /** What a proxy answers in place of the service. */
  const login = errorReply(403, 'cross_origin');
  for (const [what, path, reply, found] of [
    [
      'the service cannot write',
      '/auth/logout',
      statusOnly(503),
      /503 to a logout, as it would to/,
    ],
    ['the proxy blocks logins', '/auth/login', statusOnly(403), /403 to a login, and not in the/],
    ['the proxy takes cookies away', '', statusOnly(200), /without the service's cookie, so nob/],
  ] as const)
    it(`finds that ${what}`, async () => {
      const { origin } = await serve((request) => {
        if (request.path === path) return reply;
        return request.path === '/auth/login' ? login : statusOnly(200);
      }, securityHeaders(true));
      const env = { ...production, PORT: '2', PUBLIC_ORIGIN: origin };
      await finds('public', new RegExp(`fault: .* answers ${found.source}`), env);
      assert.deepEqual(sessions(), []);
    });

  it('finds that the server was started with another address', async () => {
    const env = { ...production, PUBLIC_ORIGIN: 'https://preview.example.com' };
    const server = await installation.start({ ...env, PORT: '0' });
    const { port } = new URL(server.origin);
    await finds('settings', /ok: PORT=\d+ PUBLIC_ORIGIN=https:/, { ...env, PORT: port });
    const changed = { ...env, PORT: port, PUBLIC_ORIGIN: 'https://new.example.com' };
    const found = `fault: the server on port ${port} was started with another PUBLIC_ORIGIN; restart it; `;
    await finds('settings', new RegExp(found), changed);
    await server.stop();
    await finds('settings', /ok/, changed);
  });

  it('finds that the server was started without NODE_ENV', async () => {
    const env = { PUBLIC_ORIGIN: 'https://preview.example.com' };
    const server = await installation.start({ ...env, PORT: '0' });
    const { port } = new URL(server.origin);
    const found = `fault: the server on port ${port} was started with another NODE_ENV; restart it; `;
    await finds('settings', new RegExp(found), { ...production, ...env, PORT: port });
    await server.stop();
  });

  it('finds that the server listens on another port', {
    skip: !fs.existsSync('/proc/locks') && 'needs /proc/locks',
  }, async () => {
    const server = await installation.start({ ...production, PORT: '0' });
    const found = `fault: PORT is 2, where nothing listens, but process ${server.process.pid} \\(the`;
    await finds('settings', new RegExp(found));
    await server.stop();
    await finds('settings', /ok/);
  });

  it('finds that the store was replaced while the server ran', {
    skip: !fs.existsSync('/proc/locks') && 'needs /proc/locks',
  }, async () => {
    const server = await installation.start({ ...production, PORT: '0' });
    await finds('store', /ok/);
    const former = `${installation.store}-former`;
    fs.renameSync(installation.store, former);
    fs.copyFileSync(former, installation.store);
    const found = `fault: .* was replaced while process ${server.process.pid} \\(the server\\) had it`;
    await finds('store', new RegExp(found));
    await server.stop();
    await finds('store', /ok/);
    fs.rmSync(former);
  });
});

it('finds data that are readable or owned by others, except the site', async () => {
  const { mode } = fs.statSync(data);
  fs.chmodSync(data, mode | 0o044);
  await finds('store', /fault: other users can read .*; chmod go= /);
  fs.chmodSync(data, mode);
  fs.cpSync(sample, path.join(data, 'site'), { recursive: true });
  await finds(
    'site',
    /ok: warning: data\/site\/content\.json: entry\.contact: example\.com is a placeh/,
  );
  if (lacksRoot) return;
  fs.chownSync(path.join(data, 'site'), 12345, 12345);
  await finds('store', /ok/);
  fs.chownSync(installation.store, 12345, 12345);
  await finds('store', /fault: .*guestlist\.db belongs to user 12345; mount .*, or chown it/);
  fs.chownSync(installation.store, 0, 0);
});

const DAMAGED = /fault: .* fails the check: .*; restore a snapshot from data\/backups$/;
const GONE = /fault: .* is missing; put it back, or restore a snapshot: .* restore <file>; or, /;
const run = (sql: string) => () => withDatabase(installation.store, (db) => db.exec(sql));
for (const [what, damage, found] of [
  [
    'lacks a table',
    run('drop table changes'),
    /fault: .*: the table changes is missing; restore a/,
  ],
  [
    'has a trigger',
    run('create trigger keep before delete on sessions begin select raise(ignore); end'),
    /fault: .*: the trigger keep is not part of Guestlist \(drop it with sqlite3\)$/,
  ],
  [
    'has an index',
    run('create unique index own on events (email)'),
    /fault: .*: the index own of the table events is not .* \(drop it with sqlite3\)$/,
  ],
  ['is newer', run('pragma user_version = 99'), /fault: .* was written by a newer Guestlist/],
  [
    'lost its ids',
    run('pragma user_version = 0; pragma application_id = 0'),
    /fault: .* is not a store of Guestlist; move it away/,
  ],
  ['has a damaged table', () => damagePage(installation.store, 'events'), DAMAGED],
  [
    'has a damaged index',
    () => damagePage(installation.store, 'sqlite_autoindex_invites_1'),
    DAMAGED,
  ],
  ['is overwritten', () => writeGarbage(installation.store, 0, 100), DAMAGED],
  ['is empty', () => fs.truncateSync(installation.store), GONE],
  ['is deleted', () => fs.rmSync(installation.store), GONE],
] as const)
  it(`finds that the store ${what}, and changes nothing`, async () => {
    const whole = fs.readFileSync(installation.store);
    const bytes = () => fs.existsSync(installation.store) && fs.readFileSync(installation.store);
    damage();
    const before = bytes();
    await finds('store', found);
    assert.deepEqual(bytes(), before);
    for (const side of ['-wal', '-shm']) fs.rmSync(installation.store + side, { force: true });
    fs.writeFileSync(installation.store, whole, { mode: 0o600 });
    await finds('store', /ok/);
  });

it('finds an index that lacks a row', async () => {
  const whole = fs.readFileSync(installation.store);
  const inSchema = (sql: string) =>
    withDatabase(installation.store, (db) => {
      db.unsafeMode(true);
      db.pragma('writable_schema = on');
      db.exec(sql);
    });
  withDatabase(installation.store, (db) => db.pragma('journal_mode = delete'));
  inSchema(`create table kept as select * from sqlite_master where name = 'invites_by_time';
    delete from sqlite_master where name = 'invites_by_time'`);
  run("insert into invites (email, invited_by, invited_at) values ('zoe@example.com', 'cli', 1)")();
  inSchema('insert into sqlite_master select * from kept; drop table kept');
  await finds('store', DAMAGED);
  for (const side of ['-wal', '-shm']) fs.rmSync(installation.store + side, { force: true });
  fs.writeFileSync(installation.store, whole, { mode: 0o600 });
});

it('finds that another program holds the lock of the store', async () => {
  const unlock = lockStore(installation.store);
  await finds('store', /fault: .*guestlist\.db is locked by another program; find it: fuser -v/);
  const { origin } = await serve(() => statusOnly(200), securityHeaders(true));
  const env = { ...NOWHERE, PUBLIC_ORIGIN: origin };
  await finds(
    'public',
    /fault: .* answers, but no login can be tried there; see the line store$/,
    env,
  );
  unlock();
  await finds('store', /ok/);
});

it('finds a store that the restarted service would migrate', async () => {
  const whole = fs.readFileSync(installation.store);
  fs.rmSync(installation.store);
  withDatabase(installation.store, (db) => {
    applyMigrations(db, 0, 4);
    db.pragma('user_version = 4');
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.exec(
      "insert into invites (email, invited_by, invited_at) values ('ada@example.com', 'cli', 1)",
    );
  });
  fs.chmodSync(installation.store, 0o600);
  const before = fs.readFileSync(installation.store);
  await finds('store', /fault: .* has schema 4, and .* systemctl restart guestlist$/);
  assert.deepEqual(fs.readFileSync(installation.store), before);
  fs.writeFileSync(installation.store, whole, { mode: 0o600 });
});

it('finds data and snapshots on a volume that is mounted read-only', async (t) => {
  const backups = path.join(data, 'backups');
  const volume = mountSmall(backups, 4);
  if (!volume) return t.skip('mounting a small volume takes root and the right to mount');
  try {
    const remount = (mode: string) => runToEnd(['mount', '-o', `remount,${mode}`, backups]);
    takeSnapshot(0, false);
    await finds('snapshot', /ok/);
    remount('ro');
    await finds(
      'snapshot',
      /fault: .* is 0 h old, and a restore would fail: .* mounted read-only; /,
    );
    remount('rw');
    // Fills the disk: a restore needs room for a copy.
    const { bsize, bavail } = fs.statfsSync(backups);
    fs.writeFileSync(path.join(backups, 'ballast'), Buffer.alloc(bsize * bavail));
    await finds(
      'snapshot',
      /fault: .* a restore would fail: .*; the disk is full: free space on it/,
    );
  } finally {
    volume.release();
  }
});

it('finds a snapshot and a folder of snapshots that this user cannot read', {
  skip: lacksRoot,
}, () => {
  const backups = path.join(data, 'backups');
  const script = path.join(installation.root, 'tools', 'doctor.js');
  const doctor = () => {
    const command = [...WITHOUT_FILE_RIGHTS, process.execPath, script];
    return runToEnd(command, { env: { ...process.env, ...NOWHERE } }).stdout;
  };
  const fault = (file: string) =>
    `FAULT  snapshot  ${file} cannot be opened (EACCES: permission denied, `;
  for (const file of [takeSnapshot(0), backups]) {
    const { mode } = fs.statSync(file);
    fs.chmodSync(file, 0);
    const found = doctor();
    fs.chmodSync(file, mode);
    assert.ok(found.includes(fault(file)), found);
    assert.match(
      found,
      /this user may not read .*\/backups.*; run this as its owner, or chown it to the service's user/,
    );
  }
});

it('finds that other users can read snapshots elsewhere', async () => {
  const elsewhere = path.join(temporaryFolder(), 'snapshots');
  fs.mkdirSync(elsewhere, { mode: 0o755 });
  fs.chmodSync(elsewhere, 0o755);
  const backups = path.join(data, 'backups');
  fs.rmSync(backups, { recursive: true });
  fs.symlinkSync(elsewhere, backups);
  await finds('store', /fault: other users can read .*\/snapshots; chmod go= .*\/snapshots$/);
  fs.chmodSync(elsewhere, 0o700);
  await finds('store', /ok/);
  fs.rmSync(backups);
  takeSnapshot(0);
});

it('finds each fault of a snapshot, and that there is no store', async () => {
  await finds('snapshot', /ok: .* is 0 h old and undamaged$/);
  takeSnapshot(40);
  await finds('snapshot', /fault: the newest, .* is 40 h old; see journalctl -u guestlist-b/);
  const future = path.basename(takeSnapshot(-40));
  const note = `dated in the future, so delete it if this clock is right: ${future}`;
  await finds('snapshot', new RegExp(`fault: there is no snapshot in .*; see .*; ${note}$`));
  takeSnapshot(40, false);
  await finds('snapshot', new RegExp(`fault: the newest, .* is 40 h old; see .*; ${note}$`));
  takeSnapshot(0, false);
  await finds('snapshot', new RegExp(`ok: .* is 0 h old and undamaged; ${note}$`));
  withDatabase(takeSnapshot(0), (db) => db.pragma('user_version = 99'));
  await finds('snapshot', /fault: .* a restore would fail: .* was written by a newer Guestlist/); // extra: restore
  withDatabase(takeSnapshot(0), (db) => db.exec('drop index logins'));
  await finds('snapshot', /fault: .*fails the check: the index logins is missing; /);
  withDatabase(takeSnapshot(0), (db) => db.exec('create unique index own on events (email)'));
  await finds('snapshot', /fault: .*fails the check: the index own .* \(drop it with sqlite3\)$/);
  damagePage(takeSnapshot(0), 'invites_by_time');
  await finds('snapshot', /fault: .*fails the check: /);
  fs.rmSync(data, { recursive: true });
  await finds('snapshot', /fault: there is no snapshot in .*\/data\/backups; /);
  await finds('store', /fault: there is no store at .* yet; the first invite creates it/);
  await finds(
    'site',
    /fault: there is no .*\/site, so guests may see the sample; see the line store$/,
  );
  await finds('site', /ok: no mistakes found in pages\/sample$/, { PORT: '2' });
});

it('names the units of a second site', async () => {
  takeSnapshot(40);
  process.env.GUESTLIST_COMMAND = '/opt/guestlist-en/guestlist';
  try {
    const units =
      'see journalctl -u guestlist-en-backup, then: systemctl start guestlist-en-backup';
    await finds('snapshot', new RegExp(`fault: the newest, .* is 40 h old; ${units}$`));
  } finally {
    delete process.env.GUESTLIST_COMMAND;
    fs.rmSync(data, { recursive: true });
  }
});

it('finds that nobody is invited, as in a store on another disk', async () => {
  installation.invite('ada@example.com');
  await finds('store', /ok/);
  withDatabase(installation.store, (db) => db.exec('delete from invites'));
  await finds(
    'store',
    /fault: nobody is invited, so nobody can log in: .* add you@example\.com; if guests were/,
  );
  await finds('store', /ok/, { PORT: '2' });
  fs.rmSync(data, { recursive: true });
});

it('finds that data/ is a link to what is missing', async () => {
  fs.symlinkSync('/mnt/missing/guestlist', data);
  const lost =
    /fault: .*\/data is a link to \/mnt\/missing\/guestlist, which is missing \(is its disk/;
  for (const check of ['site', 'store', 'snapshot']) await finds(check, lost);
  fs.rmSync(data);
});

it('finds a certificate whose authority Node does not know', async (t) => {
  const error = new TypeError('fetch failed', {
    cause: Object.assign(new Error('unable to get local issuer certificate'), {
      code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    }),
  });
  t.mock.method(globalThis, 'fetch', () => Promise.reject(error));
  await finds('public', /fault: .* issuer certificate; .* does not trust; .* NODE_EXTRA_CA_CERTS=/);
});

/** What a proxy answers, with the service's headers or without. */
const PROXIES: readonly (readonly [reply: Reply, headers: readonly string[], found: RegExp])[] = [
  [statusOnly(502), [], /502, without .*; see journalctl -u guestlist, and compare/],
  [redirect('/x'), [], /302 \/x, without the service's Content-Security-Policy; compare/],
  [statusOnly(200), securityHeaders(false), /200, without .* Strict-Transport-Security; compare/],
];
for (const [reply, headers, found] of PROXIES)
  it(`finds that the public address answers ${reply.status} without every header`, async () => {
    const { origin } = await serve(() => reply, headers);
    const fault = new RegExp(`fault: .* answers ${found.source}`);
    await finds('public', fault, { ...NOWHERE, PUBLIC_ORIGIN: origin });
  });
