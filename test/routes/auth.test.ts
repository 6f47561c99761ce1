/** Logins: their replies, their records, and the limit. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { anotherClient, sessionCookie, sessionId } from '../support/client.ts';
import { type Case, inject } from '../support/inject.ts';
import { addInvite, eventsIn, IPHONE, PHONE } from '../support/rows.ts';

const { each, invite, send, read } = await inject({}, (writer) => {
  addInvite(writer, 'eva@xn--bcher-kva.example.com', { firstName: 'Eva' });
  addInvite(writer, 'ipek@example.com', { firstName: 'İpek' });
});
await invite(['grace']);

const login = (json: unknown, headers: Record<string, string> = anotherClient()) =>
  send('POST /auth/login', { json, headers });
const me = (cookie: string) => send('GET /auth/me', { cookie });
const logins = (email: string) => read((readers) => eventsIn(readers, { type: 'login', email }));

const MALFORMED: readonly unknown[] = [
  ...[undefined, null, '', 'ada', 'ada@', '@example.com', 'ada@example', 'ada@@example.com'],
  ...['a da@example.com', 'ada@.com', 'ada@example.', 'ada@exa mple.com', 'ada@b@example.com'],
  ...[42, true, {}, { toString: 1 }, [[[]]], 'ada\u0000@example.com', '\ud800@example.com'],
  `${'a'.repeat(243)}@example.com`,
];

/** A deeply nested value. */
const NESTED = `{"email":${'['.repeat(5000)}${']'.repeat(5000)}}`;
const JSON_TYPE = { ...anotherClient(), 'Content-Type': 'application/json' };

describe('POST /auth/login', () => {
  const attempt = (email: unknown, status: number, content: object): Case => [
    'POST /auth/login',
    'stranger',
    status,
    content,
    { json: { email }, headers: anotherClient() },
  ];
  each([
    attempt('invitee@example.com', 200, { ok: true, firstName: 'Ada' }),
    attempt('  INVITEE@Example.COM\t', 200, { ok: true, firstName: 'Ada' }),
    ...['xn--bcher-kva', 'bücher'].map((domain) =>
      attempt(`\u2068eva@${domain}.example.com\u2069`, 200, { ok: true, firstName: 'Eva' }),
    ),
    attempt('İPEK@EXAMPLE.COM', 200, { ok: true, firstName: 'İpek' }),
    attempt('grace@example.com', 200, { ok: true, firstName: null }),
    attempt('mallory@example.com', 403, { error: 'not_invited' }),
    attempt(`${'a'.repeat(242)}@example.com`, 403, { error: 'not_invited' }),
    ...MALFORMED.map((email) => attempt(email, 400, { error: 'invalid_email' })),
    ['POST /auth/login', 'stranger', 400, { error: 'invalid_email' }],
    [
      'POST /auth/login',
      'stranger',
      400,
      { error: 'invalid_email' },
      { body: NESTED, headers: JSON_TYPE },
    ],
  ]);

  it('sets the session cookie if it succeeds, and only then', async () => {
    const cookie = async (email: string) => (await login({ email })).headers.get('set-cookie');
    const set =
      /^svc_session=[\w-]{22}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/;
    assert.match((await cookie('invitee@example.com')) ?? '', set);
    for (const email of ['mallory@example.com', 'grace@'])
      assert.equal(await cookie(email), null, email);
  });

  it('records a login event with the device of the User-Agent, and no meta', async () => {
    const began = Date.now();
    const headers = { ...anotherClient(), 'User-Agent': IPHONE };
    const answer = await login({ email: 'invitee@example.com' }, headers);
    const { id, occurredAt = 0, ...event } = logins('invitee@example.com')[0] ?? {};
    const session = sessionId(sessionCookie(answer));
    const expected = { type: 'login', email: 'invitee@example.com', ...PHONE, session };
    assert.deepEqual(event, { ...expected, meta: null });
    assert.ok(occurredAt >= began && occurredAt <= Date.now());
  });

  it('ends the session of the cookie and begins a new one', async () => {
    const former = sessionCookie(await login({ email: 'invitee@example.com' }));
    const headers = { ...anotherClient(), Cookie: former };
    const latter = sessionCookie(await login({ email: 'grace@example.com' }, headers));
    assert.equal((await me(former)).status, 401);
    assert.equal((await me(latter)).json().email, 'grace@example.com');
  });
});

describe('the login limit', () => {
  const from = (address: string) => ({ 'X-Forwarded-For': address });
  const attempt = async (email: string, headers: Record<string, string>) =>
    (await login({ email }, headers)).status;

  it('is 30 attempts of any kind per hour and client, the last of X-Forwarded-For; then 429', async (t) => {
    t.mock.method(performance, 'now', () => 1000);
    for (let i = 0; i < 10; i += 1)
      for (const [email, status] of [
        ['invitee@example.com', 200],
        ['nobody@example.com', 403],
        ['', 400],
      ] as const)
        assert.equal(await attempt(email, from(`198.51.100.${i}, 203.0.113.7`)), status);
    t.mock.method(performance, 'now', () => 2500);
    const headers = from('192.0.2.1, 203.0.113.7');
    const refused = await login({ email: 'invitee@example.com' }, headers);
    assert.deepEqual([refused.status, refused.json()], [429, { error: 'rate_limited' }]);
    assert.equal(refused.headers.get('retry-after'), '3599');
    assert.equal(await attempt('', from('203.0.113.7, 192.0.2.1')), 400);
  });

  it('does not count a cross-origin request, and comes before the body', async () => {
    const headers = from('203.0.113.9');
    const crossOrigin = { ...headers, 'Sec-Fetch-Site': 'cross-site' };
    for (let i = 0; i < 31; i += 1) assert.equal(await attempt('', crossOrigin), 403);
    for (let i = 0; i < 30; i += 1) assert.equal(await attempt('', headers), 400);
    const huge = { body: 'x'.repeat(20_000), headers };
    assert.equal((await send('POST /auth/login', huge)).status, 429);
    assert.equal(await attempt('', crossOrigin), 403);
  });

  it('is shared by all without X-Forwarded-For: logged once, if the public origin is https', async (t) => {
    const { mock } = t.mock.method(console, 'error', () => {});
    for (const [scheme, logged] of [
      ['http', 0],
      ['https', 1],
    ] as const) {
      const other = await inject({ publicOrigin: `${scheme}://preview.example.com` });
      const named = { json: {}, headers: anotherClient() };
      await other.send('POST /auth/login', named);
      assert.equal(mock.callCount(), 0);
      for (let i = 0; i < 2; i++) await other.send('POST /auth/login', { json: {} });
      assert.equal(mock.callCount(), logged, scheme);
    }
    assert.match(String(mock.calls[0]?.arguments[0]), /X-Forwarded-For/);
  });
});
