/** Opens what a power cut has left, as the next start does, and compares it with what was said. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { inspectFile } from '../../../lib/store/file/inspection.ts';
import { listSnapshots } from '../../../lib/store/file/snapshots.ts';
import { openServerStore, type ServerStore } from '../../../lib/store/open.ts';
import { read } from '../../support/database.ts';
import type { Step } from './recording.ts';

/** How much there is of each thing, under the names that steps use. */
export type Contents = ReadonlyMap<string, number>;

const THINGS = `
  select 'invite ' || email from invites
  union all select 'admin ' || email from invites where is_admin
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
  const store = openServerStore(file);
  const db = new Database(file, { readonly: true });
  try {
    const contents = readSound(db, store);
    for (const { file: snapshot } of listSnapshots(file)) {
      const name = path.basename(snapshot);
      assert.equal(inspectFile(snapshot).fault, null, name);
      contents.set(`snapshot ${name}`, 1);
      // There may be two of the same store, because a power cut can stop the migration after the first.
      if (name.includes('-schema-4'))
        for (const [thing, number] of read(snapshot, readContents))
          contents.set(`before the migration: ${thing}`, number);
    }
    return contents;
  } finally {
    await store.close();
    // The last one: a reader makes no checkpoint, which would sync.
    db.close();
  }
}

function readSound(db: Database.Database, { totals }: ServerStore): Map<string, number> {
  assert.equal(db.pragma('integrity_check', { simple: true }), 'ok');
  const contents = readContents(db);
  const kinds: Record<string, number> = { invite: 0, login: 0, timeline_view: 0, join: 0 };
  for (const [name, count] of contents) {
    const [kind = ''] = name.split(' ');
    kinds[kind] = (kinds[kind] ?? 0) + count;
  }
  const { invites, logins, timelineViews, joinClicks } = totals.counts();
  const devices = totals.devices().devices.reduce((sum, { count }) => sum + count, 0);
  assert.deepEqual(
    [invites, logins, timelineViews, joinClicks, devices],
    [kinds.invite, kinds.login, kinds.timeline_view, kinds.join, logins + timelineViews],
    'the totals are those of the rows',
  );
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
  const least = new Map(before);
  const most = new Map(before);
  const add = (to: Map<string, number>, name: string, number: number) =>
    to.set(name, (to.get(name) ?? 0) + number);
  for (const { effects, began, done } of steps)
    for (const [name, number] of effects) {
      if (done <= at || (began < at && number < 0)) add(least, name, number);
      if (done <= at || (began < at && number > 0)) add(most, name, number);
    }
  for (const { effects, done } of steps)
    for (const [name, number] of effects)
      if (done <= at && number === 0) least.set(name, Math.max(1, least.get(name) ?? 0));
  return [...new Set([...contents.keys(), ...least.keys()])].flatMap((name) => {
    const count = contents.get(name) ?? 0;
    const [from, to] = [least.get(name) ?? 0, most.get(name) ?? 0];
    // A snapshot may be there before its tool names it.
    const isSoon = name.startsWith('snapshot ') && count > to && !most.has(name);
    return (count >= from && count <= to) || isSoon ? [] : [`${name}: ${count} of ${from}–${to}`];
  });
}

/** The files below a folder that hold an address. */
export const filesWith = (folder: string, address: string): readonly string[] =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(folder, name)).isFile())
    .filter((name) => fs.readFileSync(path.join(folder, name)).includes(address));
