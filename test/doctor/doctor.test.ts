/** The doctor: each finding is provoked. Those about a proxy are in test/proxies. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { statusOnly } from '../../lib/http/reply.ts';
import { damagePage, scribble } from '../support/database.ts';
import { find, finds, healthy, NOWHERE, runDoctor, takeSnapshot } from '../support/doctor.ts';
import { install } from '../support/installation.ts';
import { lacksRoot } from '../support/lacks.ts';
import { serve } from '../support/serve.ts';

describe('the doctor', () => {
  const site = healthy();
  const data = path.join(site.root, 'data');
  after(() => site.remove());

  /** Edits a file of the installation while `look` runs. */
  const edited = async (name: string, from: RegExp, to: string, look: () => Promise<unknown>) => {
    const file = path.join(site.root, name);
    const text = fs.readFileSync(file, 'utf8');
    fs.writeFileSync(file, text.replace(from, to));
    await look();
    fs.writeFileSync(file, text);
  };
  const sound = async (check: string) => {
    const { status, message } = await find(site, check);
    assert.equal(status, 'ok', message);
    return message;
  };

  it('names faults, exits with 1, and asks no address without settings', async () => {
    const { status, stdout } = await runDoctor(site, NOWHERE);
    assert.equal(status, 1);
    const shown = stdout.match(/^(ok {3}|skip {1}|FAULT) {2}\w+/gm);
    const checks = ['ok     settings', 'ok     site', 'ok     store', 'ok     snapshot'];
    assert.deepEqual(shown, [...checks, 'FAULT  public']);
    assert.match(
      stdout,
      /^FAULT {2}public {4}https:\S+ cannot be reached: .*; check that the name/m,
    );
    const unset = await runDoctor(site, { ...NOWHERE, PORT: 'three' });
    assert.match(unset.stdout, /^FAULT {2}settings {2}PORT is "three"/);
    assert.match(unset.stdout, /^skip {3}public {4}PORT is "three"/m);
  });

  it('skips what belongs to production in a checkout', async () => {
    const { status, stdout } = await runDoctor(site, { PORT: '2' });
    assert.equal(status, 0);
    const skipped = stdout.match(/^skip {3}\w+ +neither PUBLIC_ORIGIN nor NODE_ENV=production/gm);
    assert.equal(skipped?.length, 3, stdout);
    assert.doesNotMatch(stdout, /FAULT/);
    assert.equal((await find(site, 'snapshot', { PORT: '2' })).status, 'skip');
    await finds(site, 'settings', /^PORT is "x"/, { PORT: 'x' });
  });

  for (const [change, message] of [
    [{ NODE_ENV: '' }, /; set NODE_ENV=production$/],
    [{ PUBLIC_ORIGIN: '' }, /^PUBLIC_ORIGIN is http:\/\/localhost:2; set it to the https address/],
    [{ PUBLIC_ORIGIN: 'http://preview.example.com' }, /; set it to the https address/],
    [{ PUBLIC_ORIGIN: 'preview' }, /must be an http or https address/],
  ] as const)
    it(`finds the setting ${JSON.stringify(change)}`, () =>
      finds(site, 'settings', message, { ...NOWHERE, ...change }));

  // The mistakes themselves are those of `site check`.
  it('finds every mistake in the content', async () => {
    assert.equal(await sound('site'), 'no mistakes found in pages/sample');
    await edited('pages/sample/content.json', /"tagline"/, '"tagine"', () =>
      finds(site, 'site', /"tagine"[\s\S]*tagline: missing|tagline: missing[\s\S]*"tagine"/),
    );
  });

  it('finds that guests see the sample, because the site is gone', async () => {
    site.invite('grace@guestlist.test');
    await finds(
      site,
      'site',
      /^guests see the sample: there is no .*\/data\/site; copy it there, and/,
    );
    // In development the sample is what is wanted.
    assert.equal((await find(site, 'site', { PORT: '2' })).status, 'ok');
    site.write(({ invites }) => invites.remove('grace@guestlist.test'));
    await sound('site');
  });

  it('finds data that other users may read, except the site', async () => {
    const { mode } = fs.statSync(data);
    fs.chmodSync(data, mode | 0o044);
    await finds(site, 'store', /^other users can read .*; chmod go= /);
    fs.chmodSync(data, mode);
    const content = path.join(data, 'site', 'content.json');
    fs.cpSync(path.join(site.root, 'pages', 'sample'), path.dirname(content), { recursive: true });
    fs.chmodSync(content, 0o644);
    await sound('store');
    assert.match(
      await sound('site'),
      /^data\/site\/content\.json: entry\.contact: example\.com is a placeholder/,
    );
  });

  it('finds data that belongs to another user', { skip: lacksRoot }, async () => {
    fs.chownSync(site.store, 12345, 12345);
    await finds(site, 'store', /guestlist\.db belongs to user 12345; chown it/);
    fs.chownSync(site.store, 0, 0);
  });

  it('finds a store that is damaged, no store, or gone, and changes nothing', async () => {
    const whole = fs.readFileSync(site.store);
    const DAMAGED = /damaged( \(|: ).*; restore a snapshot from data\/backups$/;
    const GONE = /is missing; restore a snapshot: .*backup.* restore <file>; or, /;
    const spoil: readonly (readonly [() => void, RegExp])[] = [
      [() => damagePage(site.store, 'events'), DAMAGED],
      [() => damagePage(site.store, 'sqlite_autoindex_invites_1'), DAMAGED],
      [() => scribble(site.store, 0, 100), DAMAGED],
      [() => fs.truncateSync(site.store), GONE],
      [() => fs.rmSync(site.store), GONE],
    ];
    for (const [damage, fault] of spoil) {
      damage();
      const before = fs.existsSync(site.store) && fs.readFileSync(site.store);
      await finds(site, 'store', fault);
      assert.deepEqual(fs.existsSync(site.store) && fs.readFileSync(site.store), before);
      for (const side of ['-wal', '-shm']) fs.rmSync(site.store + side, { force: true });
      fs.writeFileSync(site.store, whole, { mode: 0o600 });
    }
    await sound('store');
  });

  it('finds that there is no store yet, and no snapshot', async () => {
    const empty = install();
    await finds(
      empty,
      'store',
      /^there is no store at .*guestlist\.db yet; the first invite creates it/,
    );
    await finds(empty, 'snapshot', /^there is no snapshot in .*\/data\/backups; /);
    await empty.remove();
  });

  it('finds a snapshot that is old, from the future or damaged', async () => {
    assert.match(await sound('snapshot'), / is 0 h old and undamaged$/);
    takeSnapshot(site, new Date(Date.now() - 40 * 3_600_000));
    await finds(site, 'snapshot', /is 40 h old; see journalctl -u guestlist-backup/);
    takeSnapshot(site, new Date(Date.now() + 40 * 3_600_000));
    await finds(site, 'snapshot', /is -40 h old; see/);
    damagePage(takeSnapshot(site, new Date()), 'events_by_type');
    await finds(site, 'snapshot', /fails the check: /);
  });

  it('finds a domain that does not resolve, and a missing proxy', async () => {
    const PUBLIC_ORIGIN = 'https://preview.invalid';
    await finds(site, 'public', /getaddrinfo.*; check that the name leads to this machine/, {
      ...NOWHERE,
      PUBLIC_ORIGIN,
    });
    await finds(site, 'public', /ECONNREFUSED.*the proxy runs/);
  });

  it('finds that the service does not run behind the proxy', async () => {
    const { origin } = await serve(() => statusOnly(502));
    const fault = /answers 502, without .*; see journalctl -u guestlist, and compare the proxy/;
    await finds(site, 'public', fault, { ...NOWHERE, PUBLIC_ORIGIN: origin });
  });
});
