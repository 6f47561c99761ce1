/** Archives and versions that `guestlist upgrade` refuses, with nothing changed. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, it } from 'node:test';
import { temporaryFolder } from '../support/site.ts';
import { installVersions, PLATFORM, sumLine, type Versions } from '../support/versions.ts';

const folder = temporaryFolder();
let versions: Versions;
before(async () => {
  versions = await installVersions(folder);
  versions.site.invite('ada@example.com');
  await versions.restart();
  assert.equal((await versions.tool(['upgrade', versions.pack('1.1.0')])).status, 0);
});
after(() => versions.remove());

/** Checks that a run is refused with one line, and that nothing has changed. */
async function refuses(line: RegExp, ...args: readonly string[]): Promise<void> {
  const serving = versions.running();
  const { status, stderr } = await versions.tool(args);
  assert.match(stderr, line);
  assert.equal(`${status} ${stderr.trim().split('\n').length}`, '1 1', stderr);
  assert.deepEqual(leftovers(), []);
  assert.equal(versions.running(), serving);
  assert.equal(fs.readlinkSync(path.join(versions.base, 'current')), serving);
}

const leftovers = () =>
  [...fs.readdirSync(versions.base), ...fs.readdirSync(versions.data)].filter((name) =>
    /partial|next|trial/.test(name),
  );

it('refuses what is not a whole archive for this platform, and changes nothing', async () => {
  const archive = versions.pack('1.2.0');
  const bytes = fs.readFileSync(archive);
  const named = (name: string) => {
    fs.writeFileSync(path.join(folder, name), bytes);
    return path.join(folder, name);
  };
  const missing = path.join(folder, `guestlist-9.9.9-${PLATFORM}.tar.gz`);
  await refuses(/^ENOENT: no such file/, 'upgrade', missing);
  await refuses(/^x is not an archive; those are named/, 'upgrade', named('x'));
  await refuses(
    / is for plan9-x64; get guestlist-1\.2\.0-/,
    'upgrade',
    named('guestlist-1.2.0-plan9-x64.tar.gz'),
  );
  const unlisted = named(`guestlist-1.3.0-${PLATFORM}.tar.gz`);
  await refuses(
    /SHA256SUMS does not name guestlist-1\.3\.0.*; get both again$/m,
    'upgrade',
    unlisted,
  );
  const [sum = ''] = sumLine(unlisted).split(' ');
  await refuses(/ holds 1\.2\.0, not 1\.3\.0; /, 'upgrade', unlisted, '--sha256', sum);
  fs.truncateSync(archive, bytes.length - 100);
  await refuses(/ is not whole: its SHA-256 is .*; get it again$/m, 'upgrade', archive);
  const [cut = ''] = sumLine(archive).split(' ');
  await refuses(
    /^the archive cannot be unpacked \(.*\); make room /,
    'upgrade',
    archive,
    '--sha256',
    cut,
  );
  fs.writeFileSync(archive, bytes.fill(0, 1000, 1010));
  await refuses(/ is not whole: /, 'upgrade', archive);
});

it('refuses an archive of something else, or of a part', async () => {
  for (const part of ['bin/node', 'server.js', 'sql', 'tools/rollback.js']) {
    const cut = versions.pack('1.4.0', (made) =>
      fs.rmSync(path.join(made, part), { recursive: true }),
    );
    await refuses(new RegExp(`^the archive has no ${part}; get it again$`, 'm'), 'upgrade', cut);
  }
  const fifo = versions.pack('1.4.0', (made) => spawnSync('mkfifo', [path.join(made, 'sql/x')]));
  await refuses(/^x in the archive is not a file; get it again$/m, 'upgrade', fifo);
  const torn = versions.pack('1.4.0', (made) =>
    fs.rmSync(path.join(made, 'lib'), { recursive: true }),
  );
  await refuses(/^1\.4\.0 does not start .*: Error.* Cannot find module .*;/, 'upgrade', torn);
  const archive = versions.pack('1.4.0', (made) =>
    fs.writeFileSync(path.join(made, 'package.json'), '{'),
  );
  await refuses(
    /^the archive has no package\.json with a version; get it again$/m,
    'upgrade',
    archive,
  );
});

it('says that an archive of the current version is not unpacked again', async () => {
  const archive = versions.pack('1.1.0', (made) => fs.writeFileSync(path.join(made, 'other'), ''));
  const { stdout } = await versions.tool(['upgrade', archive]);
  assert.match(stdout, /\n1\.1\.0 was installed before, so it was not unpacked again; it serves, /);
  assert.ok(!fs.existsSync(path.join(versions.base, 'current', 'other')));
});

it('unpacks no file that others may write, or with which they become root', async () => {
  const archive = versions.pack('1.1.1', (made) => {
    fs.writeFileSync(path.join(made, 'x'), '');
    fs.chmodSync(path.join(made, 'x'), 0o6777);
  });
  assert.equal((await versions.tool(['upgrade', archive])).stderr, '');
  assert.equal(fs.statSync(path.join(versions.base, '1.1.1/x')).mode & 0o7777, 0o755);
  assert.equal((await versions.tool(['rollback'])).stderr, '');
  fs.rmSync(path.join(versions.base, '1.1.1'), { recursive: true });
});

it('does not go back to the former version of an upgrade that was completed', async () => {
  const { status, stderr } = await versions.tool(['rollback', '1.0.0', '--if-unconfirmed']);
  assert.deepEqual([status, stderr, versions.running()], [0, '', '1.1.0']);
});

it('refuses a `current` that leads to no version', () => {
  const link = path.join(versions.base, 'current');
  const target = fs.readlinkSync(link);
  for (const make of [() => fs.writeFileSync(link, ''), () => fs.symlinkSync('0.9.0', link)]) {
    fs.rmSync(link);
    make();
    const tool = path.join(versions.base, '1.0.0/tools/rollback.js');
    const { status, stderr } = spawnSync(process.execPath, [tool], { encoding: 'utf8' });
    assert.match(
      stderr,
      /^\S+\/current leads to no version; remove it, then: ln -s 1\.0\.0 \S+\n$/,
    );
    assert.equal(status, 1);
  }
  fs.rmSync(link);
  fs.symlinkSync(target, link);
});

it('refuses a second upgrade beside the first', async () => {
  const lock = path.join(versions.base, '.upgrade.lock');
  const holder = spawn('flock', [lock, 'sh', '-c', 'echo; cat'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  await once(holder.stdout, 'data');
  await refuses(/^another upgrade or rollback is under way; wait/, 'rollback');
  holder.stdin.end();
  await once(holder, 'exit');
});

it('refuses a version that does not start with a copy of the store, or with the site', async () => {
  const older = versions.pack('1.0.1', (made) => fs.rmSync(path.join(made, 'sql/005-totals.sql')));
  await refuses(
    /^1\.0\.1 does not start with a copy of the store: .* newer Guestlist.*; 1\.1\.0 goes on serving$/m,
    'upgrade',
    older,
  );
  const site = path.join(versions.data, 'site');
  fs.mkdirSync(site);
  fs.writeFileSync(path.join(site, 'content.json'), '{');
  const broken =
    /^1\.2\.0 does not start .* data\/site\/content\.json.*; 1\.1\.0 goes on serving$/m;
  await refuses(broken, 'upgrade', versions.pack('1.2.0'));
  await refuses(/content\.json/, 'rollback');
  fs.rmSync(site, { recursive: true });
});
