/** The time of a start, with and without npm, and the memory of a server without requests. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { INSTALLED, root } from '../../lib/config.ts';
import { install } from '../support/installation.ts';
import { filledStore, type Size } from './filled-store.ts';
import { interrupted } from './interrupted.ts';
import { residentMemory } from './machine.ts';
import type { Options } from './options.ts';
import { heading, number, type Report, table } from './report.ts';
import { median } from './rounds.ts';

/** The existing store. */
export const EXISTING: Size = { events: 200_000, people: 10_000, clicks: 20_000 };

/** What `npm start` needs beside the built service. */
const SOURCES = [
  'server.ts',
  'scripts',
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
];

/** The time after a start until the server is idle, in ms. */
const SETTLING = 2000;

/** Rounds beyond those of the options, because a start takes a fraction of a second. */
const MORE = 2;

/** @param folder for a copy of this checkout */
export async function start({ rounds }: Options, folder: string): Promise<Report> {
  const store = path.join(filledStore(EXISTING), 'guestlist.db');
  const checkout = copyCheckout(folder, store);
  const [empty, existing] = [install(), install()];
  fs.mkdirSync(path.dirname(existing.store));
  fs.copyFileSync(store, existing.store);
  const serverAt = (installation: typeof empty) => () =>
    timeToListening('node', [path.join(installation.root, 'server.js')], folder);
  const npm = () => timeToListening('npm', ['start'], checkout);
  const idle: number[] = [];
  try {
    // The first starts make the store or the build; they fill the caches too.
    for (const first of [serverAt(empty), serverAt(existing), npm]) await first();
    const times: { node: number; empty: number; existing: number; npm: number }[] = [];
    for (let round = 0; round < rounds + MORE; round++) {
      times.push({
        node: bareNodeTime(),
        empty: await serverAt(empty)(),
        existing: await serverAt(existing)(),
        npm: await npm(),
      });
    }
    for (let round = 0; round < rounds; round++) {
      const server = await existing.start();
      await pause(SETTLING);
      idle.push(residentMemory(server.process.pid ?? 0));
      await server.stop();
    }
    const of = (key: 'node' | 'empty' | 'existing' | 'npm') =>
      median(times.map((each) => each[key]));
    const shown = (key: Parameters<typeof of>[0]) => `${of(key).toFixed(0)} ms`;
    const text =
      heading('Start') +
      table(
        ['', 'median'],
        [
          ['a Node that does nothing, from the command to its end', shown('node')],
          ['`node server.js` to `listening`, empty store', shown('empty')],
          [`the same with ${number(EXISTING.events)} events`, shown('existing')],
          ['`npm start` to `listening`, the same store, built before', shown('npm')],
          [
            'disk for a million events, with indexes and totals',
            `${number(fs.statSync(store).size / EXISTING.events)} MB`,
          ],
          ['memory of the server, without a request', `${median(idle).toFixed(0)} MB`],
        ],
      );
    console.log(text);
    const figures = {
      start: of('existing') / 1000,
      npmStart: of('npm') / 1000,
      idle: median(idle),
    };
    return { text, figures };
  } finally {
    await Promise.all([empty.remove(), existing.remove()]);
    fs.rmSync(checkout, { recursive: true, force: true });
  }
}

/** Copies what `npm start` uses, with its times, because the build compares them. */
function copyCheckout(folder: string, store: string): string {
  const checkout = path.join(folder, 'checkout');
  fs.mkdirSync(path.join(checkout, 'data'), { recursive: true });
  const parts = [...INSTALLED, ...SOURCES].map((part) => path.join(root, part));
  const { status, stderr } = spawnSync('cp', ['-a', ...parts, checkout]);
  if (status !== 0) throw new Error(String(stderr));
  fs.symlinkSync(path.join(root, 'node_modules'), path.join(checkout, 'node_modules'));
  fs.copyFileSync(store, path.join(checkout, 'data', 'guestlist.db'));
  return checkout;
}

/** The time of a start of Node alone, in ms, to compare machines. */
function bareNodeTime(): number {
  const begin = performance.now();
  spawnSync(process.execPath, ['--eval', '']);
  return performance.now() - begin;
}

/** From the command to `listening`, in ms. Stops the server after that. */
async function timeToListening(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<number> {
  interrupted.throwIfAborted();
  const { PUBLIC_ORIGIN, NODE_ENV, ...inherited } = process.env;
  const begin = performance.now();
  const child = spawn(command, args, {
    cwd,
    env: { ...inherited, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, because npm does not pass every signal on.
    detached: true,
  });
  const exited = once(child, 'exit');
  await listening(child);
  const time = performance.now() - begin;
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  await exited;
  return time;
}

async function listening(child: ChildProcess): Promise<void> {
  const lines = child.stdout ? createInterface(child.stdout) : [];
  for await (const line of lines) if (/^listening on /.test(line)) return;
  throw new Error(`${child.spawnargs.join(' ')} did not start`);
}
