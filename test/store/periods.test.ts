/** Lists, sums and days of the store, of all time and of periods, compared with all rows in memory. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PersonTotals } from '../../lib/records.ts';
import { openStore, type Store } from '../../lib/store/open.ts';
import { readAllPages } from '../../lib/store/paging.ts';
import { dayOf, formatDay, type Period, parseDay } from '../../lib/store/period.ts';
import { addInvite, inPages, recordJoin, recordLogin, recordView } from '../support/rows.ts';
import { newStoreFile } from '../support/site.ts';

const DAY = 86_400_000;
const FIRST = dayOf(Date.UTC(2026, 1, 25));
const EVENTS = 240;

/** The clock goes back by two days every 50 rows, so ids and times disagree. */
const timeOf = (i: number) => Math.round((FIRST + (i % 50) / 12 + Math.floor(i / 50) * 2) * DAY);

const PERIODS: readonly Period[] = [-5, 0, 1, 4, 9].flatMap((from) => [
  { from: FIRST + from, to: FIRST + from },
  { from: FIRST + from, to: FIRST + from + 3 },
  { from: FIRST + from, to: Infinity },
  { from: -Infinity, to: FIRST + from },
]);

const file = newStoreFile();
let store: Store;
before(() => {
  store = openStore(file);
  store.transaction((writer) => {
    for (let i = 0; i < EVENTS; i += 1) {
      const email = `p${i % 7}@example.com`;
      addInvite(writer, email, { invitedAt: timeOf(i * 5) });
      (i % 3 === 0 ? recordLogin : recordView)(writer, email, timeOf(i));
      if (i % 4 === 0) recordJoin(writer, email, timeOf(i));
    }
  });
  store.updateTotals();
});
after(() => store.close());

it('the lists of all time are newest first, by type and by person', () => {
  const ids = (filter: object) => inPages(store.events.list, filter).map(({ id }) => id - 1);
  const all = Array.from({ length: EVENTS }, (_, i) => EVENTS - 1 - i);
  const email = 'p3@example.com';
  for (const [filter, every, first] of [
    [{}, 1, 0],
    [{ type: 'login' }, 3, 0],
    [{ email }, 7, 3],
    [{ type: 'login', email }, 21, 3],
  ] as const) {
    const expected = all.filter((i) => i % every === first);
    assert.deepEqual(ids(filter), expected);
  }
});

describe('a period', () => {
  for (const period of PERIODS) {
    const isIn = (ms: number) => dayOf(ms) >= period.from && dayOf(ms) <= period.to;

    it(`has its own rows: ${period.from - FIRST} to ${period.to - FIRST}`, async () => {
      const events = [...readAllPages(store.events.list, {})].filter((row) => isIn(row.occurredAt));
      for (const type of [undefined, 'login'] as const)
        for (const email of [undefined, 'p3@example.com'])
          assert.deepEqual(
            inPages(store.events.list, { type, email, period }),
            events.filter((row) => (!type || row.type === type) && (!email || row.email === email)),
          );

      const clicks = [...readAllPages(store.joins.list, {})].filter((row) => isIn(row.clickedAt));
      assert.deepEqual(inPages(store.joins.list, { period }), clicks);
      const joined = [...readAllPages(store.joins.summary, {})].filter((row) => isIn(row.firstAt));
      assert.deepEqual(inPages(store.joins.summary, { period }), joined);
      const stats = { clicks: clicks.length, users: joined.length };
      assert.deepEqual(store.joins.stats({ period }), stats);

      const logins = events.filter(({ type }) => type === 'login');
      const views = events.filter(({ type }) => type === 'timeline_view');
      const [loggedIn, viewed, pressed] = [logins, views, clicks].map(
        (rows) => new Set(rows.map(({ email }) => email)).size,
      );
      assert.deepEqual(await store.totals.people(period), { loggedIn, viewed, joined: pressed });
      assert.deepEqual(store.totals.activity(period), {
        logins: logins.length,
        timelineViews: views.length,
        joinClicks: clicks.length,
      });

      const search = { sort: 'email', order: 'asc' } as const;
      const invites = [...readAllPages(store.people.list, search)].filter((row) =>
        isIn(row.invitedAt),
      );
      assert.deepEqual(inPages(store.people.list, { ...search, period }), invites);

      const seen = [...new Set(events.map(({ email }) => email))].map((email) => {
        const own = events.filter((row) => row.email === email);
        const logins = own.filter(({ type }) => type === 'login').length;
        const lastSeenAt = Math.max(...own.map((row) => row.occurredAt));
        return { email, logins, timelineViews: own.length - logins, lastSeenAt };
      });
      const order = (one: PersonTotals, other: PersonTotals) =>
        other.lastSeenAt - one.lastSeenAt || (one.email < other.email ? -1 : 1);
      assert.deepEqual([...store.people.seen(period)], seen.toSorted(order));
    });
  }

  it('of all data begins with the first day that has a row', () =>
    assert.equal(store.totals.firstDay(), FIRST));
});

it('a day is YYYY-MM-DD, and exists', () => {
  assert.equal(formatDay(parseDay('2028-02-29') ?? 0), '2028-02-29');
  for (const text of ['2026-02-29', '2026-13-01', '2026-2-1', '20260201', '', 'x', '2026-02-01T00'])
    assert.equal(parseDay(text), undefined, text);
});
