/**
 * Runs the README's first command and a first visit in a clean clone of the last commit, for
 * pairs of Node and npm. `.ci/run` runs the README's second command. Where better-sqlite3 has no
 * prebuilt binary, each pair compiles it for a minute, so this is not part of npm test.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../lib/config.ts';
import { killAll } from './commands.ts';
import { ALL, describePair, environment, type Pair, USUAL, versions } from './pairs.ts';
import { tour } from './tour.ts';

const USAGE = `usage: npm run test:clone -- [--all | --node <version> --npm <version>]

  Runs the README's first command and a first visit in clean clones, with the Node and npm of
  this machine, and with the newest from the npm registry.

  --all   with every Node from 20.11 to 26 and every npm from 10 to 12
  --node, --npm   of those, the pairs with this one: --node 24 --npm 12

  --help  print this`;

type Row = { readonly pair: string; readonly result: string; readonly ok: boolean };

const { all, node, npm, help } = parseArgs({
  options: {
    all: { type: 'boolean' },
    node: { type: 'string' },
    npm: { type: 'string' },
    help: { type: 'boolean' },
  },
}).values;

const [start = '', test = ''] =
  fs.readFileSync(path.join(root, 'README.md'), 'utf8').match(/^ {4}npm ci && .+$/gm) ?? [];
assert.match(start, /npm start$/);
assert.ok(
  fs.readFileSync(path.join(root, '.ci', 'run'), 'utf8').includes(`\n${test.trim()} ||`),
  '.ci/run runs the test command of the README',
);

const some = ALL.filter((pair) => fits(pair.node, node) && fits(pair.npm, npm));
const pairs = all || node || npm ? some : USUAL;
if (help) console.log(USAGE);
else if (pairs.length === 0) {
  console.error(`there is no such pair\n${USAGE}`);
  process.exitCode = 2;
} else await tryPairs(pairs);

function fits(version: string | undefined, wanted: string | undefined): boolean {
  return wanted === undefined || version === wanted;
}

async function tryPairs(pairs: readonly Pair[]): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-clone-'));
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

async function tryPair(pair: Pair, folder: string): Promise<Row> {
  let name = describePair(pair);
  const cwd = fs.mkdtempSync(path.join(folder, 'clone-'));
  try {
    const env = await environment(pair, folder);
    const { node, npm, supported } = await versions(env, cwd);
    name = `Node ${node}, npm ${npm}`;
    if (!supported) return { pair: name, result: 'this npm does not support this Node', ok: true };
    const began = performance.now();
    await tour(start.trim(), { cwd, env });
    const seconds = Math.round((performance.now() - began) / 1000);
    return { pair: name, result: `works, ${seconds} s`, ok: true };
  } catch (error) {
    console.error(error);
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
    return { pair: name, result: `fails: ${reason}`, ok: false };
  } finally {
    killAll();
    fs.rmSync(cwd, { recursive: true, force: true, maxRetries: 20 });
  }
}
