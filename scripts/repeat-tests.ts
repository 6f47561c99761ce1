/**
 * Repeats `npm test` in clones of the commit: as other users, in other places, with other settings.
 * Prints a line for each run, and keeps the output of failed runs.
 *
 *     npm run test:repeat -- 10 [--busy]
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { root } from '../lib/config.ts';

const USAGE = `usage: npm run test:repeat -- [<runs>] [--busy]

  <runs>   the number of runs, 7 by default; each run uses the next of 7 circumstances
  --busy   keeps every processor busy with other work`;

/** The ordinary user for runs that root starts: "nobody" on most systems. */
const NOBODY = 65534;

type Circumstances = {
  readonly name: string;
  /** The clone's folder, below the run's own. */
  readonly folder?: string;
  /** The mode of the folder around the clone. */
  readonly mode?: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly umask?: number;
  readonly ordinaryUser?: true;
};

const CIRCUMSTANCES: readonly Circumstances[] = [
  { name: 'as it is' },
  { name: 'in a folder of mode 0700', mode: 0o700 },
  { name: 'as an ordinary user', ordinaryUser: true },
  { name: 'in a path with a space and an umlaut', folder: 'Gäste liste' },
  { name: 'with TZ=Asia/Kathmandu', env: { TZ: 'Asia/Kathmandu' } },
  { name: 'with LANG=C, without HOME', env: { LANG: 'C', LC_ALL: 'C', HOME: undefined } },
  { name: 'with umask 077', umask: 0o077 },
];

const { values, positionals } = parseArgs({
  options: { busy: { type: 'boolean' }, help: { type: 'boolean' } },
  allowPositionals: true,
  strict: false,
});
const { busy, help, ...unknown } = values;
const runs = Number(positionals[0] ?? CIRCUMSTANCES.length);
const isWrong =
  positionals.length > 1 || !Number.isInteger(runs) || runs < 1 || Object.keys(unknown).length > 0;
if (help || isWrong) {
  console.log(USAGE);
  process.exit(help ? 0 : 2);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-repeat-'));
fs.chmodSync(folder, 0o755);
const failures = path.join(os.tmpdir(), `guestlist-failures-${process.pid}`);
let running: ReturnType<typeof spawn> | undefined;
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, async () => {
    interrupted = true;
    // Like Ctrl-C: npm and its shell wait for the tests, which remove their files.
    if (running?.pid) {
      process.kill(-running.pid, 'SIGINT');
      await once(running, 'exit');
    }
    fs.rmSync(folder, { recursive: true, force: true });
    process.exit(1);
  });
}

const others = busy
  ? Array.from({ length: os.availableParallelism() }, () => new Worker('for(;;);', { eval: true }))
  : [];
let failed = 0;
for (let run = 1; run <= runs && !interrupted; run += 1) {
  const circumstances = CIRCUMSTANCES[(run - 1) % CIRCUMSTANCES.length];
  if (circumstances && !(await passes(run, circumstances))) failed += 1;
}
await Promise.all(others.map((other) => other.terminate()));
fs.rmSync(folder, { recursive: true, force: true });
console.log(`${runs - failed} of ${runs} runs passed${failed ? `; see ${failures}` : ''}`);
process.exitCode = failed === 0 ? 0 : 1;

async function passes(run: number, circumstances: Circumstances): Promise<boolean> {
  const around = path.join(folder, `run-${run}`);
  const clone = path.join(around, circumstances.folder ?? 'guestlist');
  const output = path.join(around, 'output');
  fs.mkdirSync(around);
  // The clone and the run inherit the umask.
  const umask = process.umask(circumstances.umask ?? process.umask());
  copyProject(clone);
  if (circumstances.mode !== undefined) fs.chmodSync(around, circumstances.mode);
  const user = circumstances.ordinaryUser && process.getuid?.() === 0;
  if (user) spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, around]);

  const began = performance.now();
  const log = fs.openSync(output, 'w');
  running = spawn('npm', ['test'], {
    cwd: clone,
    env: environment(circumstances, user ? around : undefined),
    stdio: ['ignore', log, log],
    detached: true,
    ...(user ? { uid: NOBODY, gid: NOBODY } : {}),
  });
  process.umask(umask);
  const [status] = await once(running, 'exit');
  running = undefined;
  fs.closeSync(log);
  if (interrupted) return false;
  const seconds = Math.round((performance.now() - began) / 1000);
  const results = path.join(clone, 'test-results.tap');
  const tap = fs.existsSync(results) ? fs.readFileSync(results, 'utf8') : '';
  const count = (what: string) => new RegExp(`^# ${what} (\\d+)`, 'm').exec(tap)?.[1] ?? '?';
  console.log(
    `run ${run}, ${circumstances.name}: ${status === 0 ? 'passed' : 'FAILED'}, ${seconds} s, ` +
      `${count('pass')} passed, ${count('fail')} failed, ${count('skipped')} skipped`,
  );
  if (status !== 0) {
    fs.mkdirSync(failures, { recursive: true });
    fs.copyFileSync(output, path.join(failures, `run-${run}`));
    if (tap) fs.copyFileSync(results, path.join(failures, `run-${run}.tap`));
  }
  fs.rmSync(around, { recursive: true, force: true });
  return status === 0;
}

/** A clone of the commit, with the dependencies that are installed here. */
function copyProject(clone: string): void {
  for (const [command, ...args] of [
    ['git', 'clone', '-q', root, clone],
    ['cp', '-a', path.join(root, 'node_modules'), clone],
  ]) {
    const { status, stderr } = spawnSync(command ?? '', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command}: ${stderr}`);
  }
}

function environment({ env = {} }: Circumstances, home?: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
  const all = { ...Object.fromEntries(inherited), ...(home ? { HOME: home } : {}), ...env };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
