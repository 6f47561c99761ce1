/**
 * Random requests in every role: there is no 500, the hidden page stays hidden, and the store stays
 * undamaged.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { anotherClient, FORGED_COOKIE } from '../support/client.ts';
import { queryOne } from '../support/database.ts';
import { randomFrom } from '../support/random.ts';
import { startService } from '../support/service.ts';
import { assertSound } from './store-check.ts';

/** Requests that each role sends. */
const REQUESTS = 600;

const METHODS = 'GET POST HEAD PUT DELETE OPTIONS PATCH TRACE'.split(' ');

const QUERIES =
  `? ?view=mobile ?view=desktop ?view=x&view=mobile ?limit=1 ?limit=0 ?limit=501 ?limit=1e2
?cursor=1 ?cursor=1~a@example.com ?cursor=99999999999999999 ?cursor= ?clicks=3 ?summary=9~~ ?summary=~
?format=csv ?format=csv&of=summary ?format=csv&of=clicks ?format=xml ?type=login ?type=timeline_view
?type=logout ?email=ada@example.com ?email='or'1'='1 ?email=%00 ?sort=email ?sort=x
?order=asc&sort=lastSeenAt&limit=2 ?status=joined&q=a ?q=%25_\\ ?q=%00 ?% ?=&= ?limit=%F0%28%8C
?__proto__=1 ?constructor=1`.split(/\s/);

const TEXTS: readonly string[] = [
  ...JSON.parse(`["", " ", "a b@c.d", " invitee@example.com\\t", "a@b.c\\u0000", "a@b.c\\n",
    "a\\u200b@example.com", "\\ufeffada@example.com", "\\ud800@b.c", "\\ufffd@x.y", "is_admin"]`),
  ...`x @ a@b a@b.c INVITEE@example.com administrator@example.com eve@example.com a@@b.c
    o'neil@example.com ß@ẞ.example İ@example.com K@example.com =cmd@example.com
    "<b>"@example.com 💥@example.com`.split(/\s+/),
  ...['a'.repeat(242), 'a'.repeat(243), 'İ'.repeat(120)].map((name) => `${name}@example.com`),
];

const VALUES: readonly unknown[] =
  JSON.parse(`[null, true, 0, -1, 1e308, [], {}, ["ada@example.com"],
  [["ada@example.com"]], {"toString": 1}, {"toString": null, "valueOf": null}]`);

const KEYS = 'firstName is_admin isAdmin invited_by __proto__ constructor'.split(' ');

/** Requests that record a row each time they succeed. */
const RECORDED = ['POST /auth/login', 'GET /timeline', 'POST /api/project-join'];

const { file, urls, send } = await startService();
const makeRequest = requestsTo(urls);

it(`${REQUESTS} requests in each role leave the rows that the contract allows`, async () => {
  const done = RECORDED.map(() => 0);
  await Promise.all(
    ['', 'invitee', 'administrator'].map(async (role, number) => {
      const random = randomFrom(number);
      let cookie = '';
      for (let i = 0; i < REQUESTS; i += 1) {
        if (role && !cookie) {
          const json = { email: `${role}@example.com` };
          const login = await send('POST /auth/login', { json, headers: anotherClient() });
          cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
          done[0] = (done[0] ?? 0) + 1;
        }
        const { method, url, ...options } = makeRequest(random, cookie);
        const what = `${role} ${i}: ${method} ${url} ${JSON.stringify(options)}`;
        const { status, text, headers } = await send(`${method} ${url}`, options);
        const path = url.split('?')[0] ?? '';
        assert.ok(status >= 200 && status < 500, `${status} to ${what}`);
        const head = JSON.stringify([...headers]);
        assert.doesNotMatch(head, /"access-control-/i, what);
        if (role !== 'administrator') {
          assert.doesNotMatch(head + text, /svcops/i, what);
          if (/^\/(api\/)?svcops/.test(path))
            assert.deepEqual([status, text], [404, 'Not Found\n'], what);
        }
        const kind = RECORDED.indexOf(`${method} ${path}`);
        if (status === 200 && kind >= 0) done[kind] = (done[kind] ?? 0) + 1;
        // The session has ended. The next round begins another one.
        if (status === 200 && /^POST \/auth\/log/.test(`${method} ${path}`)) cookie = '';
      }
    }),
  );
  assert.deepEqual(Object.values(assertSound(file)), done);
  assert.ok(Math.min(...done) > 0, `${done}`);
  const administrators = 'select group_concat(email) from invites where is_admin = 1';
  assert.equal(queryOne(file, administrators), 'administrator@example.com');
});

/** @param routes every route of the table, as `GET /timeline` */
function requestsTo(routes: readonly string[]) {
  const paths = [
    ...routes.map((route) => route.replace(/^\w+ /, '')),
    ...['/api/svcops/', '/images/none.png', '/no-such-page'],
  ];
  /** The routes that are not files. */
  const actions = routes.filter((route) => !/\.\w+$/.test(route));

  /** The next random request, mostly with the cookie if there is one. */
  return (random: () => number, cookie: string) => {
    const below = (n: number) => Math.floor(random() * n);
    const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;
    const sometimes = (chance: number) => random() < chance;
    const text = () => (sometimes(0.2) ? `guest${below(200)}@example.com` : one(TEXTS));
    const value = () => (sometimes(0.7) ? text() : one(VALUES));
    const bytes = (length: number) => Buffer.from(Array.from({ length }, () => below(256)));
    const cursor = `?${one(['cursor', 'summary', 'clicks'])}=${below(9)}&limit=${1 + below(3)}`;

    function mutate(path: string): string {
      const at = below(path.length + 1);
      return path.slice(0, at) + one('/ %2f . .. %00 S ;'.split(' ')) + path.slice(at);
    }

    // Written as text: `__proto__` in an object literal sets its prototype, and is not a key.
    const pairs = ['email', ...KEYS.filter(() => sometimes(0.3))].map(
      (key) => `${JSON.stringify(key)}:${JSON.stringify(value())}`,
    );

    const headers: Record<string, string> = {
      'X-Forwarded-For': sometimes(0.95)
        ? `10.${below(256)}.${below(256)}.${below(256)}`
        : one(['', 'x', '::1', ',', '10.0.0.1, ::ffff:1.2.3.4']),
      'Content-Type': sometimes(0.9) ? 'application/json' : one(['text/plain', ';']),
    };
    const maybe = (chance: number, name: string, ...values: readonly string[]) => {
      if (sometimes(chance)) headers[name] = one(values);
    };
    if (cookie && sometimes(0.95)) headers.Cookie = cookie;
    else maybe(0.5, 'Cookie', `${cookie}x`, `x=1; ${cookie}`, FORGED_COOKIE, ';=;=', '\u00ff');
    const phone = 'x (iPhone; CPU iPhone OS 17_0) Mobile';
    maybe(0.5, 'User-Agent', '', phone, '('.repeat(600), 'é'.repeat(600));
    maybe(0.05, 'Sec-Fetch-Site', 'same-origin', 'none', 'cross-site', '');
    maybe(0.05, 'Origin', 'null', 'https://evil.example', 'http://localhost:3000', '\u00ff');
    maybe(0.05, 'If-None-Match', '*', 'W/"x"', ',,,', '"');
    const action = one(sometimes(0.8) ? actions : routes);
    const line = sometimes(0.75) ? action : `${one(METHODS)} ${one(paths)}`;
    const [method = '', path = ''] = line.split(' ');
    const query = sometimes(0.9) ? one(QUERIES) : cursor;
    const url = (sometimes(0.05) ? mutate(path) : path) + query;
    const odd = ['', '{', '[]', 'null', '{"email":', bytes(below(300)), 'x'.repeat(below(12_000))];
    return { method, url, headers, body: sometimes(0.6) ? `{${pairs}}` : one(odd) };
  };
}
