/**
 * The long forms of the fault tests:
 * `npm run soak -- --minutes 30 --requests 100000 --addresses 1000000 --seed 7`.
 * 0 leaves a part out. The exit status is 0 if every check passed.
 */
import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { install } from '../support/installation.ts';
import { flood } from './flood.ts';
import { invitePlayers, sendRandomRequests } from './random-requests.ts';
import { assertPrompt, assertSteady, memoryOf, watch } from './steadiness.ts';
import { assertSound } from './store-check.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    requests: { type: 'string', default: '100000' },
    addresses: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1e6)) },
  },
});
const [minutes, requests, addresses, seed] = [
  values.minutes,
  values.requests,
  values.addresses,
  values.seed,
].map(Number) as [number, number, number, number];

const site = install();
try {
  invitePlayers(site);
  const server = await site.start();

  if (requests > 0) {
    console.log(`${requests} random requests, seed ${seed}`);
    const { statuses, ...rows } = await sendRandomRequests(server.origin, seed, requests);
    console.log('  by status:', Object.fromEntries(statuses));
    const { logins, timelineViews: views, joinClicks: joins } = assertSound(site.store);
    assert.deepEqual({ logins, views, joins }, rows);
  }

  if (addresses > 0) {
    console.log(`a login attempt from each of ${addresses} addresses`);
    const before = memoryOf(server);
    assert.deepEqual([...(await flood(server.port, addresses))], [['403', addresses]]);
    console.log(`  ${before.toFixed(0)} MB before, ${memoryOf(server).toFixed(0)} MB after`);
    assert.ok(memoryOf(server) < before + 120);
  }

  if (minutes > 0) {
    console.log(`${minutes} minutes of mixed load`);
    const slices = await watch(site, server, {
      minutes,
      pause: 10,
      report: (line) => console.log(`  ${line}`),
    });
    assertSteady(slices);
    assertPrompt(slices);
  }

  assert.deepEqual(server.stderr, []);
  assert.equal(await server.stop(), 0);
  console.log('everything held');
} finally {
  await site.remove();
}
