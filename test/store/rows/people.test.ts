/** People in the store: every sort, order and filter, compared with a sort in memory. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import type { ListedInvite } from '../../../lib/records.ts';
import { openStore, type Store, type Writer } from '../../../lib/store/open.ts';
import {
  INVITE_SORTS,
  type InviteSearch,
  type SearchPosition,
  STATUSES,
} from '../../../lib/store/rows/people.ts';
import { MIGRATIONS, migrateTo, TABLES_VERSION } from '../../support/old-store.ts';
import { temporaryFolder } from '../../support/site.ts';
import { inviteGuests } from '../../support/svcops-guests.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);
const NAMES = ['Ada', 'ada', 'Zoë', 'Élodie', null, 'O\'Hara "Bo"', '100%', null];
const PEOPLE = 120;

const newFile = () => path.join(temporaryFolder(), 'guestlist.db');

function invite(
  { invites }: Writer,
  email: string,
  firstName: string | null,
  invitedAt = START,
): void {
  invites.add({ email, firstName, invitedBy: `cli${invitedAt % 3}`, invitedAt });
}

/** Reads a whole list in pages of `limit`. Calls `between` after each page. */
function readAll(
  store: Store,
  search: InviteSearch,
  limit = 7,
  between = () => {},
): ListedInvite[] {
  const found: ListedInvite[] = [];
  for (let after: SearchPosition | undefined; ; ) {
    const { rows, next } = store.people.list({ ...search, limit, after });
    found.push(...rows);
    if (next === null) return found;
    after = next;
    between();
  }
}

const addresses = (rows: readonly { email: string }[]) => rows.map(({ email }) => email);

describe('the invite list', () => {
  let store: Store;
  let everybody: readonly ListedInvite[];

  before(() => {
    store = openStore(newFile());
    store.transaction((writer) => {
      for (let i = 0; i < PEOPLE; i++) fill(writer, i);
    });
    everybody = readAll(store, { sort: 'email', order: 'asc' });
  });
  after(() => store.close());

  it('has all people, with their activity', () => {
    assert.equal(everybody.length, PEOPLE);
    for (const { email, status, timelineViews, firstName } of everybody) {
      const i = numberOf({ email });
      assert.deepEqual(
        [timelineViews, status, firstName],
        [viewsOf(i), STATUSES[statusOf(i)], NAMES[i % NAMES.length]],
      );
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
              .sort((a, b) => compare(a, b, sort));
            if (order === 'desc') expected.reverse();
            assert.deepEqual(
              addresses(readAll(store, search)),
              addresses(expected),
              JSON.stringify(search),
            );
          }
    });

  it('shows each unchanged person once, while others come, go and move between two pages', () => {
    let page = 0;
    const moving = addresses(everybody.slice(0, 20));
    const found = readAll(store, { sort: 'logins', order: 'desc' }, 7, () => {
      page += 1;
      const email = moving[page % moving.length] ?? '';
      store.transaction((writer) => {
        if (page % 3 === 0) writer.invites.remove(email);
        else login(writer, email, START);
        invite(writer, `new${page}@example.com`, null);
      });
    });
    const staying = everybody.slice(20).map(({ email }) => email);
    const seen = addresses(found).filter((email) => staying.includes(email));
    assert.deepEqual(seen.toSorted(), staying.toSorted());
  });
});

/** Person `i` has come as far as this says, and no further. */
const statusOf = (i: number): number => i % 4;

const viewsOf = (i: number): number => (statusOf(i) < 2 ? 0 : 1 + (i % 3));

const DEVICE = { session: 's', deviceType: 'desktop', os: '', browser: '' };

function login({ events }: Writer, email: string, occurredAt: number): void {
  events.record({ type: 'login', email, occurredAt, ...DEVICE, meta: null });
}

function fill(writer: Writer, i: number): void {
  const email = `p${i}@${i % 3 ? 'example' : 'other.example'}.com`;
  invite(writer, email, NAMES[i % NAMES.length] ?? null, START + (i % 11) * HOUR);
  const occurredAt = START + (i % 9) * (HOUR / 3) + (i % 2);
  for (let n = 0; statusOf(i) > 0 && n <= i % 4; n++) login(writer, email, occurredAt);
  const meta = { view: 'desktop', forced: false } as const;
  for (let n = 0; n < viewsOf(i); n++)
    writer.events.record({ type: 'timeline_view', email, occurredAt, ...DEVICE, meta });
  if (statusOf(i) === 3) writer.joins.record({ email, session: 's', clickedAt: occurredAt });
}

/** In the order in which they were invited. */
const numberOf = ({ email }: { email: string }) => Number(/\d+/.exec(email)?.[0]);

/** Enough of folding for the names above. */
const plain = (text: string): string => text.toLowerCase().replace('ë', 'e').replace('é', 'e');

const textOf = ({ email, firstName }: ListedInvite) => [plain(firstName ?? ''), email];

function compare(a: ListedInvite, b: ListedInvite, sort: (typeof INVITE_SORTS)[number]): number {
  const key = (row: ListedInvite) =>
    sort === 'status'
      ? STATUSES.indexOf(row.status)
      : sort === 'firstName'
        ? plain(row.firstName ?? '')
        : (row[sort] ?? 0);
  const [x, y] = [key(a), key(b)];
  return x < y ? -1 : x > y ? 1 : numberOf(a) - numberOf(b);
}

describe('the table people', () => {
  const file = newFile();
  let db: Database.Database;

  before(() => {
    const store = openStore(file);
    store.transaction(inviteGuests);
    store.close();
    db = new Database(file);
  });
  after(() => db.close());

  const people = (of: Database.Database) =>
    of
      .prepare<[], Record<string, unknown>>('select * from people order by email')
      .all()
      .map(({ id, folded, ...person }) => person);

  it('is filled by the migration like by the triggers', () => {
    const old = new Database(':memory:');
    migrateTo(old, TABLES_VERSION);
    old.prepare('attach ? as kept').run(file);
    for (const table of ['invites', 'events', 'project_joins'])
      old.exec(`insert into main.${table} select * from kept.${table}`);
    old.exec('detach kept');
    migrateTo(old, MIGRATIONS.length);
    assert.equal(people(old).length, 5);
    assert.deepEqual(people(old), people(db));
    old.close();
  });

  it('follows rows that are deleted by hand', () => {
    const statuses = () =>
      db.prepare('select status from people where invited order by email').pluck().all();
    assert.deepEqual(statuses(), [0, 1, 2, 3, 0]);
    db.exec("delete from project_joins where email = 'dora@example.com'");
    db.exec("delete from events where email = 'cleo@example.com' and event_type = 'timeline_view'");
    db.exec("delete from events where email = 'bo@example.com'");
    assert.deepEqual(statuses(), [0, 0, 1, 2, 0]);
    db.exec("delete from invites where email = 'dora@example.com'");
    assert.deepEqual(statuses(), [0, 0, 1, 0]);
    const [dora] = db.prepare("select * from people where email = 'dora@example.com'").all();
    const { invited, first_name, invited_by, folded } = Object(dora);
    assert.deepEqual([invited, first_name, invited_by, folded], [0, null, null, null]);
  });
});
