/** Cuts the power of a recording again and again, and reports what is lost. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { randomFrom } from '../random.ts';
import { cutPower, POLICIES, pick } from './cut.ts';
import { replay } from './disk.ts';
import { compare, examine, filesWith } from './examine.ts';
import type { Recording, Step } from './recording.ts';
import { type Call, inTrace } from './trace.ts';

type Cut = { readonly at: number; readonly policy: keyof typeof POLICIES };

export type Options = {
  readonly seed: number;
  /** Cuts at random moments, beside those at each reply and at each rename. */
  readonly random: number;
  /** Changes what each program did, before it is replayed. */
  readonly alter?: (calls: readonly Call[]) => readonly Call[];
};

/** @returns what was lost, of each cut that lost something, and the number of cuts */
export async function tryCuts(
  { root, before: data, traces, steps }: Recording,
  { seed, random: number, alter = (calls) => calls }: Options,
) {
  const replayed = replay(data, root, traces.map(alter));
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-cut-'));
  const random = randomFrom(seed);
  const attempt = async <T>({ at, policy }: Cut, use: (root: string) => Promise<T>): Promise<T> => {
    const left = path.join(folder, 'disk');
    cutPower(replayed, at, POLICIES[policy], random, left);
    try {
      return await use(left);
    } finally {
      fs.rmSync(left, { recursive: true });
    }
  };
  try {
    const before = await attempt({ at: 0, policy: 'all lost' }, examine);
    // A migration at this start has made it.
    for (const name of before.keys()) if (/^snapshot .*-schema-/.test(name)) before.delete(name);
    const moments = momentsOf(root, traces);
    const cuts: Cut[] = steps.map(({ done }) => ({ at: done, policy: 'all lost' }));
    for (const [name, each] of moments)
      if (name.startsWith('rename'))
        for (const at of each) cuts.push({ at, policy: 'the last change alone kept' });
    for (let i = 0; i < number; i += 1) {
      const policy = pick(random, Object.keys(POLICIES) as (keyof typeof POLICIES)[]);
      cuts.push({ at: pick(random, pick(random, [...moments.values()])), policy });
    }
    const losses: string[] = [];
    for (const cut of cuts) {
      const lost = await attempt(cut, (left) => lossesIn(left, before, steps, cut.at));
      const last = steps.findLast(({ done }) => done <= cut.at)?.what ?? 'nothing';
      if (lost.length > 0) losses.push(`${cut.policy}, after ${last}: ${lost.slice(0, 3)}`);
    }
    return { cuts: cuts.length, losses };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

async function lossesIn(
  root: string,
  before: ReadonlyMap<string, number>,
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

/** The moments at which something changes on the disk, by the call: a rename is as likely as a write. */
function momentsOf(root: string, traces: readonly (readonly Call[])[]) {
  const data = inTrace(path.join(root, 'data'));
  const moments = new Map<string, number[]>();
  for (const { name, args, began, returned } of traces.flat()) {
    if (/^(read|open|openat)$/.test(name) || !args.includes(data)) continue;
    moments.set(name, [...(moments.get(name) ?? []), began + 1, returned + 1]);
  }
  return moments;
}
