/**
 * Runs the README's first command, a first visit and npm test in a clean clone of the last commit,
 * for pairs of Node and npm. Where better-sqlite3 has no prebuilt binary, each pair compiles it for
 * a minute, so this is not part of npm test.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../lib/config.ts';
import { killAll, type Place, start } from './commands.ts';
import { ALL, describePair, environment, type Pair, USUAL, versions } from './pairs.ts';
import { CLONE, STRICT, tour } from './tour.ts';

const USAGE = `usage: npm run test:clone -- [--all | --node <version> --npm <version>]
                             [--tests <versions>]

  Runs the README's first command and a first visit in clean clones, with the Node and npm of
  this machine, and with each other major version of Node from the npm registry.

  --all   with every Node from 20.11 to 26 and every npm from 10 to 12
  --node, --npm   of those, the pairs with this one: --node 24 --npm 12
  --tests   also runs npm test, with these of them: --tests 22,24,26

  --help  print this`;

type Row = { readonly pair: string; readonly result: string; readonly ok: boolean };

const { all, node, npm, tests, help } = parseArgs({
  options: {
    all: { type: 'boolean' },
    node: { type: 'string' },
    npm: { type: 'string' },
    tests: { type: 'string' },
    help: { type: 'boolean' },
  },
}).values;

const [firstCommand = '', testCommand = ''] =
  fs.readFileSync(path.join(root, 'README.md'), 'utf8').match(/^ {4}npm ci && .+$/gm) ?? [];
assert.match(firstCommand, /npm start$/);
assert.ok(
  fs.readFileSync(path.join(root, '.ci', 'run'), 'utf8').includes(`\n${testCommand.trim()} ||`),
  '.ci/run runs the test command of the README',
);

const some = ALL.filter((pair) => fits(pair.node, node) && fits(pair.npm, npm));
const pairs = all || node || npm ? some : USUAL;
const withTests = tests?.split(',') ?? [];
if (help) console.log(USAGE);
else if (
  pairs.length === 0 ||
  !withTests.every((wanted) => pairs.some((pair) => pair.node === wanted))
) {
  console.error(`there is no such pair\n${USAGE}`);
  process.exitCode = 2;
} else await tryPairs(pairs);

function fits(version: string | undefined, wanted: string | undefined): boolean {
  return wanted === undefined || version === wanted;
}

async function tryPairs(pairs: readonly Pair[]): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-clone-'));
  // For tests that run the service as another user.
  fs.chmodSync(folder, 0o711);
  const cleanUp = () => {
    killAll();
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      cleanUp();
      process.exit(1);
    });
  try {
    const rows: Row[] = [];
    for (const pair of pairs) {
      const row = await tryPair(pair, folder);
      rows.push(row);
      console.log(`${row.pair}: ${row.result}`);
    }
    console.log();
    for (const { pair, result } of rows) console.log(`${pair.padEnd(28)}  ${result}`);
    if (rows.some(({ ok }) => !ok)) process.exitCode = 1;
  } finally {
    cleanUp();
  }
}

function secondsSince(began: number): number {
  return Math.round((performance.now() - began) / 1000);
}

/** @returns the results in a line; throws if a test fails */
async function runTests(place: Place): Promise<string> {
  const began = performance.now();
  const { output, ended } = start(['npm', 'test'], place);
  const status = await ended;
  const file = path.join(place.cwd, 'test-results.tap');
  const results = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  const counts = ['pass', 'fail', 'cancelled', 'skipped'].map((name) => {
    const count = new RegExp(`^# ${name} (\\d+)$`, 'm').exec(results)?.[1] ?? 'unknown';
    return `${name} ${count}`;
  });
  const line = `${counts.join(', ')}, ${secondsSince(began)} s`;
  if (status === 0) return line;
  console.error(output());
  throw new Error(`npm test: ${line}`);
}

async function tryPair(pair: Pair, folder: string): Promise<Row> {
  let name = describePair(pair);
  const cwd = fs.mkdtempSync(path.join(folder, 'clone-'));
  try {
    const env = await environment(pair, folder);
    const { node, npm, supported } = await versions(env, cwd);
    name = `Node ${node}, npm ${npm}`;
    if (!supported) return { pair: name, result: 'this npm does not support this Node', ok: true };
    const began = performance.now();
    await tour(firstCommand.trim(), { cwd, env });
    const result = `works, ${secondsSince(began)} s`;
    if (!withTests.includes(pair.node ?? '')) return { pair: name, result, ok: true };
    const tested = await runTests({
      cwd: path.join(cwd, CLONE),
      env: { ...env, ...STRICT, TMPDIR: folder },
    });
    return { pair: name, result: `${result}; npm test: ${tested}`, ok: true };
  } catch (error) {
    console.error(error);
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
    return { pair: name, result: `fails: ${reason}`, ok: false };
  } finally {
    killAll();
    fs.rmSync(cwd, { recursive: true, force: true, maxRetries: 20 });
  }
}
