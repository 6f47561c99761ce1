/** Random requests: no 500, the hidden page stays hidden, and the store stays sound. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { read } from '../support/database.ts';
import { siteForAll } from '../support/site.ts';
import { invitePlayers, sendRandomRequests } from './random-requests.ts';
import { assertSound } from './store-check.ts';

/** One seed to begin with, and each seed that failed once. */
const SEEDS = [1];

const site = siteForAll();
invitePlayers(site);
const server = await site.start();

describe('random requests', () => {
  const fresh = Math.floor(Math.random() * 1e6);
  for (const [seed, requests] of [...SEEDS.map((known) => [known, 2000]), [fresh, 6000]] as const) {
    it(`${requests} of seed ${seed}, in every role: no 500, nothing of the hidden page, no row that the contract forbids`, async () => {
      const earlier = assertSound(site.store);
      const { statuses, logins, views, joins } = await sendRandomRequests(
        server.origin,
        seed ?? 0,
        requests ?? 0,
      );
      console.log(`seed ${seed}:`, Object.fromEntries(statuses));
      assert.ok(views > 0 && joins > 0, `${views} views, ${joins} joins`);
      const rows = assertSound(site.store);
      assert.deepEqual(
        [
          rows.logins - earlier.logins,
          rows.timelineViews - earlier.timelineViews,
          rows.joinClicks - earlier.joinClicks,
        ],
        [logins, views, joins],
        'a row for each success, and no other',
      );
      const administrators = read(site.store, (db) =>
        db.prepare('select email from invites where is_admin = 1').pluck().all(),
      );
      assert.deepEqual(administrators, ['root@example.com']);
      assert.deepEqual(server.stderr, []);
    });
  }
});
