/** `guestlist setup` without systemd, on a copy of this machine's root that is gone after the test. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../lib/config.ts';
import { siteForAll, temporaryFolder } from '../support/site.ts';

/** Runs commands in a root of their own, over this machine's, without an installation. */
const IN_A_COPY = `set -e
mount -t tmpfs none "$1"
mkdir "$1/new" "$1/work" "$1/root"
mount -t overlay -o "lowerdir=/,upperdir=$1/new,workdir=$1/work" none "$1/root"
cd "$1/root"
mount --rbind /dev dev
mount -t tmpfs none run
mkdir -p "./$2"
mount --bind "$2" "./$2"
chroot . env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -c '
  cd /
  rm -rf opt/guestlist var/lib/guestlist usr/local/bin/guestlist etc/guestlist* etc/systemd/system/guestlist*
  userdel guestlist 2>/dev/null
  mkdir -p etc/systemd/system
  eval "$0"' "$3"`;

const folder = temporaryFolder();
const inACopy = (commands: string, from = '/usr') =>
  spawnSync('unshare', ['--mount', 'sh', '-c', IN_A_COPY, 'sh', folder, from, commands], {
    encoding: 'utf8',
  });
const { status, stderr, error } = inACopy('true');
const skip = status !== 0 && `needs to mount an overlay: ${error ?? stderr.trim()}`;

describe('setup', { skip }, () => {
  const site = siteForAll({ forEverybody: true });
  for (const part of ['guestlist', 'deploy'])
    fs.cpSync(path.join(root, part), path.join(site.root, part), { recursive: true });
  fs.mkdirSync(path.join(site.root, 'bin'));
  fs.copyFileSync(process.execPath, path.join(site.root, 'bin', 'node'));
  /** Runs commands, of which `setup` is one. */
  const run = (commands: string) =>
    inACopy(`setup() { '${site.root}/guestlist' setup "$@"; }; ${commands}`, site.root);
  const address = '--origin https://preview.example.com';

  it('makes what is not there, and changes nothing when it runs again', () => {
    const { stdout, stderr } = run(
      `setup ${address}; setup; setup ${address} --port 4000; cat /etc/guestlist.env`,
    );
    assert.equal(stderr, '');
    const [first = '', again = '', other = '', settings] = stdout.split(/^next: .*\n/m);
    assert.match(first, /^(made .*\n)+left {3}the service: systemd does not run here; .*\n$/);
    assert.match(again, /^(found .*\n)+left {3}the service: .*\n$/);
    assert.match(other, /^left {3}\/etc\/guestlist\.env, which differs from what setup would /m);
    assert.equal(
      settings,
      'PORT=3000\nPUBLIC_ORIGIN=https://preview.example.com\nNODE_ENV=production\n',
    );
  });

  it('leaves files that are there with other content', () => {
    const files = '/etc/systemd/system/guestlist.service /usr/local/bin/guestlist';
    const { stdout, stderr } = run(
      `for file in ${files}; do echo other > $file; done; setup ${address}; cat ${files}`,
    );
    assert.equal(stderr, '');
    for (const file of files.split(' '))
      assert.match(stdout, new RegExp(`^left   ${file}, which is not a link to `, 'm'));
    assert.match(stdout, /\nother\nother\n$/);
  });

  it('gives the code to root, whoever unpacked it, and lets all read it, with any umask', () => {
    spawnSync('chown', ['-R', '12345:12345', site.root]);
    const { stdout, stderr } = run(
      `umask 077; setup ${address} >/dev/null; cd /opt/guestlist; find . ! -user root; ` +
        'find . /etc/guestlist.env ! -name .upgrade.lock ! -perm -444; stat -c %U:%a /var/lib/guestlist',
    );
    assert.equal(stderr + stdout, 'guestlist:700\n');
  });

  it('takes a user or a group that exists', () => {
    for (const [made, line] of [
      ['useradd --gid nogroup guestlist', 'found'],
      ['groupadd guestlist', 'made '],
    ]) {
      const { stdout, stderr } = run(`${made}; setup ${address}; stat -c %U:%G /var/lib/guestlist`);
      assert.equal(stderr, '');
      assert.match(stdout, new RegExp(`^${line}  user guestlist\n[^]*\nguestlist:guestlist\n$`));
    }
  });

  it('refuses a `current` that leads to no version', () => {
    for (const made of ['ln -s 0.9.0', 'touch']) {
      const { stdout, stderr } = run(
        `mkdir /opt/guestlist; ${made} /opt/guestlist/current; setup ${address}; ls -A -I .upgrade.lock /opt/guestlist`,
      );
      assert.match(stderr, /^\/opt\/guestlist\/current leads to no version; remove it, then .*\n$/);
      assert.equal(stdout, 'current\n');
    }
  });

  it('takes a port with the address of the site only', () => {
    const { stdout, stderr } = run(`setup ${address} >/dev/null; setup --port 4000; echo $?`);
    assert.match(stderr, /^setup needs --origin <url>/);
    assert.equal(stdout, '2\n');
  });
});
