/** The doctor: each finding is provoked. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { type Reply, redirect, statusOnly } from '../../lib/http/reply.ts';
import { securityHeaders } from '../../lib/http/security-headers.ts';
import { damagePage, scribble, withDatabase } from '../support/database.ts';
import { lacksRoot } from '../support/lacks.ts';
import { serve } from '../support/serve.ts';
import { siteForAll } from '../support/site.ts';

type Environment = Readonly<Record<string, string>>;

/** An environment in which no service answers. */
const NOWHERE = { NODE_ENV: 'production', PORT: '2', PUBLIC_ORIGIN: 'https://localhost:2' };

const site = siteForAll();
const data = path.join(site.root, 'data');
site.invite('ada@example.com');
site.setAdmin('ada@example.com');
takeSnapshot(site.store, new Date());
const { examineInstallation }: typeof import('../../lib/doctor/examine.ts') = await import(
  path.join(site.root, 'lib/doctor/examine.js')
);

function takeSnapshot(store: string, time: Date): string {
  const folder = path.join(path.dirname(store), 'backups');
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { mode: 0o700 });
  const name = `guestlist-${time.toISOString().replace(/[-:]|\.\d+/g, '')}.db`;
  withDatabase(store, (db) => db.prepare('vacuum into ?').run(path.join(folder, name)));
  fs.chmodSync(path.join(folder, name), 0o600);
  return path.join(folder, name);
}

async function find(check: string, env: Environment = NOWHERE) {
  const finding = (await examineInstallation(env)).find((each) => each.check === check);
  return `${finding?.status}: ${finding?.message}`;
}

/** Expects that a check finds a fault. */
const finds = async (check: string, fault: RegExp, env?: Environment) =>
  assert.match(await find(check, env), new RegExp(`^fault: ${fault.source}`, 's'));
const sound = async (check: string, message = /.*/) =>
  assert.match(await find(check), new RegExp(`^ok: ${message.source}`, 's'));

it('the tool names faults, exits with 1, and skips what belongs to production in a checkout', () => {
  const { PUBLIC_ORIGIN, NODE_ENV, PORT, ...inherited } = process.env;
  const run = (env: Environment) => {
    const script = path.join(site.root, 'tools', 'doctor.js');
    const options = { env: { ...inherited, ...env }, encoding: 'utf8' } as const;
    const { status, stdout } = spawnSync(process.execPath, [script], options);
    return [status, stdout.match(/^(ok {3}|skip {1}|FAULT) {2}\w+/gm)?.join()] as const;
  };
  const some = 'ok     site,ok     store';
  const all = `ok     settings,${some},ok     snapshot,FAULT  public`;
  assert.deepEqual(run(NOWHERE), [1, all]);
  const development = `skip   settings,${some},skip   snapshot,skip   public`;
  assert.deepEqual(run({ PORT: '2' }), [0, development]);
});

it('a wrong setting is a fault, of which the other checks say nothing more', async () => {
  await finds('settings', /PORT is "three"/, { ...NOWHERE, PORT: 'three' });
  assert.match(await find('public', { ...NOWHERE, PORT: 'three' }), /^skip: PORT is "three"/);
  assert.match(await find('public', { PORT: '2' }), /^skip: neither PUBLIC_ORIGIN nor NODE_ENV/);
});

for (const [change, message] of [
  [{ NODE_ENV: '' }, /.*; set NODE_ENV=production$/],
  [{ PUBLIC_ORIGIN: '' }, /PUBLIC_ORIGIN is http:\/\/localhost:2; set it to the https address/],
  [{ PUBLIC_ORIGIN: 'http://preview.example.com' }, /.*; set it to the https address/],
  [{ PUBLIC_ORIGIN: 'preview' }, /.* must be an http or https address/],
] as const)
  it(`it finds the setting ${JSON.stringify(change)}`, () =>
    finds('settings', message, { ...NOWHERE, ...change }));

// The mistakes themselves are those of `site check`.
it('it finds every mistake in the content', async () => {
  await sound('site', /no mistakes found in pages\/sample$/);
  const content = path.join(site.root, 'pages/sample/content.json');
  const text = fs.readFileSync(content, 'utf8');
  fs.writeFileSync(content, text.replace('"tagline"', '"tagine"'));
  await finds('site', /.*("tagine".*tagline: missing|tagline: missing.*"tagine")/);
  fs.writeFileSync(content, text);
});

it('it finds that guests see the sample, because the site is gone', async () => {
  site.invite('grace@example.com');
  await finds('site', /guests see the sample: there is no .*\/data\/site; copy it there, and/);
  assert.match(await find('site', { PORT: '2' }), /^ok/, 'in development that is wanted');
  site.write(({ invites }) => invites.remove('grace@example.com'));
});

it('it finds data that other users may read, except the site', async () => {
  const { mode } = fs.statSync(data);
  fs.chmodSync(data, mode | 0o044);
  await finds('store', /other users can read .*; chmod go= /);
  fs.chmodSync(data, mode);
  fs.cpSync(path.join(site.root, 'pages/sample'), path.join(data, 'site'), { recursive: true });
  await sound('store');
  await sound('site', /data\/site\/content\.json: entry\.contact: example\.com is a placeholder/);
});

it('it finds data that belongs to another user', { skip: lacksRoot }, async () => {
  fs.chownSync(site.store, 12345, 12345);
  await finds('store', /.*guestlist\.db belongs to user 12345; chown it/);
  fs.chownSync(site.store, 0, 0);
});

it('it finds a store that is damaged, no store, or gone, and changes nothing', async () => {
  const whole = fs.readFileSync(site.store);
  const DAMAGED = /.* fails the check: .*; restore a snapshot from data\/backups$/;
  const GONE = /.* is missing; put it back, or restore a snapshot: .*backup.* restore <file>; or, /;
  for (const [damage, fault] of [
    [() => damagePage(site.store, 'events'), DAMAGED],
    [() => damagePage(site.store, 'sqlite_autoindex_invites_1'), DAMAGED],
    [() => scribble(site.store, 0, 100), DAMAGED],
    [() => fs.truncateSync(site.store), GONE],
    [() => fs.rmSync(site.store), GONE],
  ] as const) {
    damage();
    const before = fs.existsSync(site.store) && fs.readFileSync(site.store);
    await finds('store', fault);
    assert.deepEqual(fs.existsSync(site.store) && fs.readFileSync(site.store), before);
    for (const side of ['-wal', '-shm']) fs.rmSync(site.store + side, { force: true });
    fs.writeFileSync(site.store, whole, { mode: 0o600 });
  }
  await sound('store');
});

it('it finds a snapshot that is old, from the future, damaged or missing, and a store that is missing', async () => {
  await sound('snapshot', /.* is 0 h old and undamaged$/);
  for (const age of [40, -40]) {
    takeSnapshot(site.store, new Date(Date.now() - age * 3_600_000));
    await finds('snapshot', new RegExp(`.* is ${age} h old; see journalctl -u guestlist-backup`));
  }
  damagePage(takeSnapshot(site.store, new Date()), 'events_by_type');
  await finds('snapshot', /.*fails the check: /);
  fs.rmSync(data, { recursive: true });
  await finds('snapshot', /there is no snapshot in .*\/data\/backups; /);
  await finds('store', /there is no store at .*guestlist\.db yet; the first invite creates it/);
});

it('it finds a domain that does not resolve, and a missing proxy', async () => {
  const missing = { ...NOWHERE, PUBLIC_ORIGIN: 'https://preview.invalid' };
  await finds('public', /.*getaddrinfo.*; check that the name leads to this machine/, missing);
  await finds('public', /.* cannot be reached: .*ECONNREFUSED.*the proxy runs/);
});

/** What a proxy answers, with the service's headers or without. */
const PROXIES: readonly (readonly [reply: Reply, headers: readonly string[], fault: RegExp])[] = [
  [statusOnly(502), [], /.*answers 502, without .*; see journalctl -u guestlist, and compare/],
  [redirect('/x'), [], /.*answers 302 \/x, without the service's Content-Security-Policy; compare/],
  [
    statusOnly(200),
    securityHeaders(false),
    /.*answers 200, without the service's Strict-Transport-Security; compare the proxy/,
  ],
];
for (const [reply, headers, fault] of PROXIES)
  it(`it finds that the public address answers ${reply.status} without every header`, async () => {
    const { origin } = await serve(() => reply, headers);
    await finds('public', fault, { ...NOWHERE, PUBLIC_ORIGIN: origin });
  });
