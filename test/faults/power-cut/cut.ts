/**
 * Cuts the power of a recording, and reports what is lost.
 *
 * A sync makes durable what was done to that one file or folder by calls that had returned before
 * it began. All else may be there or not, whatever came first: as strict as ALICE (Pillai et al.,
 * OSDI 2014). File systems promise more: ext4 and XFS keep the order of names, and with the bytes
 * of a new file they sync its name.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inspectStoreFile } from '../../../lib/store/inspection.ts';
import { openServerStore } from '../../../lib/store/open.ts';
import { listSnapshots } from '../../../lib/store/snapshots.ts';
import { filesWith, read } from '../../support/database.ts';
import { type Call, type Change, contentOf, type Entry, replay, type Span } from './disk.ts';
import type { Recording, Step } from './recording.ts';

/** How much there is of each thing. Things of a snapshot begin with its name. */
type Contents = ReadonlyMap<string, number>;

const THINGS = `
  select 'invite ' || email from invites
  union all select 'session ' || email || ' ' || id from sessions
  union all select event_type || ' ' || email || ' ' || session_id from events
  union all select 'join ' || email || ' ' || session_id from project_joins`;

/** Who is invited, and erased in one of the stories. */
export const ERASED = 'new@example.com';

const storeIn = (root: string): string => path.join(root, 'data', 'guestlist.db');

const numberOf = (contents: Contents, name: string): number => contents.get(name) ?? 0;
const add = (contents: Map<string, number>, name: string, number: number) =>
  contents.set(name, numberOf(contents, name) + number);

/**
 * Starts with the `data/` of an installation, and reads its snapshots and its store.
 *
 * @throws where it cannot be opened, or is not sound
 */
export async function examine(root: string): Promise<Contents> {
  const store = storeIn(root);
  const contents = new Map<string, number>();
  const addAll = (file: string, prefix = '') => {
    assert.equal(inspectStoreFile(file).fault, null, file);
    for (const thing of read(file, (db) => db.prepare<[], string>(THINGS).pluck().all()))
      add(contents, prefix + thing, 1);
  };
  // Before it is opened, which empties a WAL.
  const files = fs.existsSync(store) ? filesWith(store, ERASED) : [];
  if (files.length > 0) add(contents, `bytes of ${ERASED}`, 1);
  await openServerStore(store).close();
  for (const { file } of listSnapshots(store)) addAll(file, `${path.basename(file)}: `);
  addAll(store);
  return contents;
}

/** What leads from one state to another. */
export const difference = (from: Contents, to: Contents): Step['effects'] =>
  [...new Set([...from.keys(), ...to.keys()])].map(
    (name) => [name, numberOf(to, name) - numberOf(from, name)] as const,
  );

/**
 * What was said, but is not so: acknowledged and lost, or there although nobody asked for it.
 *
 * @param at the moment of the power cut, in ns
 */
function compare(contents: Contents, steps: readonly Step[], at: number) {
  const [least, most] = [new Map<string, number>(), new Map<string, number>()];
  for (const { effects, began, done } of steps)
    for (const [name, number] of effects) {
      if (done <= at || (began < at && number < 0)) add(least, name, number);
      if (done <= at || (began < at && number > 0)) add(most, name, number);
    }
  return [...new Set([...contents.keys(), ...least.keys()])].flatMap((name) => {
    const count = numberOf(contents, name);
    const [from, to] = [numberOf(least, name), numberOf(most, name)];
    return count >= from && count <= to ? [] : `${name}: ${count} of ${from}–${to}`;
  });
}

/** What a cut keeps of the changes that were not synced. A kill keeps all: the kernel has them. */
const KEEPS = {
  nothing: () => false,
  all: () => true,
  'some by chance': (random: () => number) => random() < 0.5,
  'the last change': (_: unknown, { began, returned }: Span, at: number) =>
    at === began + 1 || at === returned + 1,
} satisfies Record<string, (random: () => number, change: Span, at: number) => boolean>;

/** A moment, in ns: of what began then or later, nothing is on the disk. */
type Cut = { readonly at: number; readonly keeps: keyof typeof KEEPS };

/** Right after something begins or ends. */
const momentsOf = (calls: readonly Call[]): readonly number[] =>
  calls.flatMap(({ began, returned }) => [began + 1, returned + 1]);

/** Writes what a cut leaves of an entry. */
function write(entry: Entry, cut: Cut, decide: (change: Change) => boolean, file: string): void {
  const syncedBefore = ({ syncs }: Entry) =>
    Math.max(0, ...syncs.filter(({ returned }) => returned <= cut.at).map(({ began }) => began));
  const synced = syncedBefore(entry);
  const isKept = (change: Change) =>
    change.began < cut.at &&
    (change.returned < Math.max(synced, ...change.folders.map(syncedBefore)) || decide(change));
  const content = contentOf(entry, isKept);
  if (Buffer.isBuffer(content)) fs.writeFileSync(file, content, { mode: 0o600 });
  else {
    fs.mkdirSync(file, { recursive: true, mode: 0o700 });
    for (const [name, each] of content) if (each) write(each, cut, decide, path.join(file, name));
  }
}

/** Calls that change a file or a name. */
const ALTERS = /^(pwrite|ftruncate|unlink|rename)/;

/** A start after an interrupted restore. */
const REFUSED =
  /guestlist\.db is missing; put it back, or restore a snapshot: node tools\/backup\.js restore <file>; .*\/ away$/;

/** Nothing has to be on a disk. */
const MEMORY = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();

export type Variation = {
  /** How many cuts at random moments there are, beside those at each reply and rename. */
  readonly more?: number;
  /** Changes what each program did, before it is replayed. */
  readonly alter?: (calls: readonly Call[]) => readonly Call[];
  /**
   * What an operator does after a cut in a step. It must succeed, and leave no draft. With `more`, the
   * step is also killed before each of its changes, except inside of a draft or the WAL.
   */
  readonly again?: readonly [during: string, act: (store: string) => unknown] | undefined;
};

/** @returns what was lost, of each cut that lost something */
export async function lossesOf(
  { root, before, steps }: Recording,
  random: () => number,
  { more = 0, alter = (calls) => calls, again }: Variation = {},
): Promise<readonly string[]> {
  const traces = [...new Set(steps.map(({ trace }) => trace))];
  const { disk, changes } = replay(before, root, traces.map(alter));
  const during = steps.find(({ what }) => what === again?.[0]);
  const killed = during?.trace ?? [];
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const keeps = Object.keys(KEEPS) as Cut['keeps'][];
  const renames = changes.filter(({ name }) => name.startsWith('rename'));
  const cuts: readonly Cut[] = [
    ...steps.map(({ done }) => ({ at: done, keeps: 'nothing' }) as const),
    ...momentsOf(renames).map((at) => ({ at, keeps: 'the last change' }) as const),
    ...changes
      .filter((call) => more > 0 && killed.includes(call) && ALTERS.test(call.name))
      .filter(({ target }) => !/draft|-wal$/.test(target))
      .map(({ began }) => ({ at: began, keeps: 'all' }) as const),
    ...Array.from({ length: more }, () => ({ at: pick(momentsOf(changes)), keeps: pick(keeps) })),
  ];

  async function lossesAt(cut: Cut, left: string): Promise<readonly string[]> {
    const decided = new Map<number, boolean>();
    const decide = (change: Span) => {
      const kept = decided.get(change.began) ?? KEEPS[cut.keeps](random, change, cut.at);
      decided.set(change.began, kept);
      return kept;
    };
    write(disk, cut, decide, left);
    const isDone = !during || cut.at < during.began || during.done <= cut.at;
    const contents = await examine(left).catch((error) => {
      if (isDone || !REFUSED.test(error.message)) throw error;
    });
    const losses = contents ? compare(contents, steps, cut.at) : [];
    if (!again || !killed.some(({ began, returned }) => began <= cut.at && cut.at <= returned + 1))
      return losses;
    const drafts = () =>
      fs
        .readdirSync(left, { encoding: 'utf8', recursive: true })
        .filter((name) => name.includes('draft'));
    // An hour later.
    for (const draft of drafts()) fs.utimesSync(path.join(left, draft), 0, 0);
    await again[1](storeIn(left));
    return [...losses, ...drafts()];
  }

  const losses: string[] = [];
  for (const cut of cuts) {
    const left = fs.mkdtempSync(path.join(MEMORY, 'guestlist-cut-'));
    const lost = await lossesAt(cut, left).catch((error) => [`${error}`]);
    fs.rmSync(left, { recursive: true });
    const last = steps.findLast(({ done }) => done <= cut.at)?.what;
    if (lost.length > 0)
      losses.push(`${cut.keeps} kept after ${last}: ${lost.slice(0, 3)}`.replace(/\s+/g, ' '));
    // Three are shown, and one is enough to show that a fault loses something.
    if (losses.length === 3) break;
  }
  return losses;
}
