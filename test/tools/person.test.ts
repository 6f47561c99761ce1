/** The person tool: it exports all data about an address, and erases it. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { inspectFile } from '../../lib/store/file/inspection.ts';
import { logIn, send } from '../support/client.ts';
import { invitedIn } from '../support/database.ts';
import { siteForEach } from '../support/site.ts';
import { storeFilesWith } from '../support/store-bytes.ts';
import { toolsForEach, toolsOn } from '../support/tools.ts';

const ADA = 'ada@example.com';
const GRACE = 'grace@example.com';
const DEVICE = { deviceType: 'mobile', os: 'iOS', browser: 'Mobile Safari' };
const META = { view: 'mobile', forced: true } as const;

const { file, invite, json, says, tool, write } = toolsForEach();
const site = siteForEach();

beforeEach(() => {
  invite(ADA, 'Ada');
  invite(GRACE, 'Grace');
});

describe('person export', () => {
  it('prints all data about an address, and no secret of a session', async () => {
    const byAda = { email: 'alan@example.com', firstName: null, invitedBy: ADA, invitedAt: 4 };
    const session = write(({ sessions, events, joins, invites }) => {
      const { id } = sessions.begin(ADA, Date.now());
      const event = { email: ADA, session: id, ...DEVICE };
      events.record({ type: 'login', occurredAt: 1, ...event, meta: null });
      events.record({ type: 'timeline_view', occurredAt: 2, ...event, meta: META });
      joins.record({ email: ADA, session: id, clickedAt: 3 });
      invites.add(byAda, { by: ADA, via: 'page' });
      sessions.begin(GRACE, Date.now());
      return id;
    });
    const printed = await says('person export', ' Ada@Example.COM ');
    const { invite, sessions, changes, ...person } = JSON.parse(printed);
    assert.equal(invite.firstName, 'Ada');
    assert.deepEqual(Object.keys(sessions[0]), ['id', 'createdAt', 'expiresAt']);
    assert.deepEqual([sessions.length, sessions[0].id, changes.length], [1, session, 2]);
    const times = { lastSeenAt: 2, firstJoinAt: 3, lastJoinAt: 3 };
    const event = { email: ADA, session, ...DEVICE };
    assert.deepEqual(person, {
      email: ADA,
      totals: { logins: 1, timelineViews: 1, joinClicks: 1, ...times },
      invited: ['alan@example.com'],
      events: [
        { id: 2, type: 'timeline_view', occurredAt: 2, ...event, meta: META },
        { id: 1, type: 'login', occurredAt: 1, ...event, meta: null },
      ],
      joinClicks: [{ id: 1, email: ADA, firstName: 'Ada', session, clickedAt: 3 }],
    });
    assert.ok(!printed.includes(GRACE) && !printed.includes('secret'));
  });

  it('refuses an unknown address', async () => {
    const { status, stderr } = await tool('person export nobody@example.com');
    assert.deepEqual([status, stderr], [1, 'the store has nothing about nobody@example.com\n']);
  });
});

describe('person forget', () => {
  it('prints what it would erase, and erases nothing, without --yes', async () => {
    const { status, stderr } = await tool(`person forget ${ADA}`);
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^ada@example\.com: 1 invite, 0 sessions, 0 events, 0 join clicks, and the address in 0 other invites and 1 logged change would/,
    );
    assert.deepEqual(invitedIn(file), [ADA, GRACE]);
  });

  it('erases all data, ends sessions, and leaves totals without the person, while the server runs', async () => {
    const { invite, json, says, withStore } = toolsOn(site.store);
    for (const email of [ADA, GRACE]) invite(email);
    const totals = async () => [
      await json('events stats'),
      await json('joins stats'),
      await json('events summary'),
    ];
    const { origin, stop } = await site.start();
    const visit = async (email: string) => {
      const cookie = await logIn(origin, email);
      await send(origin, 'GET /timeline', { cookie });
      await send(origin, 'POST /api/project-join', { cookie });
      return cookie;
    };
    const status = async (cookie: string) =>
      (await send(origin, 'GET /auth/me', { cookie })).status;
    const graces = await visit(GRACE);
    const without = await totals();
    const adas = await visit(ADA);
    assert.notDeepEqual(await totals(), without);
    assert.match(
      await says('person forget ADA@example.com --yes'),
      /^ada@example\.com is erased: 1 invite, 1 session, 2 events, 1 join click, and the address in 0 other invites and 1 logged change\n$/,
    );
    assert.deepEqual([await status(adas), await status(graces)], [401, 200]);
    assert.deepEqual(await totals(), without);
    assert.deepEqual(
      withStore((store) => [store.totals.funnel(), store.totals.counts()]),
      [
        { invited: 1, loggedIn: 1, viewed: 1, joined: 1 },
        { invites: 1, admins: 0, logins: 1, timelineViews: 1, joinClicks: 1 },
      ],
    );
    assert.deepEqual(storeFilesWith(site.store, ADA), [], 'while the server runs');
    await stop();
    assert.deepEqual(storeFilesWith(site.store, ADA), [], 'and afterwards');
    assert.deepEqual(storeFilesWith(site.store, GRACE), ['guestlist.db']);
    assert.equal(inspectFile(site.store).fault, null);
  });

  it('requests during the erasure leave no row of the person', async () => {
    site.invite(ADA);
    const server = await site.start();
    const cookie = await logIn(server.origin, ADA);
    const db = new Database(site.store);
    db.exec('begin immediate');
    for (const table of ['events', 'project_joins', 'sessions', 'invites'])
      db.prepare(`delete from ${table} where email = ?`).run(ADA);
    const underWay = Promise.all([
      send(server.origin, 'GET /timeline', { cookie }),
      send(server.origin, 'POST /api/project-join', { cookie }),
      send(server.origin, 'POST /auth/login', { json: { email: ADA } }),
    ]);
    // The server has read them before it answers these later requests.
    for (let i = 0; i < 20; i += 1) await send(server.origin, 'GET /');
    db.exec('commit');
    db.close();
    const statuses = (await underWay).map(({ status }) => status);
    assert.deepEqual(statuses, [302, 401, 403]);
    await server.stop();
    site.withStore(({ people, personalData }) => {
      assert.equal(people.find(ADA), undefined);
      const none = { invites: 0, sessions: 0, events: 0, joinClicks: 0, invited: 0 };
      assert.deepEqual(personalData.traces(ADA), { ...none, changes: 1 });
    });
  });

  it('an erased administrator is no longer named in the invites of others, which stay', async () => {
    const alan = { email: 'alan@example.com', firstName: null, invitedBy: ADA, invitedAt: 1 };
    write(({ invites }) => invites.add(alan, { by: ADA, via: 'page' }));
    assert.match(
      await says(`person forget ${ADA} --yes`),
      /and the address in 1 other invite and 2 logged changes\n$/,
    );
    const invites = await json('invite list');
    const inviters = Object.fromEntries(invites.map((row) => [row.email, row.invitedBy]));
    assert.deepEqual(inviters, { [alan.email]: 'erased', [GRACE]: 'cli' });
    assert.deepEqual(storeFilesWith(file, ADA), []);
  });

  it('reports a WAL that another program keeps open for 5 s, and completes later', async (t) => {
    const reader = new Database(file);
    reader.exec('begin; select count(*) from invites');
    let now = 0;
    const clock = t.mock.method(performance, 'now', () => (now += 1000));
    const { status, stderr } = await tool(`person forget ${ADA} --yes`);
    assert.equal(status, 1);
    assert.match(stderr, /is erased, but the WAL still holds it, .* run this again/);
    assert.ok(now > 5000);
    clock.mock.restore();
    reader.close();
    const again = await tool(`person forget ${ADA} --yes`);
    assert.equal(again.stderr, `the store has nothing about ${ADA}\n`);
    assert.deepEqual(storeFilesWith(file, ADA), []);
  });
});
