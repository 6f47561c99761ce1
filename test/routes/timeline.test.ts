/** The timeline: its gate, its layouts, its records, and the join button. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { logIn, send, sessionId } from '../support/client.ts';
import { siteForAll } from '../support/site.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const IPAD =
  'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

const site = siteForAll();

site.invite('ada@example.com', 'Ada');
const server = await site.start();
const cookie = await logIn(server.origin, 'ada@example.com');

const view = (query = '', userAgent = FIREFOX) =>
  send(server.origin, `GET /timeline${query}`, { cookie, headers: { 'User-Agent': userAgent } });
const views = () =>
  site.withStore(({ events }) => events.list({ limit: 500, type: 'timeline_view' })).rows;

describe('GET /timeline', () => {
  it('redirects to / without a session, and records nothing', async () => {
    const before = views().length;
    const answer = await send(server.origin, 'GET /timeline');
    assert.deepEqual([answer.status, answer.headers.get('location')], [302, '/']);
    assert.equal(views().length, before);
  });

  it('records a timeline_view on every request, before it answers', async () => {
    const before = views().length;
    assert.equal((await view()).status, 200);
    assert.equal(views().length, before + 1);
    assert.equal((await view()).status, 200);
    assert.equal(views().length, before + 2);
  });

  it('records email, time, session and device', async () => {
    const began = Date.now();
    await view();
    const [event] = views();
    assert.equal(event?.email, 'ada@example.com');
    assert.equal(event?.session, sessionId(cookie));
    assert.deepEqual(
      [event?.deviceType, event?.os, event?.browser],
      ['desktop', 'Linux', 'Firefox'],
    );
    const { occurredAt = 0 } = event ?? {};
    assert.ok(occurredAt >= began && occurredAt <= Date.now());
  });

  const cases = [
    ['', IPHONE, 'mobile', false],
    ['', FIREFOX, 'desktop', false],
    ['', IPAD, 'desktop', false],
    ['', 'curl/8.5.0', 'desktop', false],
    ['', '', 'desktop', false],
    ['?view=mobile', FIREFOX, 'mobile', true],
    ['?view=desktop', IPHONE, 'desktop', true],
    ['?view=mobile', IPHONE, 'mobile', true],
    ['?view=desktop', FIREFOX, 'desktop', true],
    ['?view=tablet', IPHONE, 'mobile', false],
    ['?view=', FIREFOX, 'desktop', false],
    ['?other=1', IPHONE, 'mobile', false],
    ['?other=1&view=mobile', FIREFOX, 'mobile', true],
  ] as const;
  for (const [query, userAgent, layout, forced] of cases) {
    it(`serves ${layout}${forced ? ', forced,' : ''} to "${query}" from ${userAgent.slice(0, 24) || 'no User-Agent'}`, async () => {
      const answer = await view(query, userAgent);
      assert.match(answer.text, new RegExp(`<body[^>]*class="[^"]*\\b${layout}\\b`));
      assert.deepEqual(views()[0]?.meta, { view: layout, forced });
    });
  }

  it('is never cached', async () => {
    assert.equal((await view()).headers.get('cache-control'), 'no-store');
  });

  it('answers HEAD like GET, without a body and without recording', async () => {
    const before = views().length;
    const get = await view();
    const head = await send(server.origin, 'HEAD /timeline', {
      cookie,
      headers: { 'User-Agent': FIREFOX },
    });
    assert.equal(head.status, 200);
    assert.equal(head.text, '');
    assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(get.text)));
    assert.equal(views().length, before + 1);
  });

  it('reads at most 512 characters of the User-Agent, and accepts any', async () => {
    await view('', `${' '.repeat(3)}${'x'.repeat(600)} Firefox/128.0`);
    assert.deepEqual(
      [views()[0]?.deviceType, views()[0]?.os, views()[0]?.browser],
      ['unknown', '', ''],
    );
  });
});

describe("the timeline's assets", () => {
  it('redirect to / without a session', async () => {
    for (const path of ['/timeline.js', '/timeline.css']) {
      const answer = await send(server.origin, `GET ${path}`);
      assert.deepEqual(
        [answer.status, answer.headers.get('location'), answer.text],
        [302, '/', ''],
        path,
      );
    }
  });

  it('are private with a session, and confirmed by their ETag', async () => {
    for (const path of ['/timeline.js', '/timeline.css']) {
      const answer = await send(server.origin, `GET ${path}`, { cookie });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('cache-control'), 'private, no-cache');
      const etag = answer.headers.get('etag') ?? '';
      assert.match(etag, /^"[\w-]+"$/);
      const ask = (known: string) =>
        send(server.origin, `GET ${path}`, { cookie, headers: { 'If-None-Match': known } });
      const again = await ask(etag);
      assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag]);
      assert.equal((await ask(`"x", W/${etag}`)).status, 304);
      assert.equal((await ask('"x"')).status, 200);
    }
  });
});

describe('POST /api/project-join', () => {
  const clicks = () => site.withStore(({ joins }) => joins.list({ limit: 500 })).rows;
  const join = (options: Parameters<typeof send>[2] = { cookie }) =>
    send(server.origin, 'POST /api/project-join', options);

  it('answers 401 no_session without a valid session, and records nothing', async () => {
    const before = clicks().length;
    const answer = await join({});
    assert.deepEqual([answer.status, answer.json()], [401, { error: 'no_session' }]);
    assert.equal(clicks().length, before);
  });

  it('records one row for each press, also for repeated ones', async () => {
    const began = Date.now();
    const before = clicks().length;
    for (let i = 0; i < 3; i += 1) assert.deepEqual((await join()).json(), { ok: true });
    const after = clicks();
    assert.equal(after.length, before + 3);
    assert.deepEqual(new Set(after.map(({ id }) => id)).size, after.length);
    assert.deepEqual([after[0]?.email, after[0]?.session], ['ada@example.com', sessionId(cookie)]);
    const { clickedAt = 0 } = after[0] ?? {};
    assert.ok(clickedAt >= began && clickedAt <= Date.now());
  });

  it('ignores any body', async () => {
    assert.equal(
      (await join({ cookie, body: '<nonsense>', headers: { 'Content-Type': 'text/xml' } })).status,
      200,
    );
    assert.equal((await join({ cookie, body: 'x'.repeat(100_000) })).status, 200);
  });

  it('adds no row to the events', async () => {
    const before = site.withStore(({ totals }) => totals.counts());
    await join();
    const after = site.withStore(({ totals }) => totals.counts());
    assert.deepEqual(after, { ...before, joinClicks: before.joinClicks + 1 });
  });
});
