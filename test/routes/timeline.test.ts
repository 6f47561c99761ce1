/** The timeline: its gate, its layouts, its records, and the join button. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sessionId } from '../support/client.ts';
import { inject } from '../support/inject.ts';
import { eventsIn, IPHONE } from '../support/rows.ts';

const IPAD =
  'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const NO_NAME = `   ${'x'.repeat(600)} Firefox/128.0`;

const { begin, each, send, read } = await inject();
const cookie = await begin('invitee');
const email = 'invitee@example.com';

const view = (query = '', userAgent = FIREFOX, method = 'GET') =>
  send(`${method} /timeline${query}`, { cookie, headers: { 'User-Agent': userAgent } });
const events = (type?: 'timeline_view') => read((readers) => eventsIn(readers, { type }));
const views = () => events('timeline_view');
const clicks = () => read(({ joins }) => joins.clicks({ limit: 500 }).rows);

describe('without a session', () => {
  each([
    ['GET /timeline', 'forger', 302, ''],
    ['GET /api/project-join', 'stranger', 401, { error: 'no_session' }],
    ['POST /api/project-join', 'stranger', 401, { error: 'no_session' }],
    ['POST /api/project-join', 'forger', 401, { error: 'no_session' }],
  ]);

  it('a gated page redirects to /, and nothing is recorded', async () => {
    const before = [views(), clicks()];
    const { status, text, headers } = await send('GET /timeline');
    assert.deepEqual([status, text, headers.get('location')], [302, '', '/']);
    assert.deepEqual([views(), clicks()], before);
  });
});

describe('GET /timeline', () => {
  it('records email, time, session and device of every request, before it answers', async () => {
    const began = Date.now();
    for (const number of [1, 2]) {
      const answer = await view();
      assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'no-store']);
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
    ['', IPAD, 'desktop', false],
    ['', 'curl/8.5.0', 'desktop', false],
    ['', '', 'desktop', false],
    ['?view=mobile', FIREFOX, 'mobile', true],
    ['?view=desktop', IPHONE, 'desktop', true],
    ['?view=tablet', IPHONE, 'mobile', false],
    ['?view=', FIREFOX, 'desktop', false],
    ['?other=1', IPHONE, 'mobile', false],
    ['?other=1&view=mobile', FIREFOX, 'mobile', true],
  ] as const)
    it(`serves ${layout}${forced ? ', forced,' : ''} to "${query}" from ${userAgent.slice(0, 24) || 'no User-Agent'}`, async () => {
      const answer = await view(query, userAgent);
      assert.match(answer.text, new RegExp(`<body[^>]*class="[^"]*\\b${layout}\\b`));
      assert.deepEqual(views()[0]?.meta, { view: layout, forced });
    });

  it('answers HEAD like GET, without recording', async () => {
    const get = await view();
    const before = views().length;
    assert.deepEqual({ ...(await view('', FIREFOX, 'HEAD')), json: 0 }, { ...get, json: 0 });
    assert.equal(views().length, before);
  });

  it('reads at most 512 characters of the User-Agent, and accepts any', async () => {
    await view('', NO_NAME);
    const { deviceType, os, browser } = views()[0] ?? {};
    assert.deepEqual([deviceType, os, browser], ['unknown', '', '']);
  });
});

it('POST /api/project-join records one row for each press, whatever its body, and no event', async () => {
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
  const presses = clicks().length;
  const other = await begin('administrator');
  for (const [who, joined] of [
    [cookie, true],
    [other, false],
  ] as const)
    assert.deepEqual((await send('GET /api/project-join', { cookie: who })).json(), { joined });
  assert.equal(clicks().length, presses);
});
