/** Cuts the power of a recording again and again, and counts what is lost. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { randomFrom } from '../random.ts';
import { cutPower, POLICIES, pick } from './cut.ts';
import { type Folder, replay } from './disk.ts';
import { type Contents, compare, examine, filesWith } from './examine.ts';
import type { Recording, Step } from './recording.ts';
import { type Call, inTrace } from './trace.ts';

export type Tally = {
  readonly phase: string;
  readonly cuts: number;
  /** What was lost, of each cut that lost something. */
  readonly losses: readonly string[];
};

type Cut = { readonly at: number; readonly policy: keyof typeof POLICIES };

export type Options = {
  readonly seed: number;
  /**
   * Cuts of each phase at random moments; beside one at each reply that loses all it may lose, and
   * those at each rename that keep only the rename.
   */
  readonly random: number;
  /** The only phase to try. */
  readonly phase?: string;
  /** Changes what the programs did, before it is replayed. */
  readonly alter?: (calls: readonly Call[]) => readonly Call[];
};

/** Tries cuts of each phase of a recording, one phase after the other. */
export async function* tryCuts(
  recording: Recording,
  { seed, random: number, phase: only, alter = (calls) => calls }: Options,
): AsyncGenerator<Tally> {
  const { root, steps } = recording;
  const traces = recording.traces.map(alter);
  const disk = replay(recording.before, root, traces);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-cut-'));
  const random = randomFrom(seed);
  try {
    const attempt = makeAttempt(disk, folder, random);
    const before = await attempt({ at: 0, policy: 'all lost' }, (root) => examine(root));
    // The start has just made this one.
    for (const name of before.keys()) if (name.startsWith('snapshot ')) before.delete(name);
    for (const [phase, moments] of momentsOf(recording)) {
      if (only !== undefined && phase !== only) continue;
      const cuts: Cut[] = steps
        .filter((step) => step.phase === phase)
        .map(({ done }) => ({ at: done, policy: 'all lost' }));
      for (const at of [...moments].flatMap(([name, each]) => (/^rename/.test(name) ? each : [])))
        cuts.push({ at, policy: 'the last change alone kept' });
      for (let i = 0; i < number; i += 1) {
        const policy = pick(random, Object.keys(POLICIES) as (keyof typeof POLICIES)[]);
        cuts.push({ at: pick(random, pick(random, [...moments.values()])), policy });
      }
      const losses: string[] = [];
      for (const cut of cuts) {
        const lost = await attempt(cut, (root) => lossesIn(root, before, steps, cut.at));
        if (lost.length > 0) losses.push(describe(cut, lost, steps));
      }
      yield { phase, cuts: cuts.length, losses };
    }
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

function makeAttempt(disk: Folder, folder: string, random: () => number) {
  return async <T>({ at, policy }: Cut, use: (root: string) => Promise<T>): Promise<T> => {
    const root = path.join(folder, 'disk');
    cutPower(disk, at, POLICIES[policy], random, root);
    try {
      return await use(root);
    } finally {
      fs.rmSync(root, { recursive: true });
    }
  };
}

async function lossesIn(
  root: string,
  before: Contents,
  steps: readonly Step[],
  at: number,
): Promise<readonly string[]> {
  const returned = steps.flatMap(({ erased, done }) =>
    erased !== undefined && done <= at ? filesWith(root, erased) : [],
  );
  if (returned.length > 0) return [`an erased address is in ${returned.join(', ')}`];
  try {
    return compare(await examine(root), before, steps, at);
  } catch (error) {
    return [String(error).replace(/\s+/g, ' ')];
  }
}

const READS = /^(read|open|openat)$/;

/**
 * The moments of each phase at which something changes on the disk or a reply leaves, by the name
 * of the call: a rename is as likely as one of a thousand writes.
 */
function momentsOf({ root, traces, steps }: Recording) {
  const data = inTrace(path.join(root, 'data'));
  const calls = traces.flat().filter(({ name, args }) => !READS.test(name) && args.includes(data));
  const phases = new Map<string, ReadonlyMap<string, readonly number[]>>();
  let start = 0;
  for (const phase of new Set(steps.map((step) => step.phase))) {
    const dones = steps.filter((step) => step.phase === phase).map(({ done }) => done);
    const end = Math.max(...dones);
    const moments = new Map([['reply', dones]]);
    for (const { name, began, returned } of calls) {
      if (began <= start || began > end) continue;
      const known = moments.get(name) ?? [];
      known.push(began + 1, returned + 1);
      moments.set(name, known);
    }
    phases.set(phase, moments);
    start = end;
  }
  return phases;
}

function describe({ at, policy }: Cut, lost: readonly string[], steps: readonly Step[]): string {
  const last = steps.filter(({ done }) => done <= at).at(-1);
  return `${policy}, at ${at}, after ${last?.what ?? 'nothing'}: ${lost.slice(0, 3).join('; ')}`;
}
