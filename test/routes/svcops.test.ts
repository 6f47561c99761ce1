import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { describe, it } from 'node:test';
import { logIn, type Options, send, sessionId } from '../support/client.ts';
import { siteForAll } from '../support/site.ts';

const site = siteForAll();
const began = Date.now();

for (const name of ['root', 'ada', 'grace']) site.invite(`${name}@example.com`, name);
site.setAdmin('root@example.com');
const server = await site.start();
const cookie = await logIn(server.origin, 'root@example.com');
const ada = await logIn(server.origin, 'ada@example.com');
await send(server.origin, 'GET /timeline', { cookie: ada });
for (let i = 0; i < 3; i += 1) await send(server.origin, 'POST /api/project-join', { cookie: ada });

type Row = Record<string, unknown>;

async function read<T>(path: string): Promise<T> {
  const answer = await send(server.origin, `GET /api/svcops/${path}`, { cookie });
  assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  assert.equal(answer.headers.get('content-type'), 'application/json');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  return answer.json<T>();
}

const invite = (json: unknown, options: Options = {}) =>
  send(server.origin, 'POST /api/svcops/invites', { cookie, json, ...options });

describe('GET /svcops', () => {
  it('is an HTML page for an administrator, with a form for an email and a first name', async () => {
    const page = await send(server.origin, 'GET /svcops', { cookie });
    assert.equal(page.status, 200);
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(page.headers.get('cache-control'), 'no-store');
    assert.match(page.text, /name="email"/);
    assert.match(page.text, /name="firstName"/);
  });
});

describe('GET /api/svcops/stats', () => {
  it('tells totals and funnel', async () => {
    const { totals, funnel } = await read<Record<string, unknown>>('stats');
    assert.deepEqual(totals, { invites: 3, admins: 1, logins: 2, timelineViews: 1, joinClicks: 3 });
    assert.deepEqual(funnel, { invited: 3, loggedIn: 2, viewed: 1, joined: 1 });
  });

  it('tells the last 90 UTC days, none left out, today last', async () => {
    const { daily } = await read<{ daily: Row[] }>('stats');
    assert.equal(daily.length, 90);
    const today = new Date().toISOString().slice(0, 10);
    assert.deepEqual(daily.at(-1), { day: today, logins: 2, timelineViews: 1, joinClicks: 3 });
    const days = daily.map(({ day }) => Date.parse(String(day)) / 86_400_000);
    assert.deepEqual(
      days,
      days.map((_, i) => (days[0] ?? 0) + i),
    );
  });

  it('tells devices, systems and browsers', async () => {
    const { devices, os, browsers } = await read<Record<string, unknown>>('stats');
    assert.deepEqual(devices, [{ name: 'unknown', count: 3 }]);
    assert.deepEqual([os, browsers], [[], []]);
  });
});

describe('GET /api/svcops/invites', () => {
  it('lists everybody with status, totals and last seen', async () => {
    const { invites, next } = await read<{ invites: Row[]; next: unknown }>('invites');
    assert.equal(next, null);
    const row = invites.find(({ email }) => email === 'ada@example.com');
    assert.deepEqual(
      [
        row?.firstName,
        row?.isAdmin,
        row?.invitedBy,
        row?.logins,
        row?.timelineViews,
        row?.joinClicks,
      ],
      ['ada', false, 'cli', 1, 1, 3],
    );
    for (const time of [row?.lastSeenAt, row?.invitedAt].map(Number))
      assert.ok(time >= began && time <= Date.now(), `${time}`);
    assert.equal(invites.find(({ email }) => email === 'grace@example.com')?.lastSeenAt, null);
    assert.equal(invites.find(({ email }) => email === 'root@example.com')?.isAdmin, true);
  });

  it('comes in pages: limit and the cursor that next gives', async () => {
    const seen: unknown[] = [];
    let path = 'invites?limit=2';
    for (let pages = 0; pages < 10; pages += 1) {
      const { invites, next } = await read<{ invites: Row[]; next: string | null }>(path);
      assert.ok(invites.length <= 2);
      seen.push(...invites.map(({ email }) => email));
      if (next === null) break;
      path = `invites?limit=2&cursor=${encodeURIComponent(next)}`;
    }
    const { invites: all } = await read<{ invites: Row[] }>('invites');
    assert.deepEqual(
      seen,
      all.map(({ email }) => email),
    );
  });
});

describe('POST /api/svcops/invites', () => {
  it('invites: 201 with the invite, invited by the administrator, who is asked nothing else', async () => {
    const answer = await invite({ email: ' Eve@Example.com', firstName: ' Eve ' });
    assert.equal(answer.status, 201);
    const { ok, invite: made } = answer.json<{ ok: unknown; invite: Row }>();
    assert.equal(ok, true);
    assert.deepEqual(
      [made.email, made.firstName, made.isAdmin, made.invitedBy],
      ['eve@example.com', 'Eve', false, 'root@example.com'],
    );
    await logIn(server.origin, 'eve@example.com');
  });

  it('never makes an administrator, whatever the body says', async () => {
    const email = 'climber@example.com';
    assert.equal(
      (await invite({ email, is_admin: 1, isAdmin: true, invited_by: 'x', invitedBy: 'x' })).status,
      201,
    );
    const made = site.withStore(({ invites }) => invites.find(email));
    assert.deepEqual([made?.isAdmin, made?.invitedBy], [false, 'root@example.com']);
    const climber = await logIn(server.origin, email);
    assert.equal((await send(server.origin, 'GET /svcops', { cookie: climber })).status, 404);
  });

  it('takes no, an empty or a null first name for none', async () => {
    for (const [i, firstName] of [undefined, '', '  ', null].entries()) {
      const answer = await invite({ email: `nameless${i}@example.com`, firstName });
      assert.equal(answer.status, 201);
      assert.equal(answer.json<{ invite: Row }>().invite.firstName, null);
    }
  });

  it('answers 400 invalid_email and 400 invalid_first_name', async () => {
    for (const email of [undefined, '', 'eve', 'eve@', 'eve@example', '[]']) {
      assert.deepEqual((await invite({ email })).json(), { error: 'invalid_email' });
    }
    for (const firstName of ['x'.repeat(101), 'a\u0000b', 'a\nb', 42, {}, []]) {
      const answer = await invite({ email: 'fine@example.com', firstName });
      assert.deepEqual([answer.status, answer.json()], [400, { error: 'invalid_first_name' }]);
    }
    assert.equal(
      site.withStore(({ invites }) => invites.find('fine@example.com')),
      undefined,
    );
    assert.equal(
      (await invite({ email: 'hundred@example.com', firstName: 'x'.repeat(100) })).status,
      201,
    );
  });

  it('answers 409 already_invited, and changes nothing', async () => {
    const answer = await invite({ email: 'ADA@example.com', firstName: 'Other' });
    assert.deepEqual([answer.status, answer.json()], [409, { error: 'already_invited' }]);
    assert.equal(
      site.withStore(({ invites }) => invites.find('ada@example.com'))?.firstName,
      'ada',
    );
  });

  it('refuses another origin and a body that is no JSON object', async () => {
    const json = { email: 'mallory@example.com' };
    const crossOrigin = await invite(json, { headers: { Origin: 'https://evil.example' } });
    assert.deepEqual([crossOrigin.status, crossOrigin.json()], [403, { error: 'cross_origin' }]);
    const text = await send(server.origin, 'POST /api/svcops/invites', {
      cookie,
      body: JSON.stringify(json),
    });
    assert.deepEqual([text.status, text.json()], [415, { error: 'unsupported_media_type' }]);
    assert.deepEqual((await invite([json])).json(), { error: 'invalid_json' });
    assert.equal(
      site.withStore(({ invites }) => invites.find('mallory@example.com')),
      undefined,
    );
  });

  it('asks again where the row is written whether the caller is an administrator', async () => {
    site.invite('former@example.com');
    site.setAdmin('former@example.com');
    const former = await logIn(server.origin, 'former@example.com');
    const body = '{"email":"smuggled@example.com"}';
    const socket = net.connect(server.port, '127.0.0.1');
    socket.write(
      `POST /api/svcops/invites HTTP/1.1\r\nHost: x\r\nCookie: ${former}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    const [go] = await once(socket, 'data');
    assert.match(String(go), /^HTTP\/1\.1 100 /, 'the gate is passed');
    site.tool('invite', 'admin', 'remove', 'former@example.com');
    socket.write(body);
    const [answer] = await once(socket, 'data');
    assert.match(String(answer), /^HTTP\/1\.1 404 Not Found\r\n/);
    assert.equal(
      site.withStore(({ invites }) => invites.find('smuggled@example.com')),
      undefined,
    );
  });

  it('has one winner when the same address is invited twice at once', async () => {
    const twins = await Promise.all([1, 2, 3, 4].map(() => invite({ email: 'twin@example.com' })));
    assert.deepEqual(twins.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  });
});

describe('GET /api/svcops/joins', () => {
  it('tells stats, one summary row a person, and every click, newest first', async () => {
    const { stats, summary, clicks, next } = await read<{
      stats: Row;
      summary: Row[];
      clicks: Row[];
      next: Row;
    }>('joins');
    assert.deepEqual(stats, { clicks: 3, users: 1 });
    assert.equal(summary.length, 1);
    assert.deepEqual([summary[0]?.email, summary[0]?.clicks], ['ada@example.com', 3]);
    assert.deepEqual(
      [summary[0]?.firstAt, summary[0]?.lastAt],
      [clicks[2]?.clickedAt, clicks[0]?.clickedAt],
    );
    assert.deepEqual(
      clicks.map(({ session }) => session),
      Array(3).fill(sessionId(ada)),
    );
    assert.ok(
      Number(clicks[0]?.id) > Number(clicks[1]?.id) &&
        Number(clicks[1]?.id) > Number(clicks[2]?.id),
    );
    assert.deepEqual(next, { summary: null, clicks: null });
  });

  it('goes on from both cursors', async () => {
    const grace = await logIn(server.origin, 'grace@example.com');
    await send(server.origin, 'POST /api/project-join', { cookie: grace });
    const first = await read<{ clicks: Row[]; next: Record<string, string> }>('joins?limit=1');
    const { clicks, summary, next } = await read<{ clicks: Row[]; summary: Row[]; next: Row }>(
      `joins?limit=1&clicks=${first.next.clicks}&summary=${first.next.summary}`,
    );
    assert.ok(Number(clicks[0]?.id) < Number(first.clicks[0]?.id));
    assert.deepEqual(
      summary.map(({ email }) => email),
      ['ada@example.com'],
    );
    assert.equal(next.summary, null);
  });
});

describe('GET /api/svcops/events', () => {
  it('tells events, newest first, and filters by type and person', async () => {
    const { events } = await read<{ events: Row[] }>('events');
    const ids = events.map(({ id }) => Number(id));
    assert.deepEqual(
      ids,
      [...ids].sort((a, b) => b - a),
    );
    const { events: views } = await read<{ events: Row[] }>('events?type=timeline_view');
    assert.deepEqual(
      views.map(({ meta }) => meta),
      [{ view: 'desktop', forced: false }],
    );
    const { events: hers } = await read<{ events: Row[] }>('events?email=ada%40example.com');
    assert.deepEqual(
      hers.map(({ type }) => type),
      ['timeline_view', 'login'],
    );
    const { events: both } = await read<{ events: Row[] }>(
      'events?email=ada%40example.com&type=login',
    );
    assert.deepEqual(Object.keys(both[0] ?? {}).sort(), [
      'browser',
      'deviceType',
      'email',
      'id',
      'meta',
      'occurredAt',
      'os',
      'session',
      'type',
    ]);
  });
});

describe('a query that makes no sense', () => {
  const paths = [
    'invites?limit=0',
    'invites?limit=501',
    'invites?limit=x',
    'invites?limit=',
    'invites?cursor=nonsense',
    'invites?format=xml',
    'joins?limit=-1',
    'joins?clicks=x',
    'joins?summary=x',
    'joins?format=csv&of=x',
    'events?limit=1e2',
    'events?cursor=-1',
    'events?type=click',
    'events?cursor=%00',
  ];
  for (const path of paths) {
    it(`gets 400 invalid_query: ${path}`, async () => {
      const answer = await send(server.origin, `GET /api/svcops/${path}`, { cookie });
      assert.deepEqual([answer.status, answer.json()], [400, { error: 'invalid_query' }]);
    });
  }
});

describe('?format=csv', () => {
  const csv = (path: string) => send(server.origin, `GET /api/svcops/${path}`, { cookie });

  it('sends each list as an attachment with a heading, lines ended by CR LF', async () => {
    const headings = {
      'invites?format=csv': /^email,firstName,isAdmin,invitedBy,invitedAt,/,
      'joins?format=csv&of=summary': /^email,clicks,firstAt,lastAt\r\n/,
      'joins?format=csv&of=clicks': /^id,email,session,clickedAt\r\n/,
      'events?format=csv': /^id,type,email,occurredAt,session,deviceType,os,browser,meta\r\n/,
    };
    for (const [path, heading] of Object.entries(headings)) {
      const answer = await csv(path);
      assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/);
      assert.match(
        answer.headers.get('content-disposition') ?? '',
        /^attachment; filename="[\w-]+\.csv"$/,
      );
      assert.match(answer.text, heading);
      assert.match(answer.text, /\r\n$/);
      assert.doesNotMatch(answer.text.replaceAll('\r\n', ''), /[\r\n]/);
    }
  });

  it('quotes what must be quoted and makes formulas harmless', async () => {
    await invite({ email: '=cmd@example.com', firstName: '=1+1, "really"' });
    await invite({ email: '@b@example.com', firstName: '+1' }).then(({ status }) =>
      assert.equal(status, 400),
    );
    await invite({ email: '-x@example.com', firstName: '@sum(a1)' });
    const { text } = await csv('invites?format=csv');
    assert.match(text, /\r\n'=cmd@example\.com,"'=1\+1, ""really""",/);
    assert.match(text, /\r\n'-x@example\.com,'@sum\(a1\),/);
  });

  it('sends the whole list, however many pages it takes', async () => {
    const people = Array.from({ length: 1201 }, (_, i) => `many${i}@example.com`);
    site.toolWithInput(people.join('\n'), 'invite', 'add', '--from', '-');
    const lines = (await csv('invites?format=csv')).text.split('\r\n');
    for (const email of people)
      assert.ok(
        lines.some((line) => line.startsWith(`${email},`)),
        email,
      );
    assert.equal(new Set(lines).size, lines.length);
  });
});
