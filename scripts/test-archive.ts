/**
 * Runs the tests of npm test in the unpacked archive of dist/: with its Node, its dependencies and its
 * build. What the tests need beside them comes from this checkout.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../lib/config.ts';

/** Of this checkout, not copied. */
const LEFT_OUT = ['.git', 'data', 'dist', 'node_modules'];

const [archive] = fs
  .readdirSync(path.join(root, 'dist'))
  .filter((name) => name.endsWith(`-${process.platform}-${process.arch}.tar.gz`));
if (archive === undefined) throw new Error('there is no archive in dist/: npm run release');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-archive-'));
try {
  fs.chmodSync(folder, 0o755);
  const file = path.join(root, 'dist', archive);
  execFileSync('tar', ['-xzf', file, '--strip-components=1', '-C', folder]);
  const filter = (source: string) => !LEFT_OUT.includes(path.relative(root, source));
  fs.cpSync(root, folder, { recursive: true, force: false, filter });
  for (const name of fs.readdirSync(path.join(root, 'node_modules'))) {
    const link = path.join(folder, 'node_modules', name);
    if (!fs.existsSync(link)) fs.symlinkSync(path.join(root, 'node_modules', name), link);
  }
  const command = ['scripts/run-tests.js', 'short', ...process.argv.slice(2)];
  const { status } = spawnSync(path.join(folder, 'bin', 'node'), command, {
    cwd: folder,
    stdio: 'inherit',
  });
  const results = path.join(folder, 'test-results.tap');
  if (fs.existsSync(results)) fs.copyFileSync(results, path.join(root, 'test-results-archive.tap'));
  process.exitCode = status ?? 1;
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
