/** Opens what a disk holds, as the next start does, and compares it with what was said. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { inspectStoreFile } from '../../../lib/store/inspection.ts';
import { openServerStore } from '../../../lib/store/open.ts';
import { listSnapshots } from '../../../lib/store/snapshots.ts';
import { filesWith, read } from '../../support/database.ts';
import { storeAt } from '../../support/installation.ts';
import type { Step } from './recording.ts';

/** How much there is of each thing. Things of a snapshot begin with its name. */
export type Contents = ReadonlyMap<string, number>;

const THINGS = `
  select 'invite ' || email from invites
  union all select 'session ' || email || ' ' || id from sessions
  union all select event_type || ' ' || email || ' ' || session_id from events
  union all select 'join ' || email || ' ' || session_id from project_joins`;

/** Who is invited, and erased in one of the stories. */
export const ERASED = 'new@example.com';

export const storeIn = (root: string): string => path.join(root, 'data', 'guestlist.db');

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
  const counts = storeAt(store).read(({ totals }) => totals.counts());
  for (const [kind, count] of [
    ['login', counts.logins],
    ['timeline_view', counts.timelineViews],
    ['join', counts.joinClicks],
  ] as const) {
    const rows = [...contents].filter(([name]) => name.startsWith(`${kind} `));
    const number = rows.reduce((sum, [, each]) => sum + each, 0);
    assert.equal(count, number, `${kind} is counted`);
  }
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
export function compare(contents: Contents, steps: readonly Step[], at: number) {
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
