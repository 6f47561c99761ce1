/** Every list of the store by every sort and filter, and every period, compared with plain SQL. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { ALL_ACTS, INVITE_SORTS, STATUSES } from '../../lib/store/people.ts';
import { formatDay, parseDay } from '../../lib/store/period.ts';
import { storeAt } from '../support/installation.ts';
import { randomFrom } from '../support/random.ts';
import { handsOn, newFilledStore, PERIODS, randomTo } from './by-hand.ts';
import { comparison } from './counted.ts';

const file = newFilledStore(20, 150);
const db = new Database(file);
after(() => db.close());
const { any } = handsOn(db, randomTo(randomFrom(21)));
for (let i = 0; i < 100; i += 1) any();
const { assertInvites, assertPeriod, assertPerson } = comparison(db);
const { read } = storeAt(file);

for (const sort of INVITE_SORTS)
  it(`the invite list is sorted by ${sort}, for every status, with and without a search`, () =>
    read((readers) => {
      for (const order of ['asc', 'desc'] as const)
        for (const statuses of [undefined, ...STATUSES.map((status) => [status]), STATUSES])
          for (const text of [undefined, 'a', 'p3', '@example', '"', '%'])
            assertInvites(readers, { sort, order, statuses, text });
    }));

describe('a period', () => {
  for (const period of PERIODS)
    it(`has its own rows: ${period?.from} to ${period?.to}`, () =>
      read((readers) => {
        assertPeriod(readers, period);
        for (const email of ['p1@example.com', 'p10@example.com'])
          assertPerson(readers, { email, period });
        for (const did of [undefined, ...ALL_ACTS])
          assertInvites(readers, { sort: 'email', order: 'asc', did, period });
      }));
});

it('a day is YYYY-MM-DD, and exists', () => {
  assert.equal(formatDay(parseDay('2028-02-29') ?? 0), '2028-02-29');
  for (const text of ['2026-02-29', '2026-13-01', '2026-2-1', '20260201', '', 'x', '2026-02-01T00'])
    assert.equal(parseDay(text), undefined, text);
});
