/** The doctor: each finding is provoked. The findings about a proxy are in test/proxies. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { damagePage } from '../support/damage.ts';
import { queryOne, withDatabase } from '../support/database.ts';
import {
  fill,
  findings,
  finds,
  healthy,
  NOWHERE,
  runDoctor,
  takeSnapshot,
} from '../support/doctor.ts';
import { install } from '../support/installation.ts';
import { lacksRoot } from '../support/lacks.ts';
import { siteForEach } from '../support/site.ts';

describe('doctor, on an installation,', () => {
  const site = healthy();
  after(() => site.remove());

  it('prints its usage, and refuses unknown arguments', async () => {
    assert.match((await runDoctor(site, {}, '--help')).stdout, /^usage: doctor\n/);
    assert.equal((await runDoctor(site, {}, 'everything')).status, 2);
  });

  it('names the fault and the remedy, and exits with 1', async () => {
    const { status, stdout } = await runDoctor(site, NOWHERE);
    assert.equal(status, 1);
    assert.match(stdout, /^ok {5}node /m);
    assert.match(stdout, /^FAULT {2}service {4}nothing answers on .*\n {18}→ systemctl restart /m);
  });

  it('finds a Node that is too old', async () => {
    const file = path.join(site.root, 'package.json');
    const text = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, text.replace(/"node": ".*"/, '"node": ">=99.1"'));
    await finds(site, 'node', /but >=99\.1 is needed/);
    fs.writeFileSync(file, text);
    assert.equal((await findings(site, 'node'))[0]?.ok, true);
  });

  it('finds a build that is older than its source, or missing', async () => {
    assert.equal((await findings(site, 'build'))[0]?.ok, true);
    const file = path.join(site.root, 'lib', 'routes', 'join.ts');
    const { mtime } = fs.statSync(file);
    fs.utimesSync(file, new Date(), new Date(Date.now() + 3_600_000));
    await finds(site, 'build', /^lib\/routes\/join\.ts is newer than its build/);
    fs.utimesSync(file, mtime, mtime);
    fs.writeFileSync(path.join(site.root, 'tools', 'new.ts'), '');
    await finds(site, 'build', /^tools\/new\.ts is not built/);
    fs.rmSync(path.join(site.root, 'tools', 'new.ts'));
  });

  for (const [change, message] of [
    [{ NODE_ENV: '' }, /NODE_ENV is not production/],
    [{ PUBLIC_ORIGIN: 'http://preview.example.com' }, /no Secure cookie without https/],
    [{ PUBLIC_ORIGIN: 'preview' }, /must be an http or https address/],
    [{ PORT: '0' }, /PORT is 0/],
    [{ PORT: 'three' }, /must be a whole number/],
  ] as const)
    it(`finds the setting ${JSON.stringify(change)}`, () =>
      finds(site, 'settings', message, { ...NOWHERE, ...change }));

  it('finds every mistake in the content, and an image of many MB', async () => {
    const [well] = await findings(site, 'content');
    assert.deepEqual([well?.ok, well?.message], [true, 'pages/sample has no mistakes']);
    const file = path.join(site.root, 'pages', 'sample', 'content.json');
    const text = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, text.replace('"tagline"', '"tagine"').replace('2025-01-21', 'soon'));
    const found = await findings(site, 'content');
    assert.equal(found.length, 3);
    for (const { ok, message } of found) {
      assert.equal(ok, false);
      assert.match(message, /"tagine"|tagline: missing|timeline\[0\]\.date: not a date/);
    }
    fs.writeFileSync(file, text);
    const image = path.join(site.root, 'pages', 'sample', 'images', '01-window.svg');
    fs.appendFileSync(image, ' '.repeat(3e6));
    assert.match((await findings(site, 'content'))[0]?.message ?? '', /01-window\.svg has 3\.0 MB/);
  });

  it('finds data that other users may read', async () => {
    const folder = path.join(site.root, 'data');
    for (const file of [folder, path.join(folder, 'backups')]) {
      const { mode } = fs.statSync(file);
      fs.chmodSync(file, mode | 0o044);
      await finds(site, 'data', /^other users can read /);
      fs.chmodSync(file, mode);
    }
    // The site may be root's, and its files may have any mode: nobody else passes data/.
    const content = path.join(folder, 'site', 'content.json');
    fs.cpSync(path.join(site.root, 'pages', 'sample'), path.dirname(content), { recursive: true });
    fs.chmodSync(content, 0o644);
    assert.equal((await findings(site, 'data'))[0]?.ok, true);
    assert.match((await findings(site, 'content'))[0]?.message ?? '', /^data\/site/);
  });

  it('finds data that belongs to another user', { skip: lacksRoot }, async () => {
    fs.chownSync(site.store, 12345, 12345);
    await finds(site, 'data', /guestlist\.db belongs to user 12345, its folder to 0/);
    fs.chownSync(site.store, 0, 0);
  });

  it('finds a missing data folder, and a missing store', async () => {
    const empty = install();
    await finds(empty, 'data', /^there is no /);
    fs.mkdirSync(path.join(empty.root, 'data'), { mode: 0o700 });
    await finds(empty, 'store', /^there is no store at /);
    await finds(empty, 'snapshot', /^there is no snapshot /);
    await empty.remove();
  });

  it('finds a disk without room for the store', async () => {
    assert.equal((await findings(site, 'disk'))[0]?.ok, true);
    // A sparse file: larger than the free space, but without blocks.
    const large = path.join(site.root, 'data', 'guestlist.db-wal');
    fs.closeSync(fs.openSync(large, 'a', 0o600));
    const { bavail, bsize } = fs.statfsSync(site.root);
    fs.truncateSync(large, bavail * bsize + 1e9);
    await finds(site, 'disk', /^the disk is almost full: \d+ MB free/);
    assert.match((await findings(site, 'disk'))[0]?.remedy ?? '', /snapshots \(backup prune\)/);
    fs.rmSync(large);
  });
});

describe('doctor, on a store,', () => {
  const site = siteForEach();
  beforeEach(() => fill(site));

  it('finds a file that is not a store, and does not change it', async () => {
    fs.writeFileSync(site.store, 'no database at all'.repeat(100));
    await finds(site, 'store', /cannot be read: file is not a database/);
    assert.match(fs.readFileSync(site.store, 'utf8'), /^no database/);
  });

  it('finds a damaged store', async () => {
    assert.equal((await findings(site, 'integrity'))[0]?.ok, true);
    damagePage(site.store, 'events_by_person');
    await finds(site, 'integrity', /^the store does not check out: /);
  });

  it('finds an example address that is invited', async () => {
    assert.equal((await findings(site, 'invites'))[0]?.ok, true);
    // Similar to examples, but real.
    for (const email of ['ada@notexample.com', 'ada@example.com.test', 'example.com@ada.test'])
      site.invite(email);
    assert.equal((await findings(site, 'invites'))[0]?.ok, true);
    const domains = ['example.com', 'mail.example.org', 'example.net', 'halden.example'];
    // The doctor names three, so each round leaves out another one.
    for (const group of [domains.slice(0, 3), domains.slice(1)]) {
      for (const domain of group) site.invite(`grace@${domain}`);
      const named = group.map((domain) => `grace@${domain}`);
      const [found] = await findings(site, 'invites');
      const said = /are invited \((.*)\)$/.exec(found?.message ?? '')?.[1]?.split(', ');
      assert.deepEqual([said?.sort(), found?.ok], [named.sort(), false]);
      assert.ok(found?.remedy);
      for (const email of named)
        withDatabase(site.store, (db) =>
          db.prepare('delete from invites where email = ?').run(email),
        );
    }
  });

  for (const [version, remedy] of [
    [1, /restart the service/],
    [99, /install the version that wrote it/],
  ] as const)
    it(`finds schema ${version}, and does not migrate`, async () => {
      withDatabase(site.store, (db) => db.pragma(`user_version = ${version}`));
      await finds(site, 'schema', new RegExp(`schema ${version}, this code has schema \\d`));
      assert.match(String((await findings(site, 'schema'))[0]?.remedy), remedy);
      assert.equal(queryOne(site.store, 'pragma user_version'), version);
    });

  it('finds a missing, an old and a damaged snapshot', async () => {
    assert.equal((await findings(site, 'snapshot'))[0]?.ok, true);
    takeSnapshot(site, new Date(Date.now() - 40 * 3_600_000));
    await finds(site, 'snapshot', /is 40 h old/);
    damagePage(takeSnapshot(site, new Date()), 'events_by_type');
    await finds(site, 'snapshot', /does not check out: /);
    fs.writeFileSync(takeSnapshot(site, new Date()), 'no database at all'.repeat(100));
    await finds(site, 'snapshot', /does not check out: file is not a database/);
    fs.rmSync(path.join(site.root, 'data', 'backups'), { recursive: true });
    await finds(site, 'snapshot', /^there is no snapshot/);
  });
});
