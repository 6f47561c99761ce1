/** Opens what a power cut has left, as the next start does, and compares it with what was said. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type Database from 'better-sqlite3';
import { inspectFile } from '../../../lib/store/file/inspection.ts';
import { listSnapshots } from '../../../lib/store/file/snapshots.ts';
import { openServerStore } from '../../../lib/store/open.ts';
import { read } from '../../support/database.ts';
import type { Step } from './recording.ts';

/** How much there is of each thing, under the names that steps use. */
export type Contents = ReadonlyMap<string, number>;

const THINGS = `
  select 'invite ' || email from invites
  union all select 'session ' || email || ' ' || id from sessions
  union all select event_type || ' ' || email || ' ' || session_id from events
  union all select 'join ' || email || ' ' || session_id from project_joins`;

/** What is in a store. */
export function readContents(db: Database.Database): Map<string, number> {
  const contents = new Map<string, number>();
  // Not `iterate`: Node 24 aborts when it frees the iterator (lib/store/file/sqlite.ts).
  for (const thing of db.prepare<[], string>(THINGS).pluck().all())
    contents.set(thing, (contents.get(thing) ?? 0) + 1);
  return contents;
}

/**
 * Starts with an installation's `data/` and reads all of it.
 *
 * @throws where it cannot be opened, or is not sound
 */
export async function examine(root: string): Promise<Map<string, number>> {
  const file = path.join(root, 'data', 'guestlist.db');
  await openServerStore(file).close();
  assert.equal(inspectFile(file).fault, null);
  const contents = read(file, readContents);
  for (const { file: snapshot } of listSnapshots(file)) {
    const name = path.basename(snapshot);
    // A power cut during an erasure leaves its journal; opening the snapshot applies that.
    assert.equal(inspectFile(snapshot, {}).fault, null, name);
    contents.set(`snapshot ${name}`, 1);
    // There may be two of the same store, because a power cut can stop a migration after the first.
    if (name.includes('-schema-'))
      for (const [thing, number] of read(snapshot, readContents))
        contents.set(`before the migration: ${thing}`, number);
  }
  return contents;
}

/**
 * What was said, but is not so: acknowledged and lost, or there although nobody asked for it.
 *
 * @param at the moment of the power cut, in ns
 */
export function compare(
  contents: Contents,
  before: Contents,
  steps: readonly Step[],
  at: number,
): readonly string[] {
  const [least, most] = [new Map(before), new Map(before)];
  const add = (to: Map<string, number>, name: string, number: number) =>
    to.set(name, (to.get(name) ?? 0) + number);
  for (const { effects, began, done } of steps)
    for (const [name, number] of effects) {
      if (done <= at || (began < at && number < 0)) add(least, name, number);
      if (done <= at || (began < at && number > 0)) add(most, name, number);
    }
  return [...new Set([...contents.keys(), ...least.keys()])].flatMap((name) => {
    const count = contents.get(name) ?? 0;
    const [from, to] = [least.get(name) ?? 0, most.get(name) ?? 0];
    // A snapshot may be there before its tool names it, or be of an attempt that was cut short.
    const isExtra = /^(snapshot|before)/.test(name) && count > to;
    return (count >= from && count <= to) || isExtra ? [] : [`${name}: ${count} of ${from}–${to}`];
  });
}

/** The files below a folder that hold an address. */
export const filesWith = (folder: string, address: string): readonly string[] =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(folder, name)).isFile())
    .filter((name) => fs.readFileSync(path.join(folder, name)).includes(address));
