/** The invite list as the store finds it: every sort, order and filter, page by page, against a plain sort in memory. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type ListedInvite, STATUSES } from '../lib/store/invite-columns.ts';
import {
  INVITE_SORTS,
  type InviteSearch,
  type SearchPosition,
} from '../lib/store/invite-search.ts';
import { openStore, type Store } from '../lib/store/open.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);
const NAMES = ['Ada', 'ada', 'Zoë', 'Élodie', null, 'O\'Hara "Bo"', '100%', null];
const PEOPLE = 120;

describe('searching the invite list', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-test-'));
  let store: Store;
  let everybody: readonly ListedInvite[];

  before(() => {
    store = openStore(path.join(folder, 'guestlist.db'));
    store.transaction(() => {
      for (let i = 0; i < PEOPLE; i++) fill(store, i);
    });
    everybody = store.invites.search({ sort: 'email', order: 'asc' }, PEOPLE + 1).rows;
  });

  after(() => {
    store.close();
    fs.rmSync(folder, { recursive: true });
  });

  test('a list without a filter has everybody, with what they have done', () => {
    assert.equal(everybody.length, PEOPLE);
    for (const invite of everybody) {
      const i = Number(/\d+/.exec(invite.email)?.[0]);
      assert.equal(invite.timelineViews, viewsOf(i));
      assert.equal(invite.status, STATUSES[statusOf(i)]);
      assert.equal(invite.firstName, NAMES[i % NAMES.length]);
    }
  });

  for (const sort of INVITE_SORTS) {
    test(`by ${sort}, either way, of every status, with and without a text`, () => {
      for (const order of ['asc', 'desc'] as const)
        for (const status of [undefined, ...STATUSES])
          for (const text of [undefined, 'a', '@other', 'zoë', '100%', '"bo"'])
            check({ sort, order, status, text });
    });
  }

  test('many matches are found in the same order as few', () => {
    store.transaction(() => {
      for (let i = 0; i < 2100; i++)
        invite(store, `crowd${i}@many.example.com`, 'Crowd', START - i);
    });
    everybody = store.invites.search({ sort: 'email', order: 'asc' }, 5000).rows;
    for (const text of ['crowd', 'c', 'many.ex', 'wd77'])
      for (const sort of ['invitedAt', 'firstName', 'timelineViews'] as const)
        check({ sort, order: 'desc', text }, 500);
  });

  test('who is erased leaves no letters behind', () => {
    invite(store, 'quixotic@example.com', 'Quixotl', START);
    const search = { sort: 'email', order: 'asc', text: 'quixot' } as const;
    assert.equal(store.invites.search(search, 10).rows.length, 1);
    store.invites.remove('quixotic@example.com');
    assert.equal(store.invites.search(search, 10).rows.length, 0);
    assert.equal(store.people.find('quixotic@example.com'), undefined);
  });

  test('a new first name is found at once, the former no longer', () => {
    invite(store, 'renamed@example.com', 'Wilhelmina', START);
    store.invites.setFirstName('renamed@example.com', 'Hildegard');
    const find = (text: string) =>
      store.invites.search({ sort: 'email', order: 'asc', text }, 10).rows.length;
    assert.deepEqual([find('wilhelm'), find('HILDEG')], [0, 1]);
  });

  /** Reads a whole list in small pages and compares it with a sort in memory. */
  function check(search: InviteSearch, limit = 7): void {
    const found: ListedInvite[] = [];
    let next: SearchPosition | null | undefined;
    do {
      const page = store.invites.search(search, limit, next ?? undefined);
      found.push(...page.rows);
      next = page.next;
    } while (next);
    const expected = everybody
      .filter(({ status }) => search.status === undefined || status === search.status)
      .filter((row) => matches(row, search.text))
      .sort((a, b) => compare(a, b, search.sort));
    if (search.order === 'desc') expected.reverse();
    assert.deepEqual(
      found.map(({ email }) => email),
      expected.map(({ email }) => email),
      JSON.stringify(search),
    );
  }
});

/** Person `i` has come as far as this says, and no further. */
const statusOf = (i: number): number => i % 4;

/** Around 1,000 the rank of the views begins to be coarse. */
const viewsOf = (i: number): number => (statusOf(i) < 2 ? 0 : i % 5 === 0 ? 990 + i : 1 + (i % 3));

function fill(store: Store, i: number): void {
  const email = `p${i}@${i % 3 ? 'example' : 'other.example'}.com`;
  invite(store, email, NAMES[i % NAMES.length] ?? null, START + (i % 11) * HOUR);
  const device = { session: 's', deviceType: 'desktop', os: '', browser: '' };
  const occurredAt = START + (i % 9) * (HOUR / 3) + (i % 2);
  for (let n = 0; statusOf(i) > 0 && n <= i % 4; n++)
    store.events.record({ type: 'login', email, occurredAt, ...device, meta: null });
  for (let n = 0; n < viewsOf(i); n++)
    store.events.record({
      type: 'timeline_view',
      email,
      occurredAt,
      ...device,
      meta: { view: 'desktop', forced: false },
    });
  if (statusOf(i) === 3) store.joins.record({ email, session: 's', clickedAt: occurredAt });
}

function invite(store: Store, email: string, firstName: string | null, invitedAt: number): void {
  store.invites.add({ email, firstName, invitedBy: `cli${invitedAt % 3}`, invitedAt });
}

function matches({ email, firstName }: ListedInvite, text?: string): boolean {
  if (text === undefined) return true;
  const fields = [email, (firstName ?? '').toLowerCase()];
  return fields.some((field) => (text.length < 3 ? field.startsWith(text) : field.includes(text)));
}

function compare(a: ListedInvite, b: ListedInvite, sort: (typeof INVITE_SORTS)[number]): number {
  const key = (row: ListedInvite) => {
    const value = row[sort] ?? (sort === 'firstName' ? '' : 0);
    if (sort === 'status') return STATUSES.indexOf(row.status);
    return typeof value === 'string' ? Buffer.from(value.replace(/[A-Z]/g, lower)) : value;
  };
  const [x, y] = [key(a), key(b)];
  const difference =
    x instanceof Buffer && y instanceof Buffer ? Buffer.compare(x, y) : Number(x) - Number(y);
  return difference || Buffer.compare(Buffer.from(a.email), Buffer.from(b.email));
}

const lower = (letter: string): string => letter.toLowerCase();
