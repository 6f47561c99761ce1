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
const units = fs.readdirSync(deploy).filter((name) => /\.(service|socket|timer)$/.test(name));

const analyze = (...args: readonly string[]) =>
  spawnSync('systemd-analyze', args, { encoding: 'utf8' });

describe('the systemd units', { skip: lacks('systemd-analyze') }, () => {
  it('are valid, and so are the drop-ins for the proxies', () => {
    const folder = temporaryFolder();
    fs.cpSync(deploy, folder, { recursive: true });
    for (const name of units) {
      const file = path.join(folder, name);
      // systemd does not search the folder of this Node, and other programs may be missing.
      const own = `$1${process.execPath} `;
      const text = fs.readFileSync(file, 'utf8').replace(/^(ExecStart(Pre)?=\+?)[\w/]+ /gm, own);
      fs.writeFileSync(file, text);
    }
    const proxies = ['caddy.service', 'nginx.service'];
    for (const name of proxies)
      fs.writeFileSync(path.join(folder, name), `[Service]\nExecStart=${process.execPath}\n`);
    const files = [...units, ...proxies].map((name) => path.join(folder, name));
    const { status, stderr } = analyze('verify', ...files);
    assert.equal(`${status} ${stderr}`, '0 ');
  });

  it('are exposed by less than 2.0', () => {
    const services = units.filter((name) => name.endsWith('.service'));
    const files = services.map((name) => path.join(deploy, name));
    const { status, stdout } = analyze('security', '--offline=true', '--threshold=19', ...files);
    assert.equal(status, 0, stdout);
  });
});
