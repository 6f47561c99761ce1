/** `npm run release`, in a clone: the archive, what lies beside it, and that it can be made again. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { root } from '../../lib/config.ts';
import { temporaryFolder } from '../support/site.ts';

const skip =
  `${process.platform}-${process.arch}` !== 'linux-x64'
    ? 'takes linux-x64'
    : !fs.existsSync(path.join(root, '.git')) && 'takes a clone';

describe('npm run release', { skip }, () => {
  const folder = temporaryFolder();
  const clone = path.join(folder, 'a clone');
  const dist = path.join(clone, 'dist');
  const unpacked = path.join(folder, 'unpacked');
  const run = (command: string, cwd = clone) =>
    execFileSync('sh', ['-euc', command], { cwd, encoding: 'utf8' });
  const release = (umask: string) =>
    run(`umask ${umask}; '${process.execPath}' --import tsx scripts/release.ts`);
  const sums = () => fs.readFileSync(path.join(dist, 'SHA256SUMS'), 'utf8');

  before(() => {
    run(`git clone -q '${root}' '${clone}'`, folder);
    fs.symlinkSync(path.join(root, 'node_modules'), path.join(clone, 'node_modules'));
    release('022');
    fs.mkdirSync(unpacked);
    run(`tar -xzf *.tar.gz --strip-components=1 -C '${unpacked}'`, dist);
  });

  it('makes an archive of less than 50 MB, its sum and its bill of materials', () => {
    const { version } = JSON.parse(fs.readFileSync(path.join(clone, 'package.json'), 'utf8'));
    const name = `guestlist-${version}-linux-x64`;
    assert.deepEqual(fs.readdirSync(dist).sort(), [
      'SHA256SUMS',
      `${name}.cdx.json`,
      `${name}.tar.gz`,
    ]);
    assert.match(run('sha256sum --check SHA256SUMS', dist), /^(.*: OK\n){2}$/);
    assert.ok(fs.statSync(path.join(dist, `${name}.tar.gz`)).size < 50e6);
    assert.equal(run('./guestlist --version', unpacked), `${version}\n`);
  });

  it('has a Node of its own, no sources, and the licence of each component', () => {
    assert.match(run('bin/node --version', unpacked), /^v24\./);
    const names = fs.readdirSync(unpacked, { recursive: true, encoding: 'utf8' });
    assert.deepEqual(
      names.filter((name) => /\.(ts|cc?|h)$/.test(name)),
      [],
    );
    const [bill = ''] = fs.readdirSync(dist).filter((name) => name.endsWith('.cdx.json'));
    const { components } = JSON.parse(fs.readFileSync(path.join(dist, bill), 'utf8'));
    const licences = fs.readFileSync(path.join(unpacked, 'LICENSES.txt'), 'utf8');
    assert.ok(components.length >= 5);
    for (const { name, version } of components)
      assert.ok(licences.includes(`\n${name} ${version} (`), name);
  });

  it('makes the same bytes again, for another umask', () => {
    const first = sums();
    release('077');
    assert.equal(sums(), first);
  });
});
