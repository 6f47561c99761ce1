/** The invite list as the store finds it: every sort, order and filter, page by page, against a plain sort in memory. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import type { ListedInvite } from '../../../lib/records.ts';
import { openServerStore, openStore, type Store, type Writer } from '../../../lib/store/open.ts';
import {
  INVITE_SORTS,
  type InviteSearch,
  type SearchPosition,
  STATUSES,
} from '../../../lib/store/rows/people.ts';
import { MIGRATIONS, migrateTo, TABLES_VERSION } from '../../support/old-store.ts';
import { inviteGuests } from '../../support/svcops-guests.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);
const NAMES = ['Ada', 'ada', 'Zoë', 'Élodie', null, 'O\'Hara "Bo"', '100%', null];
const PEOPLE = 120;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-test-'));
after(() => fs.rmSync(folder, { recursive: true }));

const newFile = () => path.join(fs.mkdtempSync(path.join(folder, 'store-')), 'guestlist.db');

function invite(
  { invites }: Writer,
  email: string,
  firstName: string | null,
  invitedAt = START,
): void {
  invites.add({ email, firstName, invitedBy: `cli${invitedAt % 3}`, invitedAt });
}

/** Reads a whole list in pages of `limit`; `between` is called behind each. */
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

  it('has everybody, with what they have done', () => {
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
    it(`is sorted by ${sort}, either way, of every status, with and without a text`, () => {
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

  it('shows once who stays where they are, whoever comes, goes and moves between two pages', () => {
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

describe('a text', () => {
  const file = newFile();
  let store: Store;
  let byHand: Database.Database;

  beforeEach(() => {
    store?.close();
    byHand?.close();
    store = openStore(file);
    byHand = new Database(file);
    byHand.exec('delete from invites');
  });
  after(() => {
    store.close();
    byHand.close();
  });

  const add = (email: string, firstName: string | null) =>
    store.transaction((writer) => invite(writer, email, firstName));
  const find = (text: string) =>
    store.people
      .list({ sort: 'email', order: 'asc', text, limit: 10 })
      .rows.map((row) => row.firstName);

  /** What each name is found by. */
  const FOUND: Readonly<Record<string, readonly string[]>> = {
    İpek: ['İpek', 'ipek', 'IPEK', 'İ', 'i', 'pek', 'ip'],
    Émile: ['é', 'ém', 'émi', 'émil', 'E', 'em', 'EMILE', 'ÉMILE', 'e\u0301mile', 'ile'],
    'E\u0301lodie': ['É', 'él', 'elodie'],
    Zoë: ['zoe', 'ZOË', 'oë', 'ë'],
    Weiß: ['weiß', 'WEISS', 'weiss', 'WEIẞ', 'ß', 's'],
    Işıl: ['ışıl', 'isil', 'IŞIL', 'ı', 'şı'],
    Łukasz: ['lukasz', 'ŁUK', 'ł', 'l'],
    Søren: ['soren', 'SØREN', 'ø'],
    Ægir: ['aegir', 'Æ'],
    Ὀδυσσεύς: ['οδυσσευς', 'ΟΔΥΣΣΕΥΣ', 'ς', 'σευσ'],
    Фёдор: ['федор', 'ФЁДОР', 'ё'],
    한결: ['한', '결', '한결'],
    'Nguyễn Thị': ['nguyen', 'nguyễn', 'thi', 'n t'],
    'O’Hara': ["o'hara", 'O’HARA', '’', "'"],
    '100%_\\': ['%', '_', '\\', '0%_'],
    Ａｄａ: ['ada', 'ＡＤＡ'],
    '👩‍💻': ['👩‍💻', '👩'],
  };

  for (const [name, texts] of Object.entries(FOUND))
    it(`finds ${name}, whatever its case, accents and length`, () => {
      add('x@y.zz', name);
      add('q@y.zz', 'Q');
      for (const text of texts) assert.deepEqual(find(text), [name], text);
      assert.deepEqual(find(`${name}x`), []);
      assert.deepEqual(find(`x${name}`), []);
    });

  it('finds a part of an address, and its domain as people read it', () => {
    add('josé.díaz@xn--mller-kva.example.com', 'J');
    add('other@example.com', 'O');
    for (const text of ['josé', 'JOSE', 'e.di', 'xn--mll', 'müller', 'diaz@muller.ex', '@xn'])
      assert.deepEqual(find(text), ['J'], text);
    assert.deepEqual(find('example.com'), ['J', 'O']);
    assert.deepEqual(find('@'), ['J', 'O']);
  });

  it('of white space or marks alone finds everybody, and none spans name and address', () => {
    add('x@y.zz', 'Ada');
    for (const text of ['', ' ', '\u0301', ' ada ']) assert.deepEqual(find(text), ['Ada']);
    for (const text of ['adax', 'ada x', 'zzada']) assert.deepEqual(find(text), []);
  });

  it('finds a new first name, and no longer the former one', () => {
    add('x@y.zz', 'Wilhelmina');
    store.transaction(({ invites }) => invites.setFirstName('x@y.zz', 'Hildegärd'));
    assert.deepEqual([find('wilhelm'), find('HILDEGARD')], [[], ['Hildegärd']]);
    store.transaction(({ invites }) => invites.remove('x@y.zz'));
    assert.deepEqual(find('hilde'), []);
  });

  it('finds whom another program has written, which knows nothing of folding', async () => {
    add('a@y.zz', 'Ada');
    byHand.exec(`replace into invites (email, first_name, invited_by, invited_at)
      values ('a@y.zz', 'Émile', 'cli', 1), ('b@y.zz', null, 'cli', 2)`);
    add('c@y.zz', 'Ada');
    byHand.exec("update invites set first_name = 'Zoë' where email = 'c@y.zz'");
    const check = () => {
      assert.deepEqual(
        [find('emi'), find('b@'), find('zoe'), find('ada')],
        [['Émile'], [null], ['Zoë'], []],
      );
      const sorted = store.people.list({ sort: 'firstName', order: 'desc', limit: 10 });
      assert.deepEqual(addresses(sorted.rows), ['c@y.zz', 'a@y.zz', 'b@y.zz']);
    };
    check();
    const unfolded = () =>
      byHand.prepare('select count(*) from people where folded is null').pluck().get();
    assert.equal(unfolded(), 3);
    const server = openServerStore(file);
    await server.close();
    assert.equal(unfolded(), 0, 'folded once, when the server starts');
    check();
  });
});

describe('what is kept of people', () => {
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

  it('is made by the migrations as the triggers would have kept it', () => {
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

  it('goes back when rows are deleted by hand', () => {
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
