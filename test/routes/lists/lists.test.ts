/** The lists of the administrator over HTTP: sorting, filters, cursors, and one person. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inject } from '../../support/inject.ts';
import { inviteGuests, TIME } from '../../support/svcops-guests.ts';

const { begin, each, send } = await inject({}, (writer) => {
  for (const name of ['invitee', 'administrator']) writer.invites.remove(`${name}@example.com`);
  inviteGuests(writer);
});
for (const name of ['root', 'ada'])
  await send('POST /auth/login', { json: { email: `${name}@example.com` } });
const cookie = await begin('root');

type Row = Record<string, unknown>;

const get = (at: string) => send(`GET /api/svcops/${at}`, { cookie });

/** A list with one more parameter. */
const withQuery = (at: string, parameter: string) =>
  `${at}${at.includes('?') ? '&' : '?'}${parameter}`;

async function read<T>(at: string): Promise<T> {
  const answer = await get(at);
  assert.equal(answer.status, 200, `${at}: ${answer.text}`);
  return answer.json<T>();
}

/** All rows of a list, read in pages of two. */
async function readAll(at: string, list: string): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor = '';
  for (;;) {
    const reply = await read<Record<string, Row[]> & { next: string | null }>(
      withQuery(at, `limit=2${cursor}`),
    );
    rows.push(...(reply[list] ?? []));
    if (reply.next === null) return rows;
    cursor = `&cursor=${reply.next}`;
  }
}

const names = (rows: readonly Row[]) => rows.map(({ email }) => String(email).split('@')[0]);

describe('GET /api/svcops/invites', () => {
  // test/store/rows/people.test.ts has every sort and filter.
  for (const [query, expected] of [
    ['sort=email&order=asc', 'ada bo cleo dora root'],
    ['sort=invitedAt', 'root dora cleo bo ada'],
    ['sort=joinClicks&order=desc', 'dora ada bo cleo root'],
    ['sort=email&order=asc&status=joined', 'dora'],
    ['sort=email&order=asc&q=OR', 'dora'],
    ['sort=email&order=asc&q=example.com&status=logged_in', 'ada bo root'],
    [`q=${encodeURIComponent('"B"')}`, 'bo'],
    ['sort=email&order=asc&q=', 'ada bo cleo dora root'],
  ] as const)
    it(`of ${query}, in pages, has ${expected}`, async () => {
      assert.equal(names(await readAll(`invites?${query}`, 'invites')).join(' '), expected);
    });
});

describe('GET /api/svcops/joins', () => {
  it('has the clicks and the summary of one person, or only one list', async () => {
    const dora = await read<Record<string, Row[]>>('joins?email=Dora@example.com');
    assert.deepEqual([dora.summary?.length, dora.clicks?.length], [1, 2]);
    const ada = await read<Record<string, Row[]>>('joins?email=ada@example.com');
    assert.deepEqual([ada.summary, ada.clicks], [[], []]);
    const clicks = await read<Record<string, Row[]>>('joins?of=clicks');
    assert.deepEqual([clicks.summary, clicks.clicks?.length], [[], 2]);
  });
});

describe('GET /api/svcops/events', () => {
  it('is filtered by type and by person, newest first', async () => {
    const all = (await readAll('events', 'events')).map(({ id }) => Number(id));
    assert.deepEqual(
      all,
      all.toSorted((a, b) => b - a),
    );
    for (const [query, count] of [
      ['type=login', 5],
      ['email=dora@example.com', 7],
      ['type=timeline_view&email=cleo@example.com', 3],
    ] as const)
      assert.equal((await readAll(`events?${query}`, 'events')).length, count, query);
  });

  it('has session, device and meta of each event', async () => {
    const { events } = await read<{ events: Row[] }>('events?limit=1&email=cleo@example.com');
    assert.deepEqual(events, [
      {
        id: 5,
        type: 'timeline_view',
        email: 'cleo@example.com',
        occurredAt: TIME + 30 * 60_000,
        session: 's1',
        deviceType: 'mobile',
        os: 'iOS',
        browser: 'Mobile Safari',
        meta: { view: 'mobile', forced: true },
      },
    ]);
  });
});

describe('next', () => {
  it('is null exactly if no row follows, also after a full page', async () => {
    const { clicks } = await read<{ clicks: Row[] }>('joins');
    const { events } = await read<{ events: Row[] }>('events');
    for (const [at, rows] of [
      ['invites', 5],
      ['invites?status=joined', 1],
      ['invites?q=dora', 1],
      ['joins?of=clicks', clicks.length],
      ['joins?of=summary', 1],
      ['joins?of=summary&email=dora@example.com', 1],
      ['events', events.length],
      ['events?type=login&email=dora@example.com', 1],
    ] as const)
      for (const [limit, more] of [
        [rows, false],
        [rows + 1, false],
        ...(rows > 1 ? [[rows - 1, true] as const] : []),
      ] as const) {
        const reply = await read<{ next: unknown }>(withQuery(at, `limit=${limit}`));
        const ends = Object.values(Object(reply.next));
        const follows = typeof reply.next === 'string' || ends.some((end) => end !== null);
        assert.equal(follows, more, `${at} ${limit}`);
      }
  });
});

describe('GET /api/svcops/person', () => {
  it('has the totals and devices of one person', async () => {
    const { person, devices } = await read<{ person: Row; devices: Row[] }>(
      'person?email=dora@example.com',
    );
    assert.deepEqual(
      [person.status, person.logins, person.timelineViews, person.joinClicks, person.invitedBy],
      ['joined', 1, 6, 2, 'cli'],
    );
    assert.deepEqual(devices, [
      {
        deviceType: 'mobile',
        os: 'iOS',
        browser: 'Mobile Safari',
        count: 7,
        lastAt: TIME + 30 * 60_000,
      },
    ]);
  });

  it('has no person for an unknown address', async () => {
    assert.deepEqual(await read('person?email=nobody@example.com'), { person: null, devices: [] });
  });
});

describe('an invalid query', () => {
  const PLAIN = `person person?email= person?email=nobody invites?sort=nonsense invites?sort=isAdmin%3Bdrop invites?order=up invites?status=came
    invites?limit=0 invites?limit=501 invites?limit=1e2 invites?limit=x invites?limit=
    joins?limit=-1 invites?q=a%00b invites?cursor=nonsense invites?cursor= events?cursor=-1
    events?cursor=%00 events?type=join events?email=nobody changes?email=x joins?clicks=x joins?summary=x
    invites?q=a&q=a events?from=2026-03-01&from=2026-03-02 joins?of=both joins?format=csv&of=x invites?format=xml`;

  const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const lists = [
    ...PLAIN.split(/\s+/),
    `invites?q=${'x'.repeat(255)}`,
    `invites?sort=logins&cursor=${cursor(['root@example.com', 1])}`,
    `invites?cursor=${cursor([1.5, 'a'])}`,
    `invites?cursor=${cursor([1])}`,
    `invites?cursor=${cursor({ 0: 1, 1: 'a', length: 2 })}`,
    `events?cursor=${cursor('1')}`,
    `events?cursor=${cursor(null)}`,
    `joins?summary=${cursor(['x', 'y'])}`,
    `joins?clicks=${cursor([1])}`,
  ];
  const invalid = { error: 'invalid_query' };
  each(
    lists.map(
      (at) => [`GET /api/svcops/${at}`, 'administrator', 400, invalid, { cookie }] as const,
    ),
  );
});
