/** The systemd units, checked by systemd, and the command `guestlist`. test/install runs both. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../lib/config.ts';
import { lacks } from '../support/lacks.ts';

const deploy = path.join(root, 'deploy');
const UNITS = fs.readdirSync(deploy).filter((name) => /\.(service|timer)$/.test(name));

const analyze = (...args: readonly string[]) =>
  spawnSync('systemd-analyze', args, { encoding: 'utf8' });

describe('the systemd units', { skip: lacks('systemd-analyze') }, () => {
  it('are valid, and so are the drop-ins for the proxies', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-units-'));
    const copies = UNITS.map((name) => {
      const text = fs.readFileSync(path.join(deploy, name), 'utf8');
      const copy = path.join(folder, name);
      // systemd does not search the folder of this Node, and other programs may be missing.
      fs.writeFileSync(
        copy,
        text.replace(/^(ExecStart(?:Pre)?=\+?)\w+ /gm, `$1${process.execPath} `),
      );
      return copy;
    });
    for (const proxy of ['caddy.service', 'nginx.service']) {
      const unit = path.join(folder, proxy);
      fs.writeFileSync(unit, `[Service]\nExecStart=${process.execPath}\n`);
      fs.cpSync(path.join(root, 'deploy', `${proxy}.d`), `${unit}.d`, { recursive: true });
      copies.push(unit);
    }
    const { status, stderr } = analyze('verify', ...copies);
    fs.rmSync(folder, { recursive: true });
    assert.equal(`${status} ${stderr}`, '0 ');
  });

  for (const name of UNITS.filter((unit) => unit.endsWith('.service')))
    it(`${name} is exposed by less than 2.0`, () => {
      const file = path.join(deploy, name);
      const { status, stdout } = analyze('security', '--offline=true', '--threshold=19', file);
      assert.equal(status, 0, stdout.split('\n').at(-2));
    });

  it('report each of their failures', () => {
    for (const name of UNITS.filter((unit) => /^guestlist[^@]*\.service$/.test(unit))) {
      const text = fs.readFileSync(path.join(deploy, name), 'utf8');
      assert.match(text, /^OnFailure=guestlist-fault@%n\.service$/m, name);
    }
  });

  it('end and fail if their program hangs', () => {
    for (const name of UNITS) {
      const text = fs.readFileSync(path.join(deploy, name), 'utf8');
      if (text.includes('\nType=oneshot\n')) assert.match(text, /^TimeoutStartSec=\d+/m, name);
    }
  });

  it('share one sandbox, except for network and priority', () => {
    const settings = (name: string) =>
      fs
        .readFileSync(path.join(deploy, name), 'utf8')
        .split('\n')
        .filter((line) => /^(Protect|Private|Restrict[NRS]|SystemCall|Capab|ReadWrite)/.test(line))
        .filter((line) => !['PrivateNetwork=yes', 'SystemCallFilter=setpriority'].includes(line))
        .sort();
    for (const other of ['guestlist-backup.service', 'guestlist-doctor.service'])
      assert.deepEqual(settings('guestlist.service'), settings(other));
  });
});

const noRunuser = !fs.existsSync('/usr/sbin/runuser') && 'there is no /usr/sbin/runuser';

describe('the command guestlist', { skip: noRunuser }, () => {
  it("runs a tool with cron's PATH", () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-command-'));
    fs.mkdirSync(path.join(folder, 'tools'));
    fs.writeFileSync(path.join(folder, 'tools', 'echo.js'), 'console.log(process.argv[2])');
    fs.writeFileSync(path.join(folder, 'env'), '');
    const command = path.join(folder, 'guestlist');
    const text = fs
      .readFileSync(path.join(deploy, 'guestlist'), 'utf8')
      .replace('tools=/srv/guestlist/tools', `tools='${folder}/tools'`)
      .replace('--env-file=/etc/guestlist.env', `'--env-file=${folder}/env'`)
      .replace('-u guestlist', `-u ${os.userInfo().username}`)
      .replace(' node ', ` '${process.execPath}' `);
    fs.writeFileSync(command, text);
    const env = { PATH: '/usr/bin:/bin' };
    const { stdout, stderr } = spawnSync('/bin/sh', [command, 'echo', 'hello'], {
      env,
      encoding: 'utf8',
    });
    fs.rmSync(folder, { recursive: true });
    // Only root may change the user; runuser reports it.
    const expected = process.getuid?.() === 0 ? /^hello\n$/ : /non-root/;
    assert.match(stdout + stderr, expected);
  });
});
