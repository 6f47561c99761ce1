/** The administrator's lists over HTTP: sorting, filters, cursors, one person, and exports. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { logIn, send } from '../../support/client.ts';
import { install, type Server } from '../../support/installation.ts';
import { inviteGuests, TIME } from '../../support/svcops-guests.ts';

const site = install();
let server: Server;
let cookie: string;

before(async () => {
  site.write(inviteGuests);
  server = await site.start();
  cookie = await logIn(server.origin, 'root@example.com');
  await logIn(server.origin, 'ada@example.com');
});
after(() => site.remove());

type Row = Record<string, unknown>;

const get = (at: string) => send(server.origin, `GET /api/svcops/${at}`, { cookie });

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
      `${at}${at.includes('?') ? '&' : '?'}limit=2${cursor}`,
    );
    rows.push(...(reply[list] ?? []));
    if (reply.next === null) return rows;
    cursor = `&cursor=${reply.next}`;
  }
}

const names = (rows: readonly Row[]) => rows.map(({ email }) => String(email).split('@')[0]);

describe('GET /api/svcops/invites', () => {
  it('tells the status of everybody', async () => {
    const { invites } = await read<{ invites: Row[] }>('invites?sort=email&order=asc');
    assert.deepEqual(
      invites.map(({ status }) => status),
      ['logged_in', 'logged_in', 'viewed', 'joined', 'logged_in'],
    );
  });

  it('is sorted by any column, over the whole list and not only one page', async () => {
    const orders = {
      'sort=email&order=asc': 'ada bo cleo dora root',
      'sort=invitedAt': 'root dora cleo bo ada',
      'sort=invitedAt&order=asc': 'ada bo cleo dora root',
      'sort=timelineViews&order=desc': 'dora cleo root bo ada',
      'sort=joinClicks&order=desc': 'dora root cleo bo ada',
      'sort=status&order=desc': 'dora cleo root bo ada',
      'sort=firstName&order=desc': 'root bo dora cleo ada',
    };
    for (const [query, expected] of Object.entries(orders))
      assert.equal(names(await readAll(`invites?${query}`, 'invites')).join(' '), expected, query);
  });

  it('is filtered by text and by status', async () => {
    const sorted = 'invites?sort=email&order=asc';
    const found = async (filter: string) =>
      names(await readAll(`${sorted}&${filter}`, 'invites')).join(' ');
    assert.equal(await found('status=joined'), 'dora');
    assert.equal(await found('q=OR'), 'dora');
    assert.equal(await found('q=Do'), 'dora');
    assert.equal(await found('q=oot'), 'root');
    assert.equal(await found('q=example.com&status=logged_in'), 'ada bo root');
    assert.equal(await found(`q=${encodeURIComponent('"B"')}`), 'bo');
    assert.equal(await found('q='), 'ada bo cleo dora root');
  });
});

describe('GET /api/svcops/joins', () => {
  it('gives the clicks and the summary of one person, or one list alone', async () => {
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
    const all = await readAll('events', 'events');
    const ids = all.map(({ id }) => Number(id));
    assert.deepEqual(
      ids,
      [...ids].sort((a, b) => b - a),
    );
    for (const [query, type, email] of [
      ['type=login', 'login', ''],
      ['email=dora@example.com', '', 'dora@example.com'],
      ['type=timeline_view&email=cleo@example.com', 'timeline_view', 'cleo@example.com'],
    ]) {
      const expected = all.filter(
        (event) => (!type || event.type === type) && (!email || event.email === email),
      );
      assert.ok(expected.length > 0);
      assert.deepEqual(await readAll(`events?${query}`, 'events'), expected, query);
    }
  });
});

describe('next', () => {
  it('is null exactly where nothing follows, also behind a page that is full', async () => {
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
        const reply = await read<{ next: unknown }>(
          `${at}${at.includes('?') ? '&' : '?'}limit=${limit}`,
        );
        const ends = Object.values(Object(reply.next));
        const follows = typeof reply.next === 'string' || ends.some((end) => end !== null);
        assert.equal(follows, more, `${at} ${limit}`);
      }
  });
});

describe('GET /api/svcops/person', () => {
  it('tells the totals and devices of one person', async () => {
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

  it('knows nothing of a stranger, and asks for an address', async () => {
    assert.deepEqual(await read('person?email=nobody@example.com'), { person: null, devices: [] });
    for (const at of ['person', 'person?email=', 'person?email=nobody'])
      assert.deepEqual((await get(at)).json(), { error: 'invalid_query' }, at);
  });
});

describe('a query that makes no sense', () => {
  it('is answered with 400 invalid_query', async () => {
    const { next } = await read<{ next: string }>('invites?limit=1&sort=email');
    const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const at of [
      'invites?sort=nonsense',
      'invites?sort=isAdmin%3Bdrop',
      'invites?order=up',
      'invites?status=came',
      'invites?limit=0',
      'invites?limit=501',
      'invites?limit=1e2',
      `invites?q=${'x'.repeat(255)}`,
      'invites?q=a%00b',
      'invites?cursor=nonsense',
      'invites?cursor=',
      `invites?sort=logins&cursor=${next}`,
      `invites?cursor=${cursor([1.5, 'a'])}`,
      `invites?cursor=${cursor([1])}`,
      `invites?cursor=${cursor({ 0: 1, 1: 'a', length: 2 })}`,
      `events?cursor=${cursor('1')}`,
      `events?cursor=${cursor(null)}`,
      'events?type=join',
      'events?email=nobody',
      `joins?summary=${cursor(['x', 'y'])}`,
      `joins?clicks=${cursor([1])}`,
      'joins?of=both',
      'invites?format=xml',
    ]) {
      const answer = await get(at);
      assert.deepEqual([answer.status, answer.json()], [400, { error: 'invalid_query' }], at);
    }
  });
});

describe('an export', () => {
  const csv = async (at: string) => {
    const answer = await get(`${at}${at.includes('?') ? '&' : '?'}format=csv`);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/);
    assert.match(
      answer.headers.get('content-disposition') ?? '',
      /^attachment; filename="[\w-]+\.csv"$/,
    );
    return answer.text.trimEnd().split('\r\n');
  };

  it('begins with a byte order mark, by which spreadsheets know UTF-8', async () => {
    for (const at of ['invites', 'joins?of=summary', 'joins?of=clicks', 'events']) {
      const url = `${server.origin}/api/svcops/${at}${at.includes('?') ? '&' : '?'}format=csv`;
      const reply = await fetch(url, { headers: { Cookie: cookie } });
      const bytes = Buffer.from(await reply.arrayBuffer());
      assert.equal(bytes.subarray(0, 3).toString('hex'), 'efbbbf', at);
      assert.equal(bytes.lastIndexOf('efbbbf', undefined, 'hex'), 0);
    }
  });

  it('has the invite list, sorted and filtered as asked, harmless to spreadsheets', async () => {
    const lines = await csv('invites?sort=email&order=asc&status=logged_in&q=b');
    assert.deepEqual(lines, [
      'email,firstName,isAdmin,invitedBy,invitedAt,status,logins,timelineViews,joinClicks,lastSeenAt',
      `bo@example.com,"'=Bo, ""B""",false,cli,2026-03-01T12:01:00.000Z,logged_in,1,0,0,2026-03-01T12:20:00.000Z`,
    ]);
  });

  it('has the events of a type and a person, and all of them without a filter', async () => {
    const [, ...lines] = await csv('events?type=timeline_view&email=cleo@example.com');
    assert.equal(lines.length, 3);
    assert.match(
      lines[0] ?? '',
      /^\d+,timeline_view,cleo@example\.com,2026-03-01T12:30:00\.000Z,s1,mobile,iOS,Mobile Safari,"\{""view""/,
    );
    assert.equal((await csv('events')).length, 1 + (await readAll('events', 'events')).length);
  });

  it('has the join summary and the click log', async () => {
    assert.deepEqual(await csv('joins?of=summary'), [
      'email,clicks,firstAt,lastAt',
      'dora@example.com,2,2026-03-01T12:40:00.000Z,2026-03-01T12:41:00.000Z',
    ]);
    assert.deepEqual(await csv('joins?of=clicks'), [
      'id,email,session,clickedAt',
      '2,dora@example.com,s1,2026-03-01T12:41:00.000Z',
      '1,dora@example.com,s1,2026-03-01T12:40:00.000Z',
    ]);
  });
});
