/**
 * Builds, then runs the compiled files below `test/` that end in `.<suite>.ts`, or only those that
 * are named.
 *
 *     node scripts/test.mjs test
 *     node scripts/test.mjs browser test/browser/entry.browser.ts
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
// Works in the root from here on.
import './build.mjs';

const [suite = 'test', ...named] = process.argv.slice(2);
const files = named.length > 0 ? named : findFiles();

function findFiles() {
  const names = fs.readdirSync('test', { recursive: true });
  const found = names.filter((name) => name.endsWith(`.${suite}.ts`));
  return found.sort().map((name) => path.join('test', name));
}

const compiled = files.map((file) => file.replace(/\.ts$/, '.js'));
// One more than there are cores, because some tests wait for a time.
const concurrency = `--test-concurrency=${os.availableParallelism() + 1}`;
// In ms: a test that hangs fails. The longest one, behind Caddy, takes two minutes.
const timeout = '--test-timeout=300000';
const options = ['--test', concurrency, timeout, '--test-reporter=node-test-reporter'];
const { status } = spawnSync(process.execPath, [...options, ...compiled], { stdio: 'inherit' });
process.exit(status ?? 1);
