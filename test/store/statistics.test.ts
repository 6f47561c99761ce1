/** The statistics and the list of guests, beside a count of the rows by hand, on random data. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Counts, Status } from '../../lib/records.ts';
import { recordEvent } from '../../lib/store/events.ts';
import { addAdmin, listGuests } from '../../lib/store/invites.ts';
import { recordJoinClick } from '../../lib/store/joins.ts';
import type { Database } from '../../lib/store/sqlite.ts';
import { readStatistics } from '../../lib/store/statistics.ts';
import { createRandom } from '../random.ts';
import { invite, LOGIN, openTestStore, VIEW, visitorOf } from '../service.ts';

const DAY = 24 * 3_600_000;
const NOW = Date.UTC(2026, 10, 28, 13);
const TODAY = Math.floor(NOW / DAY);

/** Something that a person did: a row of `events` or of `project_joins`. */
type Act = {
  readonly kind: keyof Counts;
  readonly email: string;
  readonly at: number;
  readonly device: string;
};

const random = createRandom();

const between = (low: number, high: number): number => low + Math.floor(random() * (high - low));

function pick<T>(values: readonly T[]): T {
  return values[between(0, values.length)] ?? assert.fail('nothing to pick from');
}

/** Times cluster at the ends of days and periods, where an error of one millisecond shows. */
function randomTime(): number {
  const midnight = (TODAY - pick([-1, 0, 1, 6, 89, between(0, 120)])) * DAY;
  return pick([midnight, midnight - 1, midnight + between(0, DAY), NOW]);
}

/** What people do: nothing, some of it, or all. */
const HABITS: readonly (readonly (keyof Counts)[])[] = [
  [],
  ['logins'],
  ['joinClicks'],
  ['logins', 'timelineViews'],
  ['logins', 'timelineViews', 'joinClicks'],
];

/** Of eight people with each habit, half are invited. */
function fill(db: Database): readonly Act[] {
  const done: Act[] = [];
  for (let i = 0; i < 40; i += 1) {
    const email = `person${i}@example.com`;
    if (i < 20) invite(db, email, null, NOW - between(0, 9));
    const habit = HABITS[i % HABITS.length] ?? [];
    for (const kind of habit)
      for (let n = 0; n < 50; n += 1)
        done.push({ kind, email, at: randomTime(), device: pick(['mobile', 'desktop', 'tablet']) });
  }
  for (const act of done) record(db, act);
  return done;
}

function record(db: Database, { kind, email, at, device }: Act): void {
  const event = kind === 'logins' ? LOGIN : VIEW;
  if (kind === 'joinClicks') recordJoinClick(db, visitorOf(email), at);
  else recordEvent(db, { ...event, email, deviceType: device, occurredAt: at });
}

const of = (acts: readonly Act[], kind: keyof Counts): readonly Act[] =>
  acts.filter((act) => act.kind === kind);

const people = (acts: readonly Act[]): number => new Set(acts.map(({ email }) => email)).size;

function countsOf(acts: readonly Act[]): Counts {
  return {
    logins: of(acts, 'logins').length,
    timelineViews: of(acts, 'timelineViews').length,
    joinClicks: of(acts, 'joinClicks').length,
  };
}

const db = openTestStore();
const all = db.transaction(fill)(db);
// What an administrator did is in the logs, and in no number of a period.
const ADMIN = 'person4@example.com';
addAdmin(db, ADMIN);
const ofGuests = all.filter(({ email }) => email !== ADMIN);

for (const days of [1, 2, 7, 90, 3660, 'all'] as const)
  test(`the statistics of ${days} days`, () => {
    const firstEver = Math.floor(Math.min(...ofGuests.map(({ at }) => at)) / DAY);
    const first = days === 'all' ? firstEver : TODAY - days + 1;
    const acts = ofGuests.filter(({ at }) => at >= first * DAY && at < (TODAY + 1) * DAY);
    const found = readStatistics(db, days, NOW);
    assert.equal(found.days, TODAY - first + 1);
    assert.deepEqual(found.totals, countsOf(acts));
    assert.deepEqual(found.people, {
      loggedIn: people(of(acts, 'logins')),
      viewed: people(of(acts, 'timelineViews')),
      joined: people(of(acts, 'joinClicks')),
    });
    const events = acts.filter(({ kind }) => kind !== 'joinClicks');
    for (const { name, count } of found.devices)
      assert.equal(count, events.filter(({ device }) => device === name).length);
    assert.equal(found.devices.length, new Set(events.map(({ device }) => device)).size);
    assert.equal(found.daily.length, found.days);
    for (const [i, { day, ...counts }] of found.daily.entries()) {
      const start = (first + i) * DAY;
      assert.equal(Date.parse(`${day}T00:00:00Z`), start);
      assert.deepEqual(counts, countsOf(acts.filter(({ at }) => at >= start && at < start + DAY)));
    }
  });

test('without events there is one empty day', () => {
  const { days, totals, daily, devices } = readStatistics(openTestStore(), 'all', NOW);
  const nothing = { logins: 0, timelineViews: 0, joinClicks: 0 };
  assert.equal(days, 1);
  assert.deepEqual(totals, nothing);
  assert.deepEqual(daily, [{ day: '2026-11-28', ...nothing }]);
  assert.deepEqual(devices, []);
});

function statusOf({ logins, timelineViews, joinClicks }: Counts): Status {
  if (joinClicks > 0) return 'joined';
  if (timelineViews > 0) return 'viewed';
  return logins > 0 ? 'logged_in' : 'pending';
}

test('each guest has what the person did, and those who are not invited are no guests', () => {
  const guests = listGuests(db);
  assert.equal(guests.length, 20);
  const order = guests.map(({ invitedAt, email }) => `${NOW - invitedAt} ${email}`);
  assert.deepEqual(order, order.toSorted());
  for (const { email, status, logins, timelineViews, joinClicks, lastSeenAt } of guests) {
    const acts = all.filter((act) => act.email === email);
    const counts = { logins, timelineViews, joinClicks };
    assert.deepEqual(counts, countsOf(acts), email);
    assert.equal(status, statusOf(counts));
    assert.equal(lastSeenAt, acts.length === 0 ? null : Math.max(...acts.map(({ at }) => at)));
  }
});
