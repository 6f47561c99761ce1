/** The systemd units, checked by systemd. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { root } from '../../lib/config.ts';
import { lacks } from '../support/lacks.ts';
import { runToEnd } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary.ts';

const deploy = path.join(root, 'deploy');
const units = fs.readdirSync(deploy).filter((name) => /\.(service|socket|timer)$/.test(name));

const analyze = (...args: readonly string[]) => {
  const { status, stderr } = runToEnd(['systemd-analyze', ...args]);
  assert.equal(`${status} ${stderr}`, '0 ');
};

it('the systemd units are valid, and exposed by less than 2.0', {
  skip: lacks('systemd-analyze'),
}, () => {
  const folder = temporaryFolder();
  fs.cpSync(deploy, folder, { recursive: true });
  const fileOf = (name: string) => path.join(folder, name);
  for (const name of units) {
    // systemd does not search the folder of this Node, and other programs may be missing.
    const own = `$1${process.execPath} `;
    const text = fs.readFileSync(fileOf(name), 'utf8');
    fs.writeFileSync(fileOf(name), text.replace(/^(ExecStart(Pre)?=\+?)[\w/]+ /gm, own));
  }
  const proxies = ['caddy.service', 'nginx.service'];
  for (const name of proxies)
    fs.writeFileSync(fileOf(name), `[Service]\nExecStart=${process.execPath}\n`);
  analyze('verify', ...[...units, ...proxies].map(fileOf));
  const services = units.filter((name) => name.endsWith('.service'));
  analyze('security', '--offline=true', '--threshold=19', ...services.map(fileOf));
});
