/**
 * Every list by a table of queries: the rows that the route gives in pages and as CSV, and the tool
 * as JSON and CSV. test/store/counting.test.ts compares the readers with plain SQL.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { COLUMNS } from '../lib/lists.ts';
import { withDatabase } from './support/database.ts';
import { addInvite, FORCED, PHONE, recordJoin, recordLogin, recordView } from './support/rows.ts';
import { startService } from './support/service.ts';
import { toolsOn } from './support/tools.ts';

// Days are in UTC wherever the service runs.
process.env.TZ = 'Pacific/Apia';

const DAY = '2026-03-01';
const NEXT = '2026-03-02';
/** The first moment of the day, the last one, and the first after it; days count in UTC. */
const [FIRST, LAST, AFTER] = [`${DAY}T00:00:00Z`, `${DAY}T23:59:59.999Z`, `${NEXT}T00:00:00Z`].map(
  (time) => Date.parse(time),
) as [number, number, number];
/**
 * Cleo and Dora have an international domain. It is stored in ASCII, found in both forms, and shown
 * readable.
 */
const ASCII = 'xn--bcher-kva.example.com';
const READABLE = 'bücher.example.com';
/** In nanoseconds, as another program may write it. Not a date of JavaScript. */
const ODD = 9_000_000_000_000_000;
/** A session id that begins like a formula. */
const DASHED = `-${'x'.repeat(21)}`;

const emailOf = (name: string) => `${name}@${/cleo|dora/.test(name) ? ASCII : 'example.com'}`;

const { testRequests, file, send } = await startService({}, (writer) => {
  writer.invites.remove('invitee@example.com');
  addInvite(writer, '=cmd@example.com', { firstName: '+1' });
  addInvite(writer, '-x@example.com', { firstName: '@sum(a1)' });
  for (const [name, time] of Object.entries({
    ada: FIRST - 1,
    bo: FIRST,
    cleo: LAST,
    dora: AFTER,
  })) {
    const email = emailOf(name);
    const firstName = { bo: '=Bo, "B"', cleo: '\tCleo' }[name] ?? null;
    addInvite(writer, email, { invitedAt: time, firstName });
    if (name !== 'ada') recordLogin(writer, email, time);
  }
  for (const [name, time] of [
    ['cleo', LAST],
    ['dora', AFTER],
    ['dora', AFTER + 1],
  ] as const)
    recordView(writer, emailOf(name), time);
  recordLogin(writer, 'gone@example.com', LAST);
  for (const time of [AFTER + 2, AFTER + 3]) recordJoin(writer, emailOf('dora'), time);
});
withDatabase(file, (db) =>
  db.prepare("insert into project_joins values (null, 'ada@example.com', ?, ?)").run(DASHED, ODD),
);
const { json, says } = toolsOn(file);

const get = (url: string) => send(`GET /api/svcops/${url}`, { as: 'administrator' });

type Row = Readonly<Record<string, unknown>>;
type Lists = Readonly<Record<string, readonly Row[]>> & {
  readonly next: string | null | Readonly<Record<string, string | null>>;
};

async function read<T = Lists>(url: string): Promise<T> {
  const answer = await get(url);
  assert.equal(answer.status, 200, `${url}: ${answer.text}`);
  assert.equal(answer.headers.get('content-type'), 'application/json');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  return answer.json<T>();
}

/** The pages of a list, up to the one after which no row follows. */
async function readPages(url: string, list: string, limit: number): Promise<(readonly Row[])[]> {
  const pages = [];
  for (let cursor = ''; pages.length < 50; ) {
    const { next, ...reply } = await read(`${url}&limit=${limit}${cursor}`);
    pages.push(reply[list] ?? []);
    const isOne = typeof next === 'string';
    const position = isOne ? next : next?.[list];
    if (!position) return pages;
    cursor = `&${isOne ? 'cursor' : list}=${position}`;
  }
  return pages;
}

const namesOf = (rows: readonly Row[]) =>
  rows.map(({ email }) => String(email).split('@')[0]).join(' ');
const ON_DAY = `from=${DAY}&to=${DAY}`;
const PERIOD = `--from ${DAY} --to ${DAY}`;

/** A query of the page, the same of a tool, and who is in the rows. */
const QUERIES: readonly (readonly [query: string, tool: string, names: string])[] = [
  ['invites?sort=email&order=asc', '', '-x =cmd ada administrator bo cleo dora'],
  [`invites?sort=invitedAt&${ON_DAY}`, `invite list ${PERIOD}`, 'cleo bo'],
  [`invites?sort=invitedAt&to=${DAY}`, `invite list --to ${DAY}`, 'cleo bo ada =cmd -x'],
  ['invites?status=joined', 'invite list --status joined', 'dora ada'],
  ['invites?sort=email&order=asc&q=OR', '', 'administrator dora'],
  [`invites?sort=email&order=asc&q=${encodeURIComponent(READABLE)}`, '', 'cleo dora'],
  ['invites?sort=email&order=asc&status=joined,logged_in', '', 'ada bo dora'],
  ['invites?sort=email&order=asc&did=login', '', 'bo cleo dora gone'],
  [`invites?sort=email&order=asc&did=view&from=${NEXT}`, '', 'dora'],
  ['invites?did=login&sort=firstName&order=asc', '', 'dora gone cleo bo'],
  ['invites?did=login&sort=status', '', 'dora cleo bo gone'],
  ['invites?sort=logins', '', 'bo cleo dora -x =cmd ada administrator'],
  ['invites?sort=timelineViews', '', 'dora cleo -x =cmd ada administrator bo'],
  ['invites?sort=joinClicks', '', 'dora ada -x =cmd administrator bo cleo'],
  ['invites?sort=lastSeenAt', '', 'ada dora cleo bo -x =cmd administrator'],
  ['invites?did=login&sort=invitedBy&order=asc', '', 'gone bo cleo dora'],
  ['joins?of=clicks', 'joins list', 'ada dora dora'],
  ['joins?of=summary', 'joins summary', 'ada dora'],
  [`joins?of=summary&from=${NEXT}&to=${NEXT}`, `joins summary --from ${NEXT} --to ${NEXT}`, 'dora'],
  [
    `joins?of=clicks&email=Dora@${encodeURIComponent(READABLE)}`,
    `joins for DORA@${READABLE}`,
    'dora dora',
  ],
  ['events?', 'events list', 'gone dora dora cleo dora cleo bo'],
  [`events?${ON_DAY}`, `events list ${PERIOD}`, 'gone cleo cleo bo'],
  ['events?type=timeline_view', 'events list --type timeline_view', 'dora dora cleo'],
  [`events?email=cleo@${encodeURIComponent(READABLE)}`, `events for cleo@${ASCII}`, 'cleo cleo'],
  [
    'changes?',
    'invite log',
    'dora cleo bo ada -x =cmd invitee administrator administrator invitee',
  ],
  [`changes?email=Dora@${encodeURIComponent(READABLE)}`, `invite log dora@${ASCII}`, 'dora'],
  ['', 'events summary', 'dora cleo gone bo'],
  ['', `events summary --to 2026-01-01`, ''],
  ['', 'invite admin list', 'administrator'],
];
for (const [url, call, names] of QUERIES) {
  const list = { invites: 'invites', events: 'events', changes: 'changes' }[
    url.split('?')[0] ?? ''
  ];
  const { length } = names.split(' ').filter(Boolean);
  it(`${url || call} has ${names || 'nobody'}`, async () => {
    if (url) {
      const name = list ?? (url.includes('of=clicks') ? 'clicks' : 'summary');
      for (const limit of [1, 2, length, length + 1].filter(Boolean)) {
        const pages = await readPages(url, name, limit);
        assert.equal(namesOf(pages.flat()), names);
        assert.equal(pages.length, Math.max(1, Math.ceil(length / limit)), `of ${limit}`);
      }
      const { total = length } = await read<{ total?: number }>(`${url}&limit=1`);
      assert.equal(total, length);
    }
    if (call) {
      assert.equal(namesOf(await json(call)), names);
      if (length > 0) assert.equal(namesOf(await json(`${call} --limit 1`)), names.split(' ')[0]);
    }
    // extra: export
    if (url && call) {
      const { headers, text } = await get(`${url}&format=csv`);
      assert.match(headers.get('content-type') ?? '', /^text\/csv/);
      const disposition = headers.get('content-disposition') ?? '';
      assert.match(disposition, /^attachment; filename="[\w-]+\.csv"$/);
      assert.equal(text[0], '\ufeff');
      assert.equal(text.split('\r\n').length, length + 2);
      assert.equal(await says(`${call} --csv`), text);
    }
    // end: export
  });
}

const [CLEO, DORA] = ['cleo', 'dora'].map((name) => {
  return { email: emailOf(name), readable: `${name}@${READABLE}` };
});

/** The columns of the tools and of CSV files, by the name of the list in a reply. */
const COLUMNS_OF: Readonly<Record<string, readonly string[]>> = {
  invites: COLUMNS.invites,
  events: COLUMNS.events,
  clicks: COLUMNS.joinClicks,
  summary: COLUMNS.joinSummary,
};

/** A query of each list, and every field of its first row. A session is not compared. */
const ROWS: readonly (readonly [url: string, list: string, row: Row])[] = [
  [
    `invites?${ON_DAY}`,
    'invites',
    {
      ...{ ...CLEO, firstName: '\tCleo', isAdmin: false, invitedBy: 'cli', invitedAt: LAST },
      ...{ status: 'viewed', logins: 1, timelineViews: 1, joinClicks: 0, lastSeenAt: LAST },
    },
  ],
  [
    `events?type=timeline_view&email=cleo@${ASCII}`,
    'events',
    { id: 4, type: 'timeline_view', ...CLEO, occurredAt: LAST, ...PHONE, meta: FORCED },
  ],
  [
    `joins?of=clicks&email=dora@${ASCII}`,
    'clicks',
    { id: 2, ...DORA, firstName: null, clickedAt: AFTER + 3 },
  ],
  [
    `joins?of=summary&email=dora@${ASCII}`,
    'summary',
    { ...DORA, firstName: null, clicks: 2, firstAt: AFTER + 2, lastAt: AFTER + 3, firstTime: true },
  ],
];
for (const [url, list, row] of ROWS)
  it(`${url} has every field, and the tools a column for each`, async () => {
    const { session, ...found } = (await read(url))[list]?.[0] ?? {};
    const fields = new Set([
      ...(COLUMNS_OF[list] ?? []),
      ...('readable' in row ? ['readable'] : []),
    ]);
    fields.delete('session');
    assert.deepEqual(new Set(Object.keys(found)), fields);
    if ('id' in row) assert.match(String(session), /^[\w-]{22}$/);
    assert.deepEqual(found, row);
  });

describe('a search of the invite list', async () => {
  /** Addresses and first names, and searches that find each, but not all. */
  const FOUND: readonly (readonly [email: string, name: string | null, searches: string])[] = [
    ['a@z.yy', 'İpek', 'İpek ipek IPEK ipe'],
    ['b@z.yy', 'Émile', 'ém émi EMILE ÉMILE e\u0301mile mile'],
    ['d@z.yy', 'Zoë', 'zoe ZOË oë'],
    ['e@z.yy', 'Weiß', 'weiß WEISS weiss WEIẞ ß'],
    ['g@z.yy', 'Łukasz', 'lukasz ŁUK łu'],
    ['h@z.yy', 'Søren', 'soren SØREN øre'],
    ['j@z.yy', 'Ὀδυσσεύς', 'οδυσσευς ΟΔΥΣΣΕΥΣ ς σευσ'],
    ['l@z.yy', '한결', '한 결 한결'],
    ['n@z.yy', 'O’Hara', "o'hara O’HARA ’ '"],
    ['o@z.yy', '100%_\\', '% _ \\ 0%_'],
    ['p@z.yy', 'Ｂｅａ', 'bea ＢＥＡ'],
    ['q@z.yy', '👩‍💻', '👩‍💻 👩'],
    ['josé.díaz@xn--mller-kva.example.com', null, 'JOSE e.di müller diaz@muller.ex @xn'],
  ];

  const { send } = await startService({}, (writer) => {
    for (const [email, firstName] of FOUND) addInvite(writer, email, { firstName });
  });
  const find = async (text: string) => {
    const url = `/api/svcops/invites?sort=email&order=asc&q=${encodeURIComponent(text)}`;
    const answer = await send(`GET ${url}`, { as: 'administrator' });
    return answer.json<Lists>().invites?.map(({ email }) => email);
  };

  it('finds any part of a name or address, whatever case and accents', async () => {
    for (const [email, name, searches] of FOUND) {
      for (const text of searches.split(' ')) assert.deepEqual(await find(text), [email], text);
      assert.deepEqual(await find(`${name}x`), []);
    }
    for (const text of ['', ' ', '\u0301', '@'])
      assert.equal((await find(text))?.length, FOUND.length + 2);
    assert.deepEqual([await find(' bea '), await find('beap')], [['p@z.yy'], []]);
  });
});

it('people who are not invited any more have no status', async () => {
  const { invites } = await read('invites?limit=1&did=login&q=gone');
  const { status, invitedAt, logins } = invites?.[0] ?? {};
  assert.deepEqual([status, invitedAt, logins], [null, null, 1]);
});

it('a person has totals and devices, an unknown one none', async () => {
  type Person = { readonly person: Row; readonly devices: readonly Row[] };
  const { person, devices } = await read<Person>(`person?email=dora@${encodeURI(READABLE)}`);
  const { status, logins, timelineViews, joinClicks, invitedBy } = person;
  const numbers = [status, logins, timelineViews, joinClicks, invitedBy];
  assert.deepEqual([person.readable, numbers], [DORA?.readable, ['joined', 1, 2, 2, 'cli']]);
  assert.deepEqual(devices, [{ ...PHONE, count: 3, lastAt: AFTER + 1 }]);
  assert.deepEqual(await read('person?email=nobody@example.com'), { person: null, devices: [] });
});

it('the counts are those of all time, or of days', async () => {
  assert.deepEqual(await json('joins stats'), { clicks: 3, users: 2, firstTime: 2 });
  const onNext = { clicks: 2, users: 1, firstTime: 1 };
  assert.deepEqual(await json(`joins stats --from ${NEXT} --to ${NEXT}`), onNext);
  assert.equal(await says('joins stats'), 'joins  people  first time\n3      2       2\n');
  const table = /^logins {2}views\n4 {7}3\n\ndevice {2}count\nmobile {2}7\n$/;
  assert.match(await says('events stats'), table);
  // Until a day in the future, also what a clock that was ahead has recorded.
  type Stats = { totals: Row; people: Row };
  const open = await read<Stats>('stats?to=9999-12-31');
  assert.deepEqual([open.totals.joinClicks, open.people.joined], [2, 1]);
});

it('the tools print tables, and impossible times as numbers', async () => {
  const time = '2026-03-02 00:00:00Z';
  const events = `^id .* meta\n6 +timeline_view +dora@${READABLE} +${time} .* view mobile, forced yes\n$`;
  assert.match(await says('events list --type timeline_view --limit 1'), new RegExp(events));
  for (const call of ['joins list', 'joins summary'])
    assert.match(await says(`${call} --limit 1`), new RegExp(` ${ODD}(  yes)?\n$`));
  for (const [call, noun] of [
    ['joins for', 'joins'],
    ['events for', 'events'],
    ['invite log', 'changes'],
  ])
    assert.equal(
      await says(`${call} nobody@${ASCII}`),
      `no ${noun}: nobody@${READABLE} is not on the invite list\n`,
    );
  assert.equal(await says('events for ada@example.com'), 'no events yet\n');
  assert.equal(
    await says('joins list --from 2001-01-01 --to 2001-01-01'),
    'no joins on these days\n',
  );
  assert.equal(await says('invite list --from 2001-01-01 --to 2001-01-01'), 'no such guests\n');
});

// extra: export
it('cells of a CSV are harmless to spreadsheets', async () => {
  const [heading, ...lines] = (await get('invites?sort=email&order=asc&format=csv')).text.split(
    '\r\n',
  );
  assert.equal(
    heading,
    '\ufeffemail,firstName,isAdmin,invitedBy,invitedAt,status,logins,timelineViews,joinClicks,lastSeenAt',
  );
  const never = 'false,cli,1970-01-01T00:00:00.001Z,pending,0,0,0,';
  assert.deepEqual(lines.slice(0, 2), [
    `'-x@example.com,'@sum(a1),${never}`,
    `'=cmd@example.com,'+1,${never}`,
  ]);
  const bo = '2026-03-01T00:00:00.000Z,logged_in,1,0,0,2026-03-01T00:00:00.000Z';
  assert.ok(lines.includes(`bo@example.com,"'=Bo, ""B""",false,cli,${bo}`));
  assert.ok(lines[5]?.startsWith(`${emailOf('cleo')},'\tCleo,`), 'a tab');
  assert.match((await get('events?format=csv')).text, /,Mobile Safari,"\{""view""/);
  assert.match((await get('joins?of=clicks&format=csv')).text, new RegExp(`,,${DASHED},${ODD}\r`));
});
// end: export

describe('an invalid query', () => {
  const INVALID = `person person?email= person?email=nobody invites?sort=nonsense
    invites?sort=isAdmin%3Bdrop invites?order=up invites?status=came invites?status=joined,came
    invites?status= invites?did=come invites?limit=0 invites?limit=501 invites?limit=1e2 invites?limit=
    joins?limit=-1 invites?cursor=nonsense invites?cursor= events?cursor=-1 events?cursor=%00
    events?cursor=1e3 joins?clicks=1.5 invites?cursor=9999999999999999 joins?summary=x events?type=join
    events?email=nobody changes?email=x invites?q=a&q=a events?from=2026-03-01&from=2026-03-02 joins?of=both
    stats?from=2026-02-29 stats?from=2026-2-1 stats?from=20260201
    stats?from=2026-02-01T00 stats?to=x stats?from= stats?from=2026-03-02&to=2026-03-01
    stats?from=2000-01-01&to=2026-01-01 stats?from=%2B2026-01-01 stats?to=2026-01-01&to=2026-01-01`;
  const invalid = { error: 'invalid_query' };
  testRequests(
    INVALID.split(/\s+/).map((url) => [`GET /api/svcops/${url}`, 'administrator', 400, invalid]),
  );
});
