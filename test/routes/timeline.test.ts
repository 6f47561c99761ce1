/** The timeline: its gate, layouts, records and devices; and the join button. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeDevice } from '../../lib/routes/device.ts';
import { sessionId } from '../support/client.ts';
import { eventsIn, IPHONE } from '../support/rows.ts';
import { startService } from '../support/service.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

const { beginSession, testRequests, send, read } = await startService();
const cookie = await beginSession('invitee');
const email = 'invitee@example.com';

const view = (query = '', userAgent = FIREFOX, method = 'GET') =>
  send(`${method} /timeline${query}`, { cookie, headers: { 'User-Agent': userAgent } });
const events = (type?: 'timeline_view') => read((readers) => eventsIn(readers, { type }));
const views = () => events('timeline_view');
const clicks = () => read(({ joins }) => joins.list({ limit: 500 }).rows);

testRequests([
  ['GET /timeline', 'forger', 302, ''],
  ['GET /api/project-join', 'stranger', 401, { error: 'no_session' }],
  ['POST /api/project-join', 'stranger', 401, { error: 'no_session' }],
  ['POST /api/project-join', 'forger', 401, { error: 'no_session' }],
]);

it('a gated page redirects strangers to /, and nothing is recorded', async () => {
  const { status, text, headers } = await send('GET /timeline');
  assert.deepEqual([status, text, headers.get('location')], [302, '', '/']);
  assert.deepEqual([views(), clicks()], [[], []]);
});

for (const [query, location] of [
  ['?view=mobile', '/?view=mobile'],
  ['?utm_source=x&view=desktop', '/?view=desktop'],
  ['?view=tablet', '/'],
  ['?view=mobile%0d%0aX: y', '/'],
] as const)
  for (const method of ['GET', 'HEAD'])
    it(`leads a stranger from ${method} /timeline${query} to ${location}`, async () => {
      const { status, headers } = await send(`${method} /timeline${query}`);
      assert.deepEqual([status, headers.get('location')], [302, location]);
    });

describe('GET /timeline', () => {
  it('records email, time, session and device of every request, before it answers', async () => {
    const began = Date.now();
    for (const number of [1, 2]) {
      assert.equal((await view('', FIREFOX, 'HEAD')).status, 200, 'which is not recorded');
      assert.equal((await view()).status, 200);
      assert.equal(views().length, number);
    }
    const { id, occurredAt = 0, ...event } = views()[0] ?? {};
    const device = { deviceType: 'desktop', os: 'Linux', browser: 'Firefox' };
    const visit = { email, session: sessionId(cookie), meta: { view: 'desktop', forced: false } };
    assert.deepEqual(event, { type: 'timeline_view', ...visit, ...device });
    assert.ok(occurredAt >= began && occurredAt <= Date.now());
  });

  for (const [query, userAgent, layout, forced] of [
    ['', IPHONE, 'mobile', false],
    ['', FIREFOX, 'desktop', false],
    ['', IPHONE.replaceAll('iPhone', 'iPad'), 'desktop', false],
    ['', '', 'desktop', false],
    ['?view=mobile', FIREFOX, 'mobile', true],
    ['?view=desktop', IPHONE, 'desktop', true],
    ['?view=tablet', IPHONE, 'mobile', false],
    ['?other=1&view=mobile', FIREFOX, 'mobile', true],
  ] as const)
    it(`serves ${layout}${forced ? ', forced,' : ''} to "${query}" from ${userAgent.slice(0, 24)}`, async () => {
      const answer = await view(query, userAgent);
      assert.match(answer.text, new RegExp(`<body[^>]*class="[^"]*\\b${layout}\\b`));
      assert.deepEqual(views()[0]?.meta, { view: layout, forced });
    });
});

it('POST /api/project-join records one row for each press, and no event', async () => {
  const began = Date.now();
  const before = events().length;
  const headers = { 'Content-Type': 'text/xml' };
  for (const options of [{}, { body: '<nonsense>', headers }, { body: 'x'.repeat(100_000) }]) {
    const answer = await send('POST /api/project-join', { cookie, ...options });
    assert.deepEqual([answer.status, answer.json()], [200, { ok: true }]);
  }
  const rows = clicks();
  assert.deepEqual(
    rows.map(({ clickedAt, ...row }) => row),
    [3, 2, 1].map((id) => ({ id, email, firstName: 'Ada', session: sessionId(cookie) })),
  );
  for (const { clickedAt } of rows) assert.ok(clickedAt >= began && clickedAt <= Date.now());
  assert.equal(events().length, before);
});

it('GET /api/project-join says whether this person has ever pressed, and records nothing', async () => {
  for (const [who, joined] of [
    [cookie, true],
    [await beginSession('administrator'), false],
  ] as const)
    assert.deepEqual((await send('GET /api/project-join', { cookie: who })).json(), { joined });
  assert.equal(clicks().length, 3);
});

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';

/** Headers, and the device of each. */
const DEVICES: readonly (readonly [header: string, device: string])[] = [
  [IPHONE, 'mobile, iOS, Mobile Safari'],
  [IPHONE.replaceAll('iPhone', 'iPad'), 'tablet, iOS, Mobile Safari'],
  [IPHONE.replace(/ Version.*/, ' [FBAN/FBIOS;FBAV/520.0.0;FBSN/iOS]'), 'mobile, iOS, Facebook'],
  [`Mozilla/5.0 (Windows NT 10.0) ${CHROME} Safari/537.36`, 'desktop, Windows, Chrome'],
  [FIREFOX, 'desktop, Linux, Firefox'],
  [`${MAC} AppleWebKit/605.1.15 Version/26.1 Safari/605`, 'desktop, Mac OS, Safari'],
  [`Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) ${CHROME}`, 'smarttv, Tizen, Chrome'],
  // One spelling for all, and no name that a guest invents.
  ['(ANDROID 9) DUCKDUCKGO/7', 'desktop, Android, Duckduckgo'],
  ['(X11-BSD) Vivaldi/7.1', 'desktop, Other, Vivaldi'],
  ['curl/8.5.0', 'unknown, , '],
  // After the part of a header that is read.
  [`${'x'.repeat(512)}${IPHONE}`, 'unknown, , '],
];
for (const [header, expected] of DEVICES)
  it(`a device is ${expected} for …${header.slice(-40)}, in any spelling`, () => {
    for (const spelling of [header, header.toLowerCase(), header.toUpperCase()])
      assert.equal(Object.values(describeDevice(spelling)).join(', '), expected);
  });

it('a device is cached for at most 1000 headers', () => {
  const first = describeDevice('first');
  assert.equal(describeDevice('first'), first);
  for (let i = 0; i < 1000; i += 1) describeDevice(`other ${i}`);
  assert.notEqual(describeDevice('first'), first);
});
