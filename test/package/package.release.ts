/** The Debian package, on a clean Debian: docs/install.md as written, and what can go wrong. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { root } from '../../lib/config.ts';
import { lacks } from '../support/lacks.ts';
import { temporaryFolder } from '../support/site.ts';
import { FAULTS } from './faults.ts';
import { bringGit } from './git.ts';
import { ADMIN, browse, deb, lacking, openDebian, version } from './installation.ts';

/** Why tests that take a minute or more are skipped. */
const slow = process.env.SHORT !== undefined && 'takes a minute';

describe('npm run release', { skip: lacking }, () => {
  it('makes a package in which lintian finds nothing', { skip: lacks('lintian') }, () => {
    const args = ['--allow-root', '--fail-on=error,warning', deb];
    const { stdout, status } = spawnSync('lintian', args);
    assert.deepEqual([String(stdout), status], ['', 0]);
  });

  it('makes the same bytes again, for another umask', { skip: slow }, () => {
    const bytes = () => fs.readFileSync(deb);
    const first = bytes();
    execFileSync('sh', ['-c', 'umask 077; scripts/release amd64'], { cwd: root, stdio: 'ignore' });
    assert.ok(bytes().equals(first));
  });
});

describe('the package, on a clean Debian', { skip: lacking }, () => {
  const folder = temporaryFolder();
  let debian: Awaited<ReturnType<typeof openDebian>>;
  before(async () => {
    debian = await openDebian(folder);
  });
  after(() => debian.remove());

  it('is installed behind Caddy by docs/install.md, with no fault', async () => {
    const said = await debian.follow('docs/install.md', /^(Installing|[1-4]\.|Caddy)/);
    assert.match(said, /guestlist: set PUBLIC_ORIGIN in .*\nguestlist: invite the first: /);
    assert.match(said, /^ok {5}public {4}https:\S+ answers with the service's headers/m);
    assert.doesNotMatch(said, /FAULT/);
    const log = await debian.run('ls -ld /var/lib/guestlist; journalctl -u guestlist -o cat');
    assert.match(log, /^drwx------ .* guestlist guestlist .*(\n.*)*: guestlist invite add <email>/);
    await debian.run('systemctl is-active guestlist.socket guestlist-backup.timer');
  });

  it('shows the site to a browser', browse);

  it('changes its version under load, and no request fails', async () => {
    const { install } = debian;
    await debian.variant('9.0.0', '');
    const { counts, stored } = await debian.underLoad(`${install('9.0.0')}; ${install('this')}`);
    assert.deepEqual(counts.failed, []);
    assert.equal(stored, counts.joined);
  });

  it('says why a version does not start, and loses nothing until the former one is back', async () => {
    const { install } = debian;
    await debian.variant('9.0.1', 'echo "throw new Error(\'broken\');" >> server.js');
    const commands = `! ${install('9.0.1')}; ${install('9.0.0')}`;
    const { counts, stored, said } = await debian.underLoad(commands);
    assert.match(said, /guestlist does not start:\n(.*\n)*Error: broken\n/);
    // Requests wait for the socket. The proxy gives up after 20 s.
    assert.match(counts.failed.join(), /^(504,?)*$/);
    assert.ok(stored >= counts.joined);
  });

  it('goes back over a migration by the snapshot that the former version names', async () => {
    await debian.variant('9.1.0', "echo 'create table more (a text) strict;' > $migration");
    await debian.run(debian.install('9.1.0'));
    const said = await debian.fails(debian.install('9.0.0'));
    const restore = /newer Guestlist .* (backup restore \S+-schema-\d+\.db --yes)/.exec(said)?.[1];
    assert.ok(restore, said);
    await debian.run(`systemctl stop guestlist.socket
      guestlist ${restore}; apt-get install -f -y`);
    const { counts } = await debian.underLoad('guestlist --version');
    assert.deepEqual(counts.failed, []);
  });

  it('leaves the store as it was if its migration fails', async () => {
    const before = await debian.clicks();
    await debian.variant('9.2.0', "echo 'insert into nowhere values (1);' > $migration");
    assert.match(await debian.fails(debian.install('9.2.0')), /no such table: nowhere/);
    await debian.run(debian.install('9.0.0'));
    assert.equal(await debian.clicks(), before);
  });

  for (const [what, { spoil, says, mend }] of Object.entries(FAULTS))
    it(`names ${what}, and the same command puts it right`, async () => {
      await debian.run(spoil);
      assert.match(await debian.fails('dpkg-reconfigure guestlist'), says);
      await debian.run(`${mend}; dpkg --configure -a; dpkg-reconfigure guestlist`);
      await debian.run('systemctl is-active guestlist.service');
    });

  it('goes on after data of another user, a full disk and an interrupted dpkg', async () => {
    const before = await debian.clicks();
    await debian.run(`systemctl stop guestlist.socket; chown -R daemon: /var/lib/guestlist
      ${debian.install('this')}
      mount -t tmpfs -o size=20m none /usr/lib/guestlist`);
    assert.match(await debian.fails(debian.install('9.0.0')), /No space left on device/);
    await debian.run(`systemctl is-active guestlist.service
      umount /usr/lib/guestlist; ${debian.install('9.0.0')}
      timeout -s KILL 1 dpkg --install /root/this.deb || true
      while grep -sqx dpkg /proc/[0-9]*/comm; do sleep 0.1; done
      dpkg --install /root/this.deb`);
    assert.equal(await debian.clicks(), before);
    assert.equal(await debian.run('guestlist --version'), `${version}\n`);
  });

  it('moves its socket to another PORT', async () => {
    const move = (port: number) =>
      debian.run(
        `sed -i 's/^PORT=.*/PORT=${port}/' /etc/guestlist.env; dpkg-reconfigure guestlist`,
      );
    await move(3001);
    const answers = (port: number) =>
      debian.run(`exec 3<>/dev/tcp/127.0.0.1/${port}
        printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3; head -n 1 <&3`);
    assert.match(await answers(3001), /^HTTP\/1\.1 200 OK/);
    await move(3000);
    assert.match(await answers(3000), /^HTTP\/1\.1 200 OK/);
  });

  it('leaves a service alone that the administrator has disabled', async () => {
    await debian.run(`systemctl disable --now guestlist.socket guestlist.service
      ${debian.install('9.0.0')}; ${debian.install('this')}
      ! systemctl is-active guestlist.socket guestlist.service
      systemctl enable --now guestlist.socket guestlist.service`);
  });

  it('keeps data and settings when removed, the data when purged, and opens them again', async () => {
    const before = await debian.clicks();
    await debian.run(`apt-get remove -y guestlist
      test -e /etc/guestlist.env
      ! systemctl is-active guestlist.socket`);
    const said = await debian.run('apt-get purge -y guestlist');
    assert.match(said, /the data stays in \/var\/lib\/guestlist\n/);
    assert.equal(await debian.run("find /etc /usr -name 'guestlist*' ! -path '*.d/*'"), '');
    await debian.run(debian.install('this'));
    assert.equal(await debian.clicks(), before);
  });

  it('is served by nginx as well', async () => {
    await debian.run('systemctl disable --now caddy');
    await debian.follow('docs/install.md', /^(Installing|1\.|2\.|nginx|4\.)/);
  });

  it('is not needed to follow docs/install-from-git.md', { skip: slow }, async () => {
    await debian.run('apt-get purge -y guestlist; rm -r /var/lib/guestlist; userdel guestlist');
    await bringGit(debian);
    await debian.follow('docs/install-from-git.md', /^(Node|The service)/);
    await debian.run(`guestlist invite add ${ADMIN}`);
    const { counts, stored } = await debian.underLoad('systemctl restart guestlist; sleep 1');
    assert.deepEqual([counts.failed, stored], [[], counts.joined]);
  });
});
