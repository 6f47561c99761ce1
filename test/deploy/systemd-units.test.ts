/** The systemd units, checked by systemd. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../lib/config.ts';
import { lacks } from '../support/lacks.ts';
import { temporaryFolder } from '../support/site.ts';

const deploy = path.join(root, 'deploy');
const UNITS = fs.readdirSync(deploy).filter((name) => /\.(service|socket|timer)$/.test(name));

const read = (name: string) => fs.readFileSync(path.join(deploy, name), 'utf8');
const analyze = (...args: readonly string[]) =>
  spawnSync('systemd-analyze', args, { encoding: 'utf8' });

describe('the systemd units', { skip: lacks('systemd-analyze') }, () => {
  it('are valid, and so are the drop-ins for the proxies', () => {
    const folder = temporaryFolder();
    const copies = UNITS.map((name) => path.join(folder, name));
    // systemd does not search the folder of this Node, and other programs may be missing.
    const own = `$1${process.execPath} `;
    for (const [i, copy] of copies.entries())
      fs.writeFileSync(copy, read(UNITS[i] ?? '').replace(/^(ExecStart(Pre)?=\+?)[\w/]+ /gm, own));
    for (const proxy of ['caddy.service', 'nginx.service']) {
      const unit = path.join(folder, proxy);
      fs.writeFileSync(unit, `[Service]\nExecStart=${process.execPath}\n`);
      fs.cpSync(path.join(root, 'deploy', `${proxy}.d`), `${unit}.d`, { recursive: true });
      copies.push(unit);
    }
    const { status, stderr } = analyze('verify', ...copies);
    assert.equal(`${status} ${stderr}`, '0 ');
  });

  for (const name of UNITS.filter((unit) => unit.endsWith('.service')))
    it(`${name} is exposed by less than 2.0`, () => {
      const file = path.join(deploy, name);
      const { status, stdout } = analyze('security', '--offline=true', '--threshold=19', file);
      assert.equal(status, 0, stdout.split('\n').at(-2));
    });

  it('end and fail if their program hangs', () => {
    for (const name of UNITS)
      if (read(name).includes('\nType=oneshot\n'))
        assert.match(read(name), /^TimeoutStartSec=\d+/m, name);
  });
});
