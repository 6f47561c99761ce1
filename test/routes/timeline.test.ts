/** The pages of everybody and of visitors, the timeline's views, and join clicks. */
import assert from 'node:assert/strict';
import path from 'node:path';
import test from 'node:test';
import { root } from '../../lib/config.ts';
import { readValue, statement } from '../../lib/store/sqlite.ts';
import { enter, startApp, TEST_SITE } from '../service.ts';
import { testCases } from './cases.ts';

const picture = path.join(root, 'pages/everyone/favicon.svg');
const site = {
  ...TEST_SITE,
  files: {
    public: new Map([['/public/logo.svg', picture]]),
    gated: new Map([['/images/lamp.svg', picture]]),
  },
};
const app = await startApp(undefined, site);
const { db, send, get, post } = app;
const ada = enter(db, 'ada@example.com', 'Ada');

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 ' +
  '(KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const callers = {
  nobody: {},
  'a visitor': { cookie: ada },
  'a visitor, from her own page': { cookie: ada, 'x-guest': 'ADA%40example.com' },
  'a visitor, from the page of another': { cookie: ada, 'x-guest': 'grace%40example.com' },
  'a visitor, from a page of nobody': { cookie: ada, 'x-guest': '100%' },
  'a visitor with a phone': { cookie: ada, 'user-agent': IPHONE },
  'a visitor on another site': { cookie: ada, 'sec-fetch-site': 'cross-site' },
};

const NOT_FOUND = 'Not Found\n';

testCases(app, callers, [
  ['POST /', 'nobody', 404, NOT_FOUND],
  ['HEAD /%23ada@example.com', 'nobody', 302, ''],
  ['POST /%23ada@example.com', 'nobody', 404, NOT_FOUND],
  ['GET /robots.txt', 'nobody', 200, /^User-agent: \*$/m],
  ['GET /entry.js', 'nobody', 200, /./],
  ['GET /favicon.svg', 'nobody', 200, /<svg/],
  ['GET /theme.css', 'nobody', 200, 'a{}'],
  ['GET /public/logo.svg', 'nobody', 200, /<svg/],
  ['GET /../server.ts', 'nobody', 404, NOT_FOUND],
  ['GET /%72obots.txt', 'nobody', 404, NOT_FOUND],

  ['GET /timeline', 'nobody', 302, ''],
  ['GET /timeline', 'a visitor', 200, /^desktop<body/],
  ['GET /timeline', 'a visitor on another site', 200, /^desktop<body/],
  ['GET /timeline', 'a visitor with a phone', 200, /^mobile<body/],
  ['GET /timeline?view=mobile', 'a visitor', 200, /^mobile<body/],
  ['GET /timeline?view=desktop', 'a visitor with a phone', 200, /^desktop<body/],
  ['GET /timeline?view=tv', 'a visitor', 200, /^desktop<body/],
  ['HEAD /timeline', 'a visitor', 200, ''],
  ['HEAD /timeline', 'nobody', 302, ''],
  ['POST /timeline', 'a visitor', 404, NOT_FOUND],

  ['GET /timeline.js', 'nobody', 302, ''],
  ['GET /timeline.js', 'a visitor', 200, /./],
  ['GET /images/lamp.svg', 'nobody', 302, ''],
  ['GET /images/lamp.svg', 'a visitor', 200, /<svg/],

  ['POST /api/project-join', 'nobody', 401, { error: 'no_session' }],
  ['POST /api/project-join', 'a visitor on another site', 403, { error: 'cross_origin' }],
  ['POST /api/project-join', 'a visitor', 200, { ok: true }],
  ['POST /api/project-join {"any":1}', 'a visitor', 200, { ok: true }],
  ['POST /api/project-join', 'a visitor, from her own page', 200, { ok: true }],
  ['POST /api/project-join', 'a visitor, from the page of another', 401, { error: 'no_session' }],
  ['POST /api/project-join', 'a visitor, from a page of nobody', 401, { error: 'no_session' }],
  ['GET /api/project-join', 'a visitor', 404, NOT_FOUND],
]);

test('each join click is a row of its session', () => {
  const rows = statement(db, 'select email, session_id from project_joins').all();
  const [session_id] = ada.slice('svc_session='.length).split('.');
  const row = { email: 'ada@example.com', session_id };
  assert.deepEqual(rows, [row, row, row]);
});

test('each view is an event, and HEAD, files and strangers are none', () => {
  const metas = readValue(db, 'select json_group_array(meta) from events');
  assert.deepEqual(JSON.parse(String(metas)), [
    '{"view":"desktop","forced":false}',
    '{"view":"desktop","forced":false}',
    '{"view":"mobile","forced":false}',
    '{"view":"mobile","forced":true}',
    '{"view":"desktop","forced":true}',
    '{"view":"desktop","forced":false}',
  ]);
});

const DEVICES = [
  [IPHONE, 'mobile', 'iOS', 'Mobile Safari'],
  [FIREFOX, 'desktop', 'Linux', 'Firefox'],
  ['curl/8.14.1', 'unknown', '', ''],
  ['', 'unknown', '', ''],
  [`${'('.repeat(512)} ${FIREFOX}`, 'unknown', '', ''],
] as const;

test('a view says which device, system and browser it is from', async () => {
  for (const [userAgent, device_type, os, browser] of DEVICES) {
    await send('GET', '/timeline', { cookie: ada, 'user-agent': userAgent });
    const sql = 'select device_type, os, browser from events order by id desc limit 1';
    assert.deepEqual(statement(db, sql).get(), { device_type, os, browser }, userAgent);
  }
});

const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
    "media-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; " +
    "frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
};

test('every reply has the security headers, and says who may keep it', async () => {
  const expected = {
    '/': 'no-store',
    '/timeline': 'no-store',
    '/auth/me': 'no-store',
    '/unknown': 'no-store',
    '/robots.txt': 'no-cache',
    '/timeline.js': 'private, no-cache',
  };
  for (const [url, cache] of Object.entries(expected)) {
    const { headers } = await get(url, ada);
    assert.equal(headers['cache-control'], cache, url);
    for (const [name, value] of Object.entries(SECURITY_HEADERS))
      assert.equal(headers[name], value, `${name} of ${url}`);
  }
  assert.equal((await post('/auth/login', [])).headers['x-content-type-options'], 'nosniff');
});

test('a page says whose it is, and whether she has joined', async () => {
  const bo = enter(db, 'bo+x@example.com');
  const mia = enter(db, "'mia'@example.com", '"><b>');
  const before = await get('/', mia);
  await post('/api/project-join', {}, mia);
  const miasBody =
    /<body data-email="&#39;mia&#39;@example.com" data-first-name="&#34;&#62;&#60;b&#62;"/;
  for (const url of ['/', '/timeline?view=desktop', '/timeline?view=mobile']) {
    assert.match((await get(url, bo)).text, /<body data-email="bo\+x@example.com">/);
    const { status, text } = await send('GET', url, { cookie: mia, 'if-none-match': '*' });
    assert.equal(status, 200);
    assert.match(text, new RegExp(`${miasBody.source} data-joined>`));
  }
  assert.match(before.text, new RegExp(`${miasBody.source}>`));
  assert.match((await get('/')).text, /<body>/);
});

test('a redirect leads to the entry page, with the address of a link', async () => {
  const locations = {
    '/timeline': '/',
    '/%23ada@example.com': '/#ada@example.com',
    '/%23ADA%2Bx%40example.com?utm_source=x': '/#ada+x@example.com',
    '/%23a%25b@b%C3%BCcher.example': '/#a%25b@xn--bcher-kva.example',
    '/%23': '/',
    '/%23end': '/',
    '/%23100%': '/',
    '/%23a%0D%0Ab@example.com': '/',
  };
  for (const [url, location] of Object.entries(locations))
    assert.equal((await get(url)).headers.location, location, url);
});

test('HEAD has the headers of GET', async () => {
  for (const url of ['/', '/timeline', '/timeline.js', '/auth/me', '/unknown']) {
    const got = await get(url, ada);
    const asked = await send('HEAD', url, { cookie: ada });
    assert.equal(asked.status, got.status);
    assert.deepEqual({ ...asked.headers, date: '' }, { ...got.headers, date: '' });
    assert.equal(asked.text, '');
  }
});
