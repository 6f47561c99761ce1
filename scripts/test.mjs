/**
 * Runs a suite: every file below `test/` that ends in `.<suite>.ts`, or only those that are named.
 *
 *     node scripts/test.mjs test
 *     node scripts/test.mjs browser test/browser/entry.browser.ts
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const [suite = 'test', ...named] = process.argv.slice(2);

function findFiles() {
  const names = fs.readdirSync('test', { recursive: true });
  return names
    .filter((name) => name.endsWith(`.${suite}.ts`) && !name.includes('node_modules'))
    .map((name) => path.join('test', name));
}

const files = named.length > 0 ? named : findFiles().sort();
if (files.length === 0) {
  console.error(`no file of test/ ends in .${suite}.ts`);
  process.exit(1);
}
// By itself, node leaves one core alone.
const concurrency = `--test-concurrency=${os.availableParallelism()}`;
const reporter = '--test-reporter=node-test-reporter';
const options = ['--import', 'tsx', '--test', concurrency, reporter];
const { status } = spawnSync(process.execPath, [...options, ...files], { stdio: 'inherit' });
process.exit(status ?? 1);
