/** Pages of a long log as JSON: read in parts, between which others are answered. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { withDatabase } from '../support/database.ts';
import { startService } from '../support/service.ts';

const { beginSession, file, send } = await startService();

const RARE = 'rare@example.com';
/** More than two parts of the log. */
const ROWS = 50_000;
/** The ids of the rare rows, newest first. */
const IDS = [49_999, 45_000, 44_999, 30_001, 12_000, 11_000];
const DAY = '1970-01-02';

const FILL = `
  create temp table n as
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ROWS})
    select i, iif(i in (${IDS}), '${RARE}', 'crowd@example.com') as email,
      iif(i in (${IDS}), 86400000, 0) as at
    from n;
  insert into events select i, 'login', email, at, 's', 'd', 'o', 'b', null from n;
  insert into project_joins select i, email, 's', at from n;`;

type Rows = readonly { readonly id: number }[];
type Reply = {
  readonly events: Rows;
  readonly clicks: Rows;
  readonly next: string | null | { readonly clicks: string | null };
};

let cookie = '';
before(async () => {
  withDatabase(file, (db) => db.exec(FILL));
  cookie = await beginSession('administrator');
});

/** Reads a list of events or join clicks to its end. @returns the ids of each page */
async function pagesOf(list: string, limit: number): Promise<readonly (readonly number[])[]> {
  const pages = [];
  let cursor = '';
  while (pages.length <= IDS.length) {
    const answer = await send(`GET /api/svcops/${list}&limit=${limit}${cursor}`, { cookie });
    assert.equal(answer.status, 200, answer.text);
    const reply = answer.json<Reply>();
    const rows = list.startsWith('events') ? reply.events : reply.clicks;
    pages.push(rows.map(({ id }) => id));
    const next = typeof reply.next === 'object' ? reply.next?.clicks : reply.next;
    if (typeof next !== 'string') break;
    cursor = list.startsWith('events') ? `&cursor=${next}` : `&clicks=${next}`;
  }
  return pages;
}

describe('pages are full, and only the last one has no next:', () => {
  for (const list of [
    `events?email=${RARE}`,
    `events?email=${RARE}&type=login`,
    `events?email=${RARE}&from=${DAY}`,
    `events?from=${DAY}`,
    `joins?of=clicks&from=${DAY}`,
    `joins?of=clicks&email=${RARE}&from=${DAY}`,
    `joins?of=clicks&email=${RARE}`,
  ])
    it(list, async () => {
      for (const limit of [1, 2, 3, 4, 6, 7]) {
        const expected = [];
        for (let i = 0; i < IDS.length; i += limit) expected.push(IDS.slice(i, i + limit));
        assert.deepEqual(await pagesOf(list, limit), expected);
      }
    });
});

for (const list of ['events', 'person'])
  it(`others are answered between two parts of a search: ${list}`, async () => {
    const order: string[] = [];
    const search = send(`GET /api/svcops/${list}?email=${RARE}`, { cookie });
    const searched = search.then(() => order.push('search'));
    const other = send('GET /robots.txt').then(() => order.push('other'));
    await Promise.all([searched, other]);
    assert.deepEqual(order, ['other', 'search']);
  });
