/** The routes of the administrator, with rows of real visits. lists/ tests their lists. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { anotherClient, sessionCookie, sessionId } from '../support/client.ts';
import { awayFromMidnight } from '../support/clock.ts';
import { withDatabase } from '../support/database.ts';
import { type Case, inject } from '../support/inject.ts';

await awayFromMidnight();
const began = Date.now();
const { ask, begin, each, file, invite: add, send, store } = await inject();
await add(['grace']);

async function logIn(email: string): Promise<string> {
  const answer = await send('POST /auth/login', { json: { email }, headers: anotherClient() });
  assert.equal(answer.status, 200, email);
  return sessionCookie(answer);
}
const cookie = await logIn('administrator@example.com');
const ada = await logIn('invitee@example.com');
const press = (cookie: string) => send('POST /api/project-join', { cookie });
await send('GET /timeline', { cookie: ada });
for (let i = 0; i < 3; i += 1) await press(ada);

type Row = Record<string, unknown>;

async function read<T>(path: string): Promise<T> {
  const answer = await send(`GET /api/svcops/${path}`, { cookie });
  assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  assert.equal(answer.headers.get('content-type'), 'application/json');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  return answer.json<T>();
}

const invite = (json: unknown) => send('POST /api/svcops/invites', { cookie, json });

const invalid = { error: 'invalid_query' };

describe('GET /svcops', () => {
  it('is an HTML page for an administrator, with a form for an email and a first name', async () => {
    const page = await send('GET /svcops', { cookie });
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

  each(
    [
      'from=2026-02-30',
      'to=x',
      'from=',
      'from=2026-03-02&to=2026-03-01',
      'from=2000-01-01&to=2026-01-01',
      'from=0000-00-00',
      'from=%2B2026-01-01',
      'to=2026-01-01&to=2026-01-01',
    ].map((query) => [`GET /api/svcops/stats?${query}`, 'administrator', 400, invalid]),
  );

  it('has the first day also beside times that another program wrote beyond all dates', async () => {
    const { first } = await read<{ first: string }>('stats');
    withDatabase(file, (db) => {
      const insert = db.prepare(
        "insert into project_joins (email, session_id, clicked_at) values ('far@example.com', 's', ?)",
      );
      for (const time of [-9e17, -1e14, 9e17]) insert.run(BigInt(time));
    });
    assert.equal((await read<{ first: string }>('stats')).first, first);
    withDatabase(file, (db) =>
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
    const row = invites.find(({ email }) => email === 'invitee@example.com');
    const { lastSeenAt, invitedAt, ...rest } = row ?? {};
    assert.deepEqual(rest, {
      email: 'invitee@example.com',
      firstName: 'Ada',
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
    assert.equal(invites.find(({ email }) => email === 'administrator@example.com')?.isAdmin, true);
  });
});

describe('POST /api/svcops/invites', () => {
  const refused = (json: unknown, status: number, error: string, headers = {}): Case => [
    'POST /api/svcops/invites',
    'administrator',
    status,
    { error },
    { json, headers },
  ];
  const email = 'fine@example.com';
  each([
    ...[undefined, '', 'eve', 'eve@', 'eve@example', '[]', '@b@example.com'].map((wrong) =>
      refused({ email: wrong }, 400, 'invalid_email'),
    ),
    ...['x'.repeat(101), 'a\u0000b', 'a\nb', 42, {}, []].map((firstName) =>
      refused({ email, firstName }, 400, 'invalid_first_name'),
    ),
    refused({ email: 'INVITEE@example.com', firstName: 'Other' }, 409, 'already_invited'),
    refused({ email }, 403, 'cross_origin', { Origin: 'https://evil.example' }),
    refused({ email }, 415, 'unsupported_media_type', { 'Content-Type': 'text/plain' }),
    refused([{ email }], 400, 'invalid_json'),
  ]);

  it('has changed nothing when it was refused', () => {
    assert.equal(store.invites.find(email), undefined);
    assert.equal(store.invites.find('invitee@example.com')?.firstName, 'Ada');
  });

  it('invites: 201 with the invite, which names the administrator', async () => {
    const answer = await invite({ email: ' Eve@Example.com', firstName: ' Eve ' });
    assert.equal(answer.status, 201);
    const { ok, invite: made } = answer.json<{ ok: unknown; invite: Row }>();
    assert.deepEqual(
      [ok, made.email, made.firstName, made.isAdmin, made.invitedBy],
      [true, 'eve@example.com', 'Eve', false, 'administrator@example.com'],
    );
    await logIn('eve@example.com');
  });

  it('never makes an administrator, whatever the body says', async () => {
    const email = 'climber@example.com';
    const json = { email, is_admin: 1, isAdmin: true, invited_by: 'x', invitedBy: 'x' };
    assert.equal((await invite(json)).status, 201);
    const made = store.invites.find(email);
    assert.deepEqual([made?.isAdmin, made?.invitedBy], [false, 'administrator@example.com']);
    const climber = await logIn(email);
    assert.equal((await send('GET /svcops', { cookie: climber })).status, 404);
  });

  it('accepts a missing, empty or null first name as none, and one of 100 characters', async () => {
    for (const [i, firstName] of [undefined, '', '  ', null, 'x'.repeat(100)].entries()) {
      const answer = await invite({ email: `nameless${i}@example.com`, firstName });
      assert.equal(answer.status, 201);
      assert.equal(answer.json<{ invite: Row }>().invite.firstName, firstName?.trim() || null);
    }
  });

  it('checks the admin flag and the session again in the transaction', async () => {
    for (const revoke of [
      () => store.write(({ invites }) => void invites.setAdmin('former@example.com', false)),
      () => store.write(({ sessions }) => void sessions.endAllFor('former@example.com')),
    ]) {
      await add(['former']);
      await store.write(({ invites }) => void invites.setAdmin('former@example.com', true));
      const former = await begin('former');
      const client = new PassThrough();
      const headers = { 'Content-Type': 'application/json' };
      const reply = ask('POST /api/svcops/invites', { cookie: former, headers }, client);
      await revoke();
      client.end('{"email":"smuggled@example.com"}');
      assert.equal((await reply).status, 404);
      assert.equal(store.invites.find('smuggled@example.com'), undefined);
    }
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
    const person = { email: 'invitee@example.com', firstName: 'Ada' };
    assert.deepEqual(summary, [{ ...person, clicks: 3, firstAt, lastAt }]);
    const session = sessionId(ada);
    assert.deepEqual(
      clicks.map(({ id, session }) => ({ id, session })),
      [3, 2, 1].map((id) => ({ id, session })),
    );
    assert.deepEqual(next, { summary: null, clicks: null });
  });

  it('continues from both cursors', async () => {
    await press(await begin('grace'));
    const first = await read<{ clicks: Row[]; next: Record<string, string> }>('joins?limit=1');
    const { clicks, summary, next } = await read<{ clicks: Row[]; summary: Row[]; next: Row }>(
      `joins?limit=1&clicks=${first.next.clicks}&summary=${first.next.summary}`,
    );
    assert.ok(Number(clicks[0]?.id) < Number(first.clicks[0]?.id));
    assert.deepEqual([summary.length, summary[0]?.email], [1, 'invitee@example.com']);
    assert.equal(next.summary, null);
  });
});
