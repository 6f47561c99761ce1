/**
 * Runs test files with Node's runner, so that they always end: a test that hangs is ended and
 * named, and no process is left. It imports only `node:` modules, like run.mjs.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * How long a file may take, in ms: in the suites that a developer waits for, and in the others.
 */
const LIMIT = 120_000;
const LONG_LIMIT = 600_000;
const LONG = /\.(long|release)\.[jt]s$/;

/** How long the runner may take to report and end, in ms, after its signal. */
const REPORT_TIME = 5000;

/** How long each of these files may take, in ms. */
export const limitOf = (files) => (files.some((file) => LONG.test(file)) ? LONG_LIMIT : LIMIT);

/**
 * @param options of Node, before the files
 * @param limit of each file, in ms
 * @returns if all tests have passed
 */
export async function runTests(options, files, limit) {
  // The tests write into this folder which of them run and hang: test/support/limit.ts.
  const notes = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-tests-'));
  const args = ['--test', ...options, ...files];
  const runner = spawn(process.execPath, args, {
    env: { ...process.env, GUESTLIST_TEST_NOTES: notes },
    stdio: ['ignore', 'inherit', 'inherit'],
    // A process group for the runner and all processes that the tests start.
    detached: true,
  });
  const ended = once(runner, 'exit');
  // A test may run tests. The signal that ends it must also end these.
  const outer = process.env.GUESTLIST_TEST_NOTES;
  if (outer) fs.writeFileSync(path.join(outer, `group-${runner.pid}`), '');
  let isInterrupted = false;
  let isEnding = false;

  function end(signal) {
    // A second Ctrl-C does not wait.
    if (isEnding) return kill(-runner.pid);
    isEnding = true;
    runner.kill(signal);
    setTimeout(() => kill(-runner.pid), REPORT_TIME).unref();
  }
  const interrupt = (signal) => {
    isInterrupted = true;
    end(signal);
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);

  /** When each file began, in ms, by its process id. */
  const begins = new Map();
  let hasHung = false;
  const watch = setInterval(() => {
    for (const pid of notesOf(notes, 'test')) {
      const begin = begins.get(pid) ?? performance.now();
      begins.set(pid, begin);
      // --test-timeout differs between versions of Node, and does not end a file that blocks.
      if (performance.now() - begin > limit) kill(pid);
    }
    if (hasHung || hungTests(notes).length === 0) return;
    hasHung = true;
    // If one test waits in vain, many do, so the other waits get a quarter of the time.
    setTimeout(() => end('SIGINT'), limit / 4).unref();
  }, 500);
  const [status] = await ended;
  clearInterval(watch);
  for (const signal of SIGNALS) process.off(signal, interrupt);
  const hung = hungTests(notes);
  kill(-runner.pid);
  for (const group of notesOf(notes, 'group')) kill(-group);

  if (hung.length > 0 && !isInterrupted) console.error(['', 'Hung:', ...hung, ''].join('\n'));
  fs.rmSync(notes, { recursive: true, force: true });
  if (outer) fs.rmSync(path.join(outer, `group-${runner.pid}`), { force: true });
  return status === 0 && hung.length === 0;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Ends a process. A negative id ends a process group. */
function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended.
  }
}

/** The process ids in the names of notes. */
const notesOf = (notes, kind) =>
  fs
    .readdirSync(notes)
    .filter((name) => name.startsWith(`${kind}-`))
    .map((name) => Number(name.slice(kind.length + 1)));

/** A line for each wait that reached its limit, and for each test whose file was ended. */
function hungTests(notes) {
  const file = path.join(notes, 'hung');
  const waits = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n') : [];
  const killed = notesOf(notes, 'test').filter((pid) => !isRunning(pid));
  const read = (pid) => fs.readFileSync(path.join(notes, `test-${pid}`), 'utf8');
  return [...waits, ...killed.map((pid) => `${read(pid)}: was ended`)];
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
