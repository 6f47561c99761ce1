/** The systemd units, judged by systemd itself; what they do when run is seen by npm run test:install. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../lib/root.ts';

const UNITS = ['guestlist.service', 'guestlist-backup.service', 'guestlist-backup.timer'];

const analyze = (...args: readonly string[]) =>
  spawnSync('systemd-analyze', args, { encoding: 'utf8' });

const skip = analyze('--version').error !== undefined && 'systemd-analyze is not installed';

describe('the systemd units', { skip }, () => {
  it('are valid, and so are the drop-ins for the proxies', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-units-'));
    const copies = UNITS.map((name) => {
      const text = fs.readFileSync(path.join(root, 'deploy', name), 'utf8');
      const copy = path.join(folder, name);
      // Where this Node lies, systemd would not look.
      fs.writeFileSync(copy, text.replace('ExecStart=node ', `ExecStart=${process.execPath} `));
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
      const file = path.join(root, 'deploy', name);
      const { status, stdout } = analyze('security', '--offline=true', '--threshold=19', file);
      assert.equal(status, 0, stdout.split('\n').at(-2));
    });

  it('grant both services the same sandbox, but for the network and the priority', () => {
    const settings = (name: string) =>
      fs
        .readFileSync(path.join(root, 'deploy', name), 'utf8')
        .split('\n')
        .filter((line) => /^(Protect|Private|Restrict[NRS]|SystemCall|Capab|ReadWrite)/.test(line))
        .filter((line) => !['PrivateNetwork=yes', 'SystemCallFilter=setpriority'].includes(line))
        .sort();
    assert.deepEqual(settings('guestlist.service'), settings('guestlist-backup.service'));
  });
});
