/** The server is killed under load: no acknowledged row is lost, and none is stored twice. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { siteForAll } from '../support/site.ts';
import { assertKept, invitePeople, type Load, startLoad } from './load.ts';
import { assertSound } from './store-check.ts';

const ROUNDS = 10;
const CLIENTS = 16;

const site = siteForAll();

it(`kill -9 under mixed load, ${ROUNDS} times: each acknowledged row is stored once, and the restart needs no help`, {
  timeout: 60_000,
}, async () => {
  invitePeople(site, CLIENTS);
  const loads: Load[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const server = await site.start();
    // The server has recovered the store after the kill before.
    if (round > 0) assertSound(site.store);
    for (const load of loads) assertKept(site.store, load);
    // Another moment in each round.
    const moment = 10 + Math.floor(Math.random() * 300);
    const load = startLoad({
      origin: server.origin,
      clients: CLIENTS,
      onAcknowledged: (number) => number === moment && server.process.kill('SIGKILL'),
    });
    await load.ended;
    await server.exited;
    assert.equal(server.process.signalCode, 'SIGKILL');
    assert.deepEqual(server.stderr, []);
    loads.push(load);
  }

  await site.start();
  const rows = assertSound(site.store);
  for (const load of loads) assertKept(site.store, load);
  const acknowledged = loads.flatMap(({ replies }) => replies).length;
  const sessions = loads.flatMap(({ sessions }) => [...sessions.values()]);
  const logins = loads.reduce((sum, load) => sum + load.unansweredLogins, 0);
  const unanswered = logins + sessions.filter(({ unanswered }) => unanswered).length;
  const stored = rows.logins + rows.timelineViews + rows.joinClicks;
  console.log(`${acknowledged} acknowledged, ${unanswered} left without a reply, ${stored} stored`);
  assert.ok(stored >= acknowledged && stored <= acknowledged + unanswered);
});
