/** Pages of logs: how many rows they visit. The query plans of a good and a bad page look alike. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import type { ListPage } from '../../lib/records.ts';
import { changeReader } from '../../lib/store/changes.ts';
import { createCountTables, logCounter } from '../../lib/store/counting.ts';
import { eventReader } from '../../lib/store/events.ts';
import { joinReader } from '../../lib/store/joins.ts';
import { openStore } from '../../lib/store/open.ts';
import type { PageQuery } from '../../lib/store/paging.ts';
import { peopleReader } from '../../lib/store/people.ts';
import { totalsReader } from '../../lib/store/totals.ts';
import { newStoreFile } from '../support/temporary.ts';

/** The rows of each log. Day 0 has the first 1,000, day 1 the next ones. */
const ROWS = 5000;
const DAY = 86_400_000;
const LIMIT = 50;
const VISITS = 600;

/** One of ten people is `p0@example.com`, and one of four events is a login. */
const FILL = `
  create temp table n as
    with recursive n (i) as (select 0 union all select i + 1 from n where i + 1 < ${ROWS})
    select i, 'p' || (i % 10) || '@example.com' as email, i / 1000 * ${DAY} + i as at from n;
  insert into events
    select i + 1, iif(i % 4 = 0, 'login', 'timeline_view'), email, at, 's', 'd', 'o', 'b',
      iif(i % 4 = 0, null, '{}')
    from n;
  insert into project_joins select i + 1, email, 's', at from n;
  insert into changes select i + 1, at, 'root', 'cli', 'invited', email, null from n;`;

const file = newStoreFile();
openStore(file).close();
const db = new Database(file);
after(() => void db.close());
db.exec(FILL);
createCountTables(db);
const countNew = logCounter(db);
countNew();
const people = peopleReader(db);
const events = eventReader(db);
const joins = joinReader(db, totalsReader(db), people);
const changes = changeReader(db);

let visited = 0;
db.function('visit', () => {
  visited += 1;
  return 1;
});
// Each row of a log that a statement visits, it now passes to the function.
for (const log of ['events', 'project_joins', 'changes'])
  db.exec(`create temp view ${log} as select * from main.${log} where visit()`);

const DEEP = { limit: LIMIT, after: 2900 };
const SOME_DAYS = { from: 1, to: 3 };
const PERSON = 'p0@example.com';

describe('deep in a list, a page visits its own rows alone:', () => {
  const pages = {
    events: () => events.list(DEEP),
    'events of some days': () => events.list({ ...DEEP, period: SOME_DAYS }),
    logins: () => events.list({ ...DEEP, type: 'login' }),
    'logins of some days': () => events.list({ ...DEEP, type: 'login', period: SOME_DAYS }),
    joins: () => joins.list(DEEP),
    'joins of a person': () => joins.list({ ...DEEP, email: PERSON }),
    changes: () => changes.list(DEEP),
    'changes of a person': () => changes.list({ ...DEEP, email: PERSON }),
  };
  for (const [name, readPage] of Object.entries(pages))
    it(name, () => {
      visited = 0;
      assert.equal(readPage().rows.length, LIMIT);
      assert.ok(visited >= LIMIT && visited <= LIMIT + 1, `${visited} rows`);
    });

  it('views, without the logins between them', () => {
    visited = 0;
    const { rows, next } = events.list({ ...DEEP, type: 'timeline_view' });
    assert.equal(rows.length, LIMIT);
    assert.equal(visited, DEEP.after - (next ?? 0));
  });
});

type Part = ListPage<{ readonly id: number }, number>;

/**
 * Reads a list to its end.
 *
 * @returns the ids of its rows, and how many rows each part and all visited
 */
function readInParts(list: (page: PageQuery) => Part) {
  const ids: number[] = [];
  const visits: number[] = [];
  let total = 0;
  let after: number | null = Infinity;
  while (after !== null && visits.length < ROWS) {
    visited = 0;
    const part: Part = list({ limit: LIMIT, visits: VISITS, after });
    ids.push(...part.rows.map(({ id }) => id));
    visits.push(visited);
    total += visited;
    after = part.next;
  }
  return { ids, visits, total };
}

describe('without an index, a list visits each row once, in parts:', () => {
  const lists = {
    'events of a person': (page: PageQuery) => events.list({ ...page, email: PERSON }),
    'logins of a person': (page: PageQuery) =>
      events.list({ ...page, email: PERSON, type: 'login' }),
    'joins of a day': (page: PageQuery) => joins.list({ ...page, period: { from: 1, to: 1 } }),
  };
  for (const [name, list] of Object.entries(lists))
    it(name, () => {
      const whole = list({ limit: ROWS }).rows.map(({ id }) => id);
      const { ids, visits, total } = readInParts(list);
      assert.deepEqual(ids, whole);
      assert.ok(Math.max(...visits) <= VISITS, `${visits} rows`);
      assert.ok(total <= ROWS + visits.length, `${total} rows`);
    });

  it('and no row for a person without events', () => {
    visited = 0;
    const { rows } = events.list({ limit: LIMIT, email: 'x@example.com' });
    assert.deepEqual({ rows, visited }, { rows: [], visited: 0 });
  });
});

it('a day with events far apart is read in parts', () => {
  db.exec(
    `insert into main.events
     values (1000000, 'login', '${PERSON}', ${4 * DAY}, 's', 'd', 'o', 'b', null),
       (2000000, 'login', '${PERSON}', 0, 's', 'd', 'o', 'b', null)`,
  );
  countNew();
  const period = { from: 0, to: 0 };
  const { ids, visits } = readInParts((page) => events.list({ ...page, period }));
  assert.equal(ids.length, 1001);
  assert.ok(Math.max(...visits) <= VISITS, `${visits} rows`);
  assert.ok(visits.length < 40, `${visits.length} parts`);
});
