/** The routes of the administrator, with rows of real visits. lists/ tests their lists. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { describe, it } from 'node:test';
import { logIn, type Options, send, sessionId } from '../support/client.ts';
import { awayFromMidnight } from '../support/clock.ts';
import { withDatabase } from '../support/database.ts';
import { siteForAll } from '../support/site.ts';

await awayFromMidnight();
const began = Date.now();
const site = siteForAll();
for (const name of ['root', 'ada', 'grace']) site.invite(`${name}@example.com`, name);
site.setAdmin('root@example.com');
const server = await site.start();
const cookie = await logIn(server.origin, 'root@example.com');
const ada = await logIn(server.origin, 'ada@example.com');
const press = (cookie: string) => send(server.origin, 'POST /api/project-join', { cookie });
await send(server.origin, 'GET /timeline', { cookie: ada });
for (let i = 0; i < 3; i += 1) await press(ada);

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

const find = (email: string) => site.withStore(({ invites }) => invites.find(email));

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
  it('has totals and funnel', async () => {
    const { totals, funnel } = await read<Record<string, unknown>>('stats');
    assert.deepEqual(totals, { invites: 3, admins: 1, logins: 2, timelineViews: 1, joinClicks: 3 });
    assert.deepEqual(funnel, { invited: 3, loggedIn: 2, viewed: 1, joined: 1 });
  });

  it('has the last 90 UTC days without gaps, today last', async () => {
    const { daily } = await read<{ daily: Row[] }>('stats');
    assert.equal(daily.length, 90);
    const today = new Date().toISOString().slice(0, 10);
    assert.deepEqual(daily.at(-1), { day: today, logins: 2, timelineViews: 1, joinClicks: 3 });
    const days = daily.map(({ day }) => Date.parse(String(day)) / 86_400_000);
    const [first = 0] = days;
    assert.deepEqual(
      days,
      [...days.keys()].map((i) => first + i),
    );
  });

  it('has the days from and to, their totals, and those of the period before', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const day = (past: number) =>
      new Date(Date.now() - past * 86_400_000).toISOString().slice(0, 10);
    type Stats = { daily: Row[]; totals: Row; before: Row | null; first: string; funnel: Row };
    const all = await read<Stats>('stats');
    assert.deepEqual([all.before, all.first], [null, today]);
    const none = { logins: 0, timelineViews: 0, joinClicks: 0 };
    const { daily, totals, before, funnel } = await read<Stats>(`stats?from=${day(6)}&to=${today}`);
    assert.deepEqual([daily.length, daily[0]?.day, daily[6]?.day], [7, day(6), today]);
    assert.deepEqual([totals, funnel, before], [all.totals, all.funnel, none]);
    const past = await read<Stats>(`stats?from=${day(2)}&to=${day(1)}`);
    assert.deepEqual(past.totals, { invites: 3, admins: 1, ...none });
    assert.equal((await read<Stats>(`stats?to=${today}`)).daily.length, 1, 'from the first day on');
    assert.equal((await read<Stats>('stats?to=9999-12-31')).daily.length, 1, 'until today');
    assert.equal((await read<Stats>(`stats?from=${day(2)}`)).daily.length, 3, 'until today');
    const next = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const { before: now } = await read<Stats>(`stats?from=${next}&to=${next}`);
    assert.deepEqual(now, { logins: 2, timelineViews: 1, joinClicks: 3 });
  });

  it('answers 400 invalid_query to days that do not exist, from after to, and too many', async () => {
    for (const query of [
      'from=2026-02-30',
      'to=x',
      'from=',
      'from=2026-03-02&to=2026-03-01',
      'from=2000-01-01&to=2026-01-01',
      'from=0000-00-00',
      'from=%2B2026-01-01',
      'to=2026-01-01&to=2026-01-01',
    ]) {
      const answer = await send(server.origin, `GET /api/svcops/stats?${query}`, { cookie });
      assert.deepEqual([answer.status, answer.json()], [400, { error: 'invalid_query' }], query);
    }
  });

  it('has the first day also beside times that another program wrote beyond all dates', async () => {
    const { first } = await read<{ first: string }>('stats');
    withDatabase(site.store, (db) => {
      const insert = db.prepare(
        "insert into project_joins (email, session_id, clicked_at) values ('far@example.com', 's', ?)",
      );
      for (const time of [-9e17, -1e14, 9e17]) insert.run(BigInt(time));
    });
    assert.equal((await read<{ first: string }>('stats')).first, first);
    withDatabase(site.store, (db) =>
      db.exec("delete from project_joins where email = 'far@example.com'"),
    );
  });

  it('has devices, systems and browsers', async () => {
    const { devices, os, browsers } = await read<Record<string, unknown>>('stats');
    assert.deepEqual([devices, os, browsers], [[{ name: 'unknown', count: 3 }], [], []]);
  });
});

describe('GET /api/svcops/invites', () => {
  it('lists all people with status, totals and last seen', async () => {
    const { invites, next } = await read<{ invites: Row[]; next: unknown }>('invites');
    assert.equal(next, null);
    const row = invites.find(({ email }) => email === 'ada@example.com');
    const { lastSeenAt, invitedAt, ...rest } = row ?? {};
    assert.deepEqual(rest, {
      email: 'ada@example.com',
      firstName: 'ada',
      isAdmin: false,
      invitedBy: 'cli',
      status: 'joined',
      logins: 1,
      timelineViews: 1,
      joinClicks: 3,
    });
    for (const time of [lastSeenAt, invitedAt].map(Number))
      assert.ok(time >= began && time <= Date.now(), `${time}`);
    assert.equal(invites.find(({ email }) => email === 'grace@example.com')?.lastSeenAt, null);
    assert.equal(invites.find(({ email }) => email === 'root@example.com')?.isAdmin, true);
  });
});

describe('POST /api/svcops/invites', () => {
  it('invites: 201 with the invite, which names the administrator', async () => {
    const answer = await invite({ email: ' Eve@Example.com', firstName: ' Eve ' });
    assert.equal(answer.status, 201);
    const { ok, invite: made } = answer.json<{ ok: unknown; invite: Row }>();
    assert.deepEqual(
      [ok, made.email, made.firstName, made.isAdmin, made.invitedBy],
      [true, 'eve@example.com', 'Eve', false, 'root@example.com'],
    );
    await logIn(server.origin, 'eve@example.com');
  });

  it('never makes an administrator, whatever the body says', async () => {
    const email = 'climber@example.com';
    const json = { email, is_admin: 1, isAdmin: true, invited_by: 'x', invitedBy: 'x' };
    assert.equal((await invite(json)).status, 201);
    const made = find(email);
    assert.deepEqual([made?.isAdmin, made?.invitedBy], [false, 'root@example.com']);
    const climber = await logIn(server.origin, email);
    assert.equal((await send(server.origin, 'GET /svcops', { cookie: climber })).status, 404);
  });

  it('accepts a missing, empty or null first name as none', async () => {
    for (const [i, firstName] of [undefined, '', '  ', null].entries()) {
      const answer = await invite({ email: `nameless${i}@example.com`, firstName });
      assert.equal(answer.status, 201);
      assert.equal(answer.json<{ invite: Row }>().invite.firstName, null);
    }
  });

  it('answers 400 invalid_email and 400 invalid_first_name', async () => {
    for (const email of [undefined, '', 'eve', 'eve@', 'eve@example', '[]', '@b@example.com'])
      assert.deepEqual((await invite({ email })).json(), { error: 'invalid_email' });
    for (const firstName of ['x'.repeat(101), 'a\u0000b', 'a\nb', 42, {}, []]) {
      const answer = await invite({ email: 'fine@example.com', firstName });
      assert.deepEqual([answer.status, answer.json()], [400, { error: 'invalid_first_name' }]);
    }
    assert.equal(find('fine@example.com'), undefined);
    const longest = await invite({ email: 'hundred@example.com', firstName: 'x'.repeat(100) });
    assert.equal(longest.status, 201);
  });

  it('answers 409 already_invited, and changes nothing', async () => {
    const answer = await invite({ email: 'ADA@example.com', firstName: 'Other' });
    assert.deepEqual([answer.status, answer.json()], [409, { error: 'already_invited' }]);
    assert.equal(find('ada@example.com')?.firstName, 'ada');
  });

  it('refuses another origin and a body that is not a JSON object', async () => {
    const json = { email: 'mallory@example.com' };
    const crossOrigin = await invite(json, { headers: { Origin: 'https://evil.example' } });
    assert.deepEqual([crossOrigin.status, crossOrigin.json()], [403, { error: 'cross_origin' }]);
    const text = await send(server.origin, 'POST /api/svcops/invites', {
      cookie,
      body: JSON.stringify(json),
    });
    assert.deepEqual([text.status, text.json()], [415, { error: 'unsupported_media_type' }]);
    assert.deepEqual((await invite([json])).json(), { error: 'invalid_json' });
    assert.equal(find('mallory@example.com'), undefined);
  });

  it('checks the admin flag again in the transaction', async () => {
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
    assert.equal(find('smuggled@example.com'), undefined);
  });

  it('accepts one of several concurrent invites of an address', async () => {
    const twins = await Promise.all([1, 2, 3, 4].map(() => invite({ email: 'twin@example.com' })));
    assert.deepEqual(twins.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  });
});

describe('GET /api/svcops/joins', () => {
  it('has stats, one summary row for each person, and every click, newest first', async () => {
    const { stats, summary, clicks, next } = await read<{
      stats: Row;
      summary: Row[];
      clicks: Row[];
      next: Row;
    }>('joins');
    assert.deepEqual(stats, { clicks: 3, users: 1 });
    const [firstAt, lastAt] = [clicks[2]?.clickedAt, clicks[0]?.clickedAt];
    const person = { email: 'ada@example.com', firstName: 'ada' };
    assert.deepEqual(summary, [{ ...person, clicks: 3, firstAt, lastAt }]);
    const session = sessionId(ada);
    assert.deepEqual(
      clicks.map(({ id, session }) => ({ id, session })),
      [3, 2, 1].map((id) => ({ id, session })),
    );
    assert.deepEqual(next, { summary: null, clicks: null });
  });

  it('continues from both cursors', async () => {
    await press(await logIn(server.origin, 'grace@example.com'));
    const first = await read<{ clicks: Row[]; next: Record<string, string> }>('joins?limit=1');
    const { clicks, summary, next } = await read<{ clicks: Row[]; summary: Row[]; next: Row }>(
      `joins?limit=1&clicks=${first.next.clicks}&summary=${first.next.summary}`,
    );
    assert.ok(Number(clicks[0]?.id) < Number(first.clicks[0]?.id));
    assert.deepEqual([summary.length, summary[0]?.email], [1, 'ada@example.com']);
    assert.equal(next.summary, null);
  });
});
