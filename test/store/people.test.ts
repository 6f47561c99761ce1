/** People in the store: every sort, order and filter, compared with a sort in memory. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ListedInvite } from '../../lib/records.ts';
import { openStore, type Store, type Writer } from '../../lib/store/open.ts';
import { INVITE_SORTS, type InviteSearch, STATUSES } from '../../lib/store/people.ts';
import { addInvite, inPages, recordJoin, recordLogin, recordView } from '../support/rows.ts';
import { newStoreFile } from '../support/site.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);
const NAMES = ['Ada', 'ada', 'Zoë', 'Élodie', null, 'O\'Hara "Bo"', '100%', null];
const PEOPLE = 120;

const addresses = (rows: readonly { email: string }[]) => rows.map(({ email }) => email);

describe('the invite list', () => {
  let store: Store;
  let everybody: readonly ListedInvite[];

  before(() => {
    store = openStore(newStoreFile());
    store.transaction((writer) => {
      for (let i = 0; i < PEOPLE; i++) fill(writer, i);
    });
    store.updateTotals();
    everybody = inPages(store.people.list, { sort: 'email', order: 'asc' });
  });
  after(() => store.close());

  it('has all people, with their activity', () => {
    assert.equal(everybody.length, PEOPLE);
    for (const { email, status, timelineViews, firstName } of everybody) {
      const i = numberOf({ email });
      const expected = [viewsOf(i), STATUSES[statusOf(i)], NAMES[i % NAMES.length]];
      assert.deepEqual([timelineViews, status, firstName], expected);
    }
  });

  for (const sort of INVITE_SORTS)
    it(`is sorted by ${sort}, in both orders, for every status, with and without a search`, () => {
      for (const order of ['asc', 'desc'] as const)
        for (const status of [undefined, ...STATUSES])
          for (const text of [undefined, 'a', '@other', 'zoë', '100%', '"bo"']) {
            const search = { sort, order, status, text };
            const expected = everybody
              .filter((row) => status === undefined || row.status === status)
              .filter((row) => !text || textOf(row).some((each) => each.includes(plain(text))))
              .sort((a, b) => compare(a, b, sort, order));
            const found = addresses(inPages(store.people.list, search));
            assert.deepEqual(found, addresses(expected), JSON.stringify(search));
          }
    });

  it('shows each unchanged person once, while others come, go and move between two pages', () => {
    let page = 0;
    const moving = addresses(everybody.slice(0, 20));
    const found = inPages(store.people.list, { sort: 'logins', order: 'desc' }, () => {
      page += 1;
      const email = moving[page % moving.length] ?? '';
      store.transaction((writer) => {
        if (page % 3 === 0) writer.invites.remove(email);
        else recordLogin(writer, email, START);
        addInvite(writer, `new${page}@example.com`, { invitedAt: START });
      });
      store.updateTotals();
    });
    const staying = everybody.slice(20).map(({ email }) => email);
    const seen = addresses(found).filter((email) => staying.includes(email));
    assert.deepEqual(seen.toSorted(), staying.toSorted());
  });
});

/** Person `i` has come as far as this says, and no further. */
const statusOf = (i: number): number => i % 4;

const viewsOf = (i: number): number => (statusOf(i) < 2 ? 0 : 1 + (i % 3));

function fill(writer: Writer, i: number): void {
  const email = `p${i}@${i % 3 ? 'example' : 'other.example'}.com`;
  const invitedAt = START + (i % 11) * HOUR;
  const firstName = NAMES[i % NAMES.length] ?? null;
  addInvite(writer, email, { firstName, invitedBy: `cli${invitedAt % 3}`, invitedAt });
  const at = START + (i % 9) * (HOUR / 3) + (i % 2);
  for (let n = 0; statusOf(i) > 0 && n <= i % 4; n++) recordLogin(writer, email, at);
  for (let n = 0; n < viewsOf(i); n++) recordView(writer, email, at);
  if (statusOf(i) === 3) recordJoin(writer, email, at);
}

/** In the order in which they were invited. */
const numberOf = ({ email }: { email: string }) => Number(/\d+/.exec(email)?.[0]);

/** Enough of folding for the names above. */
const plain = (text: string): string => text.toLowerCase().replace('ë', 'e').replace('é', 'e');

const textOf = ({ email, firstName }: ListedInvite) => [plain(firstName ?? ''), email];

/** Equal people are in the order of their invites, and those of one time in that of the list. */
function compare(
  a: ListedInvite,
  b: ListedInvite,
  sort: InviteSearch['sort'],
  order: InviteSearch['order'],
): number {
  const key = (row: ListedInvite) =>
    sort === 'status'
      ? STATUSES.indexOf(row.status)
      : sort === 'firstName'
        ? plain(row.firstName ?? '')
        : (row[sort] ?? 0);
  const [x, y] = [key(a), key(b)];
  const [sign, tie] = [order, sort === 'invitedAt' ? order : 'asc'].map((each) =>
    each === 'asc' ? 1 : -1,
  );
  return (x < y ? -1 : x > y ? 1 : 0) * (sign ?? 1) || (numberOf(a) - numberOf(b)) * (tie ?? 1);
}
