/** The systemd units, checked by systemd. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { root } from '../../lib/config.ts';
import { temporaryFolder } from '../service.ts';

/** Of 100, where 100 means that a unit may do everything. */
const MOST_EXPOSURE = '15';

const deploy = path.join(root, 'deploy');
const units = fs.readdirSync(deploy).filter((name) => /\.(service|timer)$/.test(name));
const isMissing = spawnSync('systemd-analyze', ['--version']).error !== undefined;

/** Copies the units, with the path of this Node. @returns the files */
function copyUnits(): readonly string[] {
  const folder = temporaryFolder();
  return units.map((name) => {
    const unit = fs.readFileSync(path.join(deploy, name), 'utf8');
    const file = path.join(folder, name);
    fs.writeFileSync(file, unit.replace('/usr/bin/node', process.execPath));
    return file;
  });
}

function analyze(...args: readonly string[]): void {
  const { status, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  assert.equal(stderr, '');
  assert.equal(status, 0);
}

it('the systemd units are valid and confined', { skip: isMissing && 'no systemd' }, () => {
  const files = copyUnits();
  const services = files.filter((file) => file.endsWith('.service'));
  analyze('verify', ...files);
  analyze('security', '--offline=true', `--threshold=${MOST_EXPOSURE}`, ...services);
});
