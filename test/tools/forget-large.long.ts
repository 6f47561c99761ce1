/** `person` on large stores, with traces of other programs between their rows. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeEach, test } from 'node:test';
import Database from 'better-sqlite3';
import { inspectFile } from '../../lib/store/file/inspection.ts';
import { logIn, send } from '../support/client.ts';
import { ANN, JOANN, leaveResidue, schemaVersion, tracesOfAnn } from '../support/residue.ts';
import { siteForEach } from '../support/site.ts';
import { storeFilesWith } from '../support/store-bytes.ts';

const GRACE = 'grace@example.com';

const site = siteForEach();
beforeEach(() => {
  for (const email of [ANN, JOANN, GRACE]) site.invite(email);
});

const forget = (...args: readonly string[]) => site.tool('person', 'forget', ...args);

/** Adds and deletes rows of many people without `secure_delete`, as another program may. */
function fillCarelessly(people: number, rows: number): void {
  const db = new Database(site.store);
  db.pragma('secure_delete = off');
  const name = (i: number) => `person${i % people}@example.com`;
  const event = db.prepare(
    `insert into events (event_type, email, occurred_at, session_id, device_type, os, browser)
     values ('login', ?, ?, 's', 'desktop', '', '')`,
  );
  const join = db.prepare(
    'insert into project_joins (email, session_id, clicked_at) values (?, ?, ?)',
  );
  const session = db.prepare('insert into sessions values (?, ?, randomblob(32), ?, ?)');
  const end = db.prepare('delete from sessions where id = ?');
  db.transaction(() => {
    for (let i = 0; i < rows; i += 1) {
      const email = name(i * 7919);
      event.run(email, i);
      join.run(email, 's', i);
      session.run(`s${(i * 104_729) % rows}`, email, i, i);
      if (i % 3 === 0) end.run(`s${(i * 31 * 104_729) % rows}`);
    }
  })();
  db.close();
}

test('traces of an address are not confused with the other one in a large store', async () => {
  leaveResidue(site.store, 8000, { padding: 'x'.repeat(3500), somebody: JOANN });
  const before = schemaVersion(site.store);
  const server = await site.start();
  const { status, stderr } = forget(ANN, '--yes');
  assert.equal(status, 0, stderr);
  assert.equal(schemaVersion(site.store), before);
  await server.stop();
});

test('traces are removed from a large store if no other program has it open', async () => {
  leaveResidue(site.store, 8000, { padding: 'x'.repeat(3500) });
  const server = await site.start();
  const refused = forget(ANN, '--yes');
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /ann@example\.com is erased, but traces .* stop the server; /);
  await server.stop();
  assert.ok(tracesOfAnn(site.store) > 0, 'otherwise this test shows nothing');
  assert.equal(forget(ANN, '--yes').stderr, `nothing is stored about ${ANN}\n`);
  assert.equal(tracesOfAnn(site.store), 0);
  assert.equal(inspectFile(site.store).fault, null);
});

test('export streams a history of any length', () => {
  fillCarelessly(1, 20_000);
  const tool = `${site.root}/tools/person.js`;
  const output = execFileSync(process.execPath, [tool, 'export', 'person0@example.com'], {
    maxBuffer: 1e8,
  });
  const person = JSON.parse(output.toString());
  assert.equal(person.events.length, 20_000);
  assert.equal(person.joinClicks.length, 20_000);
  assert.equal(person.invite, null);
});

test('forget finds traces in free pages and between rows', () => {
  fillCarelessly(200, 12_000);
  const email = 'person123@example.com';
  assert.deepEqual(storeFilesWith(site.store, email), ['guestlist.db']);
  assert.equal(site.tool('person', 'forget', email, '--yes').status, 0);
  assert.deepEqual(storeFilesWith(site.store, email), []);
  assert.equal(inspectFile(site.store).fault, null);
});

/** Erases 20,000 events while somebody joins all the time. @returns whether a join was refused */
async function refusesWhileErasing(report: (message: string) => void): Promise<boolean> {
  fillCarelessly(1, 20_000);
  const server = await site.start();
  const cookie = await logIn(server.origin, GRACE);
  const tool = spawn(process.execPath, [
    `${site.root}/tools/person.js`,
    ...['forget', 'person0@example.com', '--yes'],
  ]);
  const exited = once(tool, 'exit');
  const statuses = new Set<number>();
  let longest = 0;
  while (tool.exitCode === null) {
    const start = performance.now();
    statuses.add((await send(server.origin, 'POST /api/project-join', { cookie })).status);
    longest = Math.max(longest, performance.now() - start);
  }
  assert.deepEqual(await exited, [0, null]);
  report(`a join waited ${(longest / 1000).toFixed(1)} s at most`);
  await server.stop();
  assert.deepEqual(storeFilesWith(site.store, 'person0@example.com'), []);
  return !(statuses.size === 1 && statuses.has(200));
}

test('forget makes others wait while it erases 20,000 events, and refuses nobody', async (t) => {
  // A busy machine may keep the tool from its work, and the store locked, for 5 s. Not each time.
  for (let tries = 1; await refusesWhileErasing((message) => t.diagnostic(message)); tries += 1) {
    assert.ok(tries < 5, 'somebody is refused each time');
    await site.clear();
    site.invite(GRACE);
  }
});
