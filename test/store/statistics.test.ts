/** Every number that administrators see, beside a count of the rows by hand, on random data. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Counts, Status } from '../../lib/records.ts';
import { listEvents, recordLogin, recordView, summarizeEvents } from '../../lib/store/events.ts';
import { addAdmin, listGuests } from '../../lib/store/invites.ts';
import {
  countJoins,
  listJoinClicks,
  recordJoinClick,
  summarizeJoins,
} from '../../lib/store/joins.ts';
import type { Database } from '../../lib/store/sqlite.ts';
import { readStatistics } from '../../lib/store/statistics.ts';
import { createRandom } from '../random.ts';
import { invite, openTestStore, visitorOf } from '../service.ts';

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

/** Times cluster at the ends of days, where an error of one millisecond shows. */
function randomTime(): number {
  const midnight = (TODAY - between(0, 120)) * DAY;
  return pick([midnight, midnight - 1, midnight + between(0, DAY), NOW]);
}

/** Half of the people are invited. */
function fill(db: Database, acts: number): readonly Act[] {
  const people = Array.from({ length: 40 }, (_, i) => `person${i}@example.com`);
  for (const [i, email] of people.entries())
    if (i % 2 === 0) invite(db, email, `P${i}`, NOW - between(0, 9));
  const done = Array.from({ length: acts }, () => ({
    kind: pick(['logins', 'timelineViews', 'joinClicks'] as const),
    email: pick(people),
    at: randomTime(),
    device: pick(['mobile', 'desktop', 'tablet']),
  }));
  for (const act of done) record(db, act);
  return done;
}

function record(db: Database, { kind, email, at, device }: Act): void {
  const visitor = visitorOf(email);
  const from = { deviceType: device, os: '', browser: '' };
  if (kind === 'logins') recordLogin(db, visitor, from, at);
  else if (kind === 'joinClicks') recordJoinClick(db, visitor, at);
  else recordView(db, visitor, from, { view: 'mobile', forced: false }, at);
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

const latest = (acts: readonly Act[]): number => Math.max(...acts.map(({ at }) => at));
const earliest = (acts: readonly Act[]): number => Math.min(...acts.map(({ at }) => at));

const db = openTestStore();
const all = db.transaction(fill)(db, 3000);
// What an administrator did is in the logs, and in no number of a period.
const ADMIN = 'person0@example.com';
addAdmin(db, ADMIN);
const ofGuests = all.filter(({ email }) => email !== ADMIN);
const emails = Array.from(new Set(all.map(({ email }) => email)));
const byPerson = new Map(emails.map((email) => [email, all.filter((act) => act.email === email)]));

for (const days of [1, 2, 7, 90, 3660, 'all'] as const)
  test(`the statistics of ${days} days`, () => {
    const firstEver = Math.floor(earliest(ofGuests) / DAY);
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
  for (const kinds of [['logins'], ['logins', 'timelineViews'], []] as const) {
    const email = `${kinds.length}@example.com`;
    invite(db, email, null, NOW - 99);
    const acts = kinds.map((kind, i) => ({ kind, email, at: i + 1, device: 'mobile' }));
    for (const act of acts) record(db, act);
    byPerson.set(email, acts);
  }
  const guests = listGuests(db);
  assert.equal(guests.length, 23);
  const order = guests.map(({ invitedAt, email }) => `${NOW - invitedAt}`.padStart(3, '0') + email);
  assert.deepEqual(order, order.toSorted());
  for (const { email, status, logins, timelineViews, joinClicks, lastSeenAt } of guests) {
    const acts = byPerson.get(email) ?? [];
    const counts = { logins, timelineViews, joinClicks };
    assert.deepEqual(counts, countsOf(acts), email);
    assert.equal(status, statusOf(counts));
    assert.equal(lastSeenAt, acts.length === 0 ? null : latest(acts));
  }
});

test('each person who joined has a summary, by the latest click', () => {
  const clicks = of(all, 'joinClicks');
  assert.deepEqual(countJoins(db), { clicks: clicks.length, users: people(clicks) });
  const summary = summarizeJoins(db);
  assert.equal(summary.length, people(clicks));
  for (const row of summary) {
    const acts = of(byPerson.get(row.email) ?? [], 'joinClicks');
    assert.equal(row.clicks, acts.length);
    assert.equal(row.firstAt, earliest(acts));
    assert.equal(row.lastAt, latest(acts));
    const number = Number(/\d+/.exec(row.email));
    assert.equal(row.firstName, number % 2 === 0 ? `P${number}` : null);
  }
  const times = summary.map(({ lastAt }) => lastAt);
  assert.deepEqual(
    times,
    times.toSorted((one, other) => other - one),
  );
});

test('each person with an event has a summary', () => {
  const summary = summarizeEvents(db);
  const seen = [...byPerson.values()].filter((acts) =>
    acts.some(({ kind }) => kind !== 'joinClicks'),
  );
  assert.equal(summary.length, seen.length);
  for (const { email, logins, timelineViews, lastSeenAt } of summary) {
    const acts = (byPerson.get(email) ?? []).filter(({ kind }) => kind !== 'joinClicks');
    assert.deepEqual({ logins, timelineViews, joinClicks: 0 }, countsOf(acts));
    assert.equal(lastSeenAt, latest(acts));
  }
});

test('the logs are the rows, newest first, by person, type and id', () => {
  const [email = ''] = emails;
  const acts = byPerson.get(email) ?? [];
  const limit = 9999;
  assert.equal(listEvents(db, { limit: 7 }).length, 7);
  assert.equal(listEvents(db, { email, type: 'login', limit }).length, of(acts, 'logins').length);
  const clicks = listJoinClicks(db, { email, limit });
  assert.deepEqual(
    clicks.map(({ clickedAt }) => clickedAt),
    of(acts, 'joinClicks')
      .map(({ at }) => at)
      .reverse(),
  );
  const [newest, second] = listEvents(db, { limit });
  assert.deepEqual(listEvents(db, { before: newest?.id, limit })[0], second);
  assert.ok(listEvents(db, { type: 'timeline_view', limit }).every(({ meta }) => meta !== null));
});
