/** The joins and events tools on real visits: lists, summaries, one person, totals. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { logIn, send, sessionId } from '../support/client.ts';
import { awayFromMidnight } from '../support/clock.ts';
import { withDatabase } from '../support/database.ts';
import type { Row } from '../support/installation.ts';
import { siteForAll } from '../support/site.ts';

await awayFromMidnight();
const site = siteForAll();
for (const name of ['ada', 'grace']) site.invite(`${name}@example.com`);
const server = await site.start();
const ada = await logIn(server.origin, 'ada@example.com');
const grace = await logIn(server.origin, 'grace@example.com');
for (const cookie of [ada, grace, ada]) {
  await send(server.origin, 'GET /timeline?view=mobile', { cookie });
  await send(server.origin, 'POST /api/project-join', { cookie });
}

const column = (rows: readonly Row[], name: string) => rows.map((row) => row[name]);

it('joins list: every click, newest first, with id, email and session', () => {
  const rows = site.json('joins', 'list');
  assert.deepEqual(column(rows, 'email'), [
    'ada@example.com',
    'grace@example.com',
    'ada@example.com',
  ]);
  assert.deepEqual(column(rows, 'id'), [3, 2, 1]);
  assert.equal(rows[0]?.session, sessionId(ada));
  assert.match(
    site.tool('joins', 'list').stdout,
    new RegExp(`3 +ada@example\\.com +${sessionId(ada)}`),
  );
  assert.equal(site.json('joins', 'list', '--limit', '2').length, 2);
});

it('joins summary: one row a person with clicks, first and last', () => {
  const rows = site.json('joins', 'summary');
  assert.deepEqual(column(rows, 'email'), ['ada@example.com', 'grace@example.com']);
  assert.deepEqual(column(rows, 'clicks'), [2, 1]);
  const [first, second] = rows.map(({ firstAt, lastAt }) => Number(lastAt) - Number(firstAt));
  assert.ok(Number(first) > 0 && second === 0);
});

it('joins for <email>: the full click history of one person', () => {
  assert.deepEqual(column(site.json('joins', 'for', ' ADA@example.com'), 'id'), [3, 1]);
  assert.deepEqual(site.json('joins', 'for', 'nobody@example.com'), []);
});

it('joins stats: total clicks and unique users', () => {
  assert.deepEqual(site.json('joins', 'stats'), { clicks: 3, users: 2 });
  assert.equal(site.tool('joins', 'stats').stdout, 'clicks: 3\nusers: 2\n');
});

it('events summary: also people whose time another program wrote beyond all dates', () => {
  const before = site.json('events', 'summary').length;
  withDatabase(site.store, (db) =>
    db.exec(`insert into events (event_type, email, occurred_at, session_id, device_type, os, browser)
      values ('login', 'late@example.com', 9e17, 's', 'desktop', '', '')`),
  );
  assert.equal(site.json('events', 'summary').length, before + 1);
  withDatabase(site.store, (db) => db.exec("delete from events where email = 'late@example.com'"));
});

it('events list, with --type and --limit', () => {
  assert.equal(site.json('events', 'list').length, 5);
  assert.deepEqual(
    new Set(column(site.json('events', 'list', '--type', 'login'), 'type')),
    new Set(['login']),
  );
  assert.deepEqual(
    column(site.json('events', 'list', '--type', 'timeline_view', '--limit', '2'), 'id'),
    [5, 4],
  );
  assert.match(
    site.tool('events', 'list', '--limit', '1').stdout,
    /timeline_view +ada@example\.com .* mobile \(forced\)\n/,
  );
});

it('events summary: per person logins, views and last seen', () => {
  const rows = site.json('events', 'summary');
  assert.deepEqual(
    rows.map(({ email, logins, timelineViews }) => [email, logins, timelineViews]),
    [
      ['ada@example.com', 1, 2],
      ['grace@example.com', 1, 1],
    ],
  );
  assert.equal(rows[0]?.lastSeenAt, site.json('events', 'list', '--limit', '1')[0]?.occurredAt);
});

it('events for <email>: the events of one person', () => {
  assert.deepEqual(column(site.json('events', 'for', 'ada@example.com'), 'type'), [
    'timeline_view',
    'timeline_view',
    'login',
  ]);
});

it('take --from and --to, in days of UTC, and --csv like the exports', async () => {
  const today = new Date().toISOString().slice(0, 10);
  assert.equal(site.json('joins', 'list', '--from', today, '--to', today).length, 3);
  assert.deepEqual(site.json('joins', 'stats', '--to', '2026-01-01'), { clicks: 0, users: 0 });
  assert.deepEqual(site.json('events', 'summary', '--to', '2026-01-01'), []);
  const invited = site.json('invite', 'list', '--status', 'joined', '--from', today);
  assert.deepEqual(column(invited, 'email').toSorted(), ['ada@example.com', 'grace@example.com']);
  site.invite('root@example.com');
  site.setAdmin('root@example.com');
  const cookie = await logIn(server.origin, 'root@example.com');
  const url = `GET /api/svcops/events?type=timeline_view&from=${today}&format=csv`;
  const { text } = await send(server.origin, url, { cookie });
  const csv = site.tool('events', 'list', '--type', 'timeline_view', '--from', today, '--csv');
  assert.equal(csv.stdout.replace(/^\uFEFF/, ''), text.replace(/^\uFEFF/, ''));
  for (const wrong of [
    ['--from', '2026-02-30'],
    ['--from', today, '--to', '2026-01-01'],
    ['--csv', '--json'],
  ]) {
    const { status, stderr } = site.tool('joins', 'list', ...wrong);
    assert.equal(status, 2);
    assert.match(stderr, /it must be a day|--from is after --to|exclude each other/);
  }
  site.write(({ invites }) => invites.remove('root@example.com'));
  withDatabase(site.store, (db) => db.exec("delete from events where email = 'root@example.com'"));
});

it('events stats: totals per event type and a device-type breakdown', () => {
  assert.deepEqual(site.json('events', 'stats'), {
    types: [
      { name: 'login', count: 2 },
      { name: 'timeline_view', count: 3 },
    ],
    devices: [{ name: 'unknown', count: 5 }],
  });
  assert.match(
    site.tool('events', 'stats').stdout,
    /login +2\ntimeline_view +3\n\ndevice +events\nunknown +5\n$/,
  );
});
