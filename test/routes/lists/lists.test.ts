/** The lists of the administrator, as JSON in pages and as CSV: sorting, filters and cursors. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withDatabase } from '../../support/database.ts';
import { inject } from '../../support/inject.ts';
import {
  addInvite,
  FORCED,
  PHONE,
  recordJoin,
  recordLogin,
  recordView,
} from '../../support/rows.ts';

/** The time of the first invite: 1 March 2026, noon UTC. */
const at = (minutes: number) => Date.UTC(2026, 2, 1, 12, minutes);

/** In nanoseconds, as another program may write it. Not a date of JavaScript. */
const ODD = 9_000_000_000_000_000;
const { each, file, send } = await inject({}, (writer) => {
  writer.invites.remove('invitee@example.com');
  addInvite(writer, '=cmd@example.com', { firstName: '+1' });
  addInvite(writer, '-x@example.com', { firstName: '@sum(a1)' });
  for (const [i, name] of ['ada', 'bo', 'cleo', 'dora'].entries()) {
    const email = `${name}@example.com`;
    addInvite(writer, email, { invitedAt: at(i), firstName: name === 'bo' ? '=Bo, "B"' : null });
    if (name !== 'ada') recordLogin(writer, email, at(20 + i));
    for (let n = 3; n < i * 3; n++) recordView(writer, email, at(30));
  }
  for (const minutes of [40, 41]) recordJoin(writer, 'dora@example.com', at(minutes));
});
withDatabase(file, (db) =>
  db.prepare("insert into project_joins values (null, 'ada@example.com', 's', ?)").run(ODD),
);

const get = (url: string) => send(`GET /api/svcops/${url}`, { as: 'administrator' });

type Row = Record<string, unknown>;
type Lists = Readonly<Record<string, readonly Row[]>> & {
  readonly next: string | null | Readonly<Record<string, string | null>>;
};

async function read<T = Lists>(url: string): Promise<T> {
  const answer = await get(url);
  assert.equal(answer.status, 200, `${url}: ${answer.text}`);
  return answer.json<T>();
}

/** The pages of a list, up to the one after which no row follows. */
async function readPages(url: string, list: string, limit: number): Promise<(readonly Row[])[]> {
  const pages = [];
  const separator = url.includes('?') ? '&' : '?';
  for (let cursors = ''; ; ) {
    const { next, ...reply } = await read(`${url}${separator}limit=${limit}${cursors}`);
    pages.push(reply[list] ?? []);
    const known = Object.entries(typeof next === 'string' ? { cursor: next } : { ...next }).filter(
      ([, cursor]) => cursor,
    );
    if (!known.some(([name]) => name === list || name === 'cursor')) return pages;
    cursors = known.map(([name, cursor]) => `&${name}=${cursor}`).join('');
  }
}

describe('a list in pages', () => {
  const ALL = '-x =cmd ada administrator bo cleo dora';
  const VIEWS = `${'dora '.repeat(6)}${'cleo '.repeat(3)}`.trim();
  // test/store/rows has every sort, filter and period.
  for (const [url, list, expected] of [
    ['invites?sort=email&order=asc', 'invites', ALL],
    ['invites?sort=invitedAt&to=2026-03-01', 'invites', 'dora cleo bo ada -x =cmd'],
    ['invites?sort=joinClicks&from=2026-03-02', 'invites', 'administrator'],
    ['invites?sort=email&order=asc&status=joined', 'invites', 'ada dora'],
    ['invites?sort=email&order=asc&q=OR', 'invites', 'administrator dora'],
    ['invites?q=example.com&status=logged_in', 'invites', 'bo'],
    ['joins', 'clicks', 'ada dora dora'],
    ['joins', 'summary', 'ada dora'],
    ['joins?email=Dora@example.com', 'clicks', 'dora dora'],
    ['joins?email=Dora@example.com', 'summary', 'dora'],
    ['joins?of=clicks', 'clicks', 'ada dora dora'],
    ['joins?of=clicks', 'summary', ''],
    ['joins?of=summary', 'summary', 'ada dora'],
    ['joins?of=summary', 'clicks', ''],
    ['events', 'events', `dora ${VIEWS.slice(0, 29)} cleo ${VIEWS.slice(30)} bo`],
    ['events?type=timeline_view', 'events', VIEWS],
    ['events?type=timeline_view&email=cleo@example.com', 'events', 'cleo cleo cleo'],
  ] as const)
    it(`${url} has the ${list} ${expected.slice(0, 40) || 'of nobody'}`, async () => {
      const { length } = expected.split(' ').filter(Boolean);
      for (const limit of [1, 2, length, length + 1].filter(Boolean)) {
        const pages = await readPages(url, list, limit);
        const names = pages.flat().map(({ email }) => String(email).split('@')[0]);
        assert.equal(names.join(' '), expected);
        assert.equal(pages.length, Math.max(1, Math.ceil(length / limit)), `of ${limit}`);
      }
    });
});

it('an event has its session, device and meta', async () => {
  const { events } = await read('events?limit=1&type=timeline_view&email=cleo@example.com');
  const [{ id, session, ...event } = {}] = events ?? [];
  assert.match(String(session), /^[\w-]{22}$/);
  const email = 'cleo@example.com';
  const expected = { type: 'timeline_view', email, occurredAt: at(30), ...PHONE, meta: FORCED };
  assert.deepEqual(event, expected);
});

describe('GET /api/svcops/person', () => {
  it('has the totals and devices of one person', async () => {
    type Person = { readonly person: Row; readonly devices: readonly Row[] };
    const { person, devices } = await read<Person>('person?email=dora@example.com');
    assert.deepEqual(
      [person.status, person.logins, person.timelineViews, person.joinClicks, person.invitedBy],
      ['joined', 1, 6, 2, 'cli'],
    );
    assert.deepEqual(devices, [{ ...PHONE, count: 7, lastAt: at(30) }]);
  });

  it('has no person for an unknown address', async () =>
    assert.deepEqual(await read('person?email=nobody@example.com'), { person: null, devices: [] }));
});

describe('an invalid query', () => {
  const PLAIN = `person person?email= person?email=nobody invites?sort=nonsense invites?sort=isAdmin%3Bdrop invites?order=up invites?status=came
    invites?limit=0 invites?limit=501 invites?limit=1e2 invites?limit=x invites?limit=
    joins?limit=-1 invites?q=a%00b invites?cursor=nonsense invites?cursor= events?cursor=-1
    events?cursor=%00 events?type=join events?email=nobody changes?email=x joins?clicks=x joins?summary=x
    invites?q=a&q=a events?from=2026-03-01&from=2026-03-02 joins?of=both joins?format=csv&of=x invites?format=xml
    stats?from=2026-02-30 stats?to=x stats?from= stats?from=2026-03-02&to=2026-03-01 stats?from=0000-00-00
    stats?from=2000-01-01&to=2026-01-01 stats?from=%2B2026-01-01 stats?to=2026-01-01&to=2026-01-01`;

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
  each(lists.map((url) => [`GET /api/svcops/${url}`, 'administrator', 400, invalid]));
});

describe('an export', () => {
  const LINES: Readonly<Record<string, readonly (string | RegExp)[]>> = {
    'invites?sort=email&order=asc&status=logged_in&q=b': [
      'email,firstName,isAdmin,invitedBy,invitedAt,status,logins,timelineViews,joinClicks,lastSeenAt',
      `bo@example.com,"'=Bo, ""B""",false,cli,2026-03-01T12:01:00.000Z,logged_in,1,0,0,2026-03-01T12:21:00.000Z`,
    ],
    'invites?sort=email&order=asc&q=m&to=1970-01-01': [
      /^email,/,
      "'-x@example.com,'@sum(a1),false,cli,1970-01-01T00:00:00.001Z,not_come,0,0,0,",
      "'=cmd@example.com,'+1,false,cli,1970-01-01T00:00:00.001Z,not_come,0,0,0,",
    ],
    'events?type=timeline_view&email=cleo@example.com': [
      'id,type,email,occurredAt,session,deviceType,os,browser,meta',
      ...Array(3).fill(
        /^\d+,timeline_view,cleo@example\.com,2026-03-01T12:30:00\.000Z,[\w-]{22},mobile,iOS,Mobile Safari,"\{""view""/,
      ),
    ],
    'events?': [/^id,/, ...Array(12).fill(/^\d+,(login|timeline_view),/)],
    'joins?of=summary': [
      'email,firstName,clicks,firstAt,lastAt',
      `ada@example.com,,1,${ODD},${ODD}`,
      'dora@example.com,,2,2026-03-01T12:40:00.000Z,2026-03-01T12:41:00.000Z',
    ],
    'joins?of=clicks': [
      'id,email,firstName,session,clickedAt',
      `3,ada@example.com,,s,${ODD}`,
      /^2,dora@example\.com,,[\w-]{22},2026-03-01T12:41:00\.000Z$/,
      /^1,dora@example\.com,,[\w-]{22},2026-03-01T12:40:00\.000Z$/,
    ],
    'changes?email=nobody@example.com': ['id,at,by,via,what,email,detail'],
  };
  for (const [list, expected] of Object.entries(LINES))
    it(`of ${list} has a byte order mark, a heading, and a line for each row`, async () => {
      const { headers, text } = await get(`${list}&format=csv`);
      assert.match(headers.get('content-type') ?? '', /^text\/csv/);
      const disposition = headers.get('content-disposition') ?? '';
      assert.match(disposition, /^attachment; filename="[\w-]+\.csv"$/);
      assert.equal(text[0], '\ufeff');
      const lines = text.slice(1).split('\r\n');
      assert.equal(lines.pop(), '');
      assert.equal(lines.length, expected.length, text);
      for (const [i, line] of expected.entries())
        if (typeof line === 'string') assert.equal(lines[i], line);
        else assert.match(lines[i] ?? '', line);
    });
});
