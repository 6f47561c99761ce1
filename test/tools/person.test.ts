/** The person tool: it exports all data about an address, and erases it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { beforeEach, describe, test } from 'node:test';
import Database from 'better-sqlite3';
import { inspectFile } from '../../lib/store/file/inspection.ts';
import { logIn, send, sessionId } from '../support/client.ts';
import { siteForAll } from '../support/site.ts';
import { storeFilesWith } from '../support/store-bytes.ts';

const ADA = 'ada@example.com';
const GRACE = 'grace@example.com';

const NO_TRACES = { invites: 0, sessions: 0, events: 0, joinClicks: 0, invited: 0 };

const site = siteForAll();
beforeEach(() => {
  fs.rmSync(`${site.root}/data`, { recursive: true, force: true });
  site.invite(ADA, 'Ada');
  site.invite(GRACE, 'Grace');
});

/** All totals of the tools and of the administrator page. */
const totals = () => ({
  events: site.json('events', 'stats'),
  joins: site.json('joins', 'stats'),
  people: site.json('events', 'summary'),
  funnel: site.withStore((store) => [store.totals.funnel(), store.totals.counts()]),
});

describe('person export', () => {
  test('prints all data about an address, and no secret of a session', async () => {
    site.setAdmin(ADA);
    const server = await site.start();
    const cookie = await logIn(server.origin, ADA);
    await send(server.origin, 'GET /timeline?view=mobile', { cookie });
    await send(server.origin, 'POST /api/project-join', { cookie });
    await send(server.origin, 'POST /api/svcops/invites', {
      cookie,
      json: { email: 'alan@example.com' },
    });
    await logIn(server.origin, GRACE);
    const { status, stdout } = site.tool('person', 'export', ' Ada@Example.COM ');
    await server.stop();
    assert.equal(status, 0);
    const person = JSON.parse(stdout);
    const session = sessionId(cookie);
    assert.equal(person.email, ADA);
    assert.equal(person.invite.firstName, 'Ada');
    assert.deepEqual(person.invited, ['alan@example.com']);
    assert.deepEqual(
      [person.totals.logins, person.totals.timelineViews, person.totals.joinClicks],
      [1, 1, 1],
    );
    assert.deepEqual(Object.keys(person.sessions[0]), ['id', 'createdAt', 'expiresAt']);
    assert.equal(person.sessions[0].id, session);
    assert.deepEqual(
      person.events.map(({ type, meta }: { type: string; meta: unknown }) => [type, meta]),
      [
        ['timeline_view', { view: 'mobile', forced: true }],
        ['login', null],
      ],
    );
    assert.equal(person.joinClicks[0].session, session);
    assert.ok(!stdout.includes(GRACE) && !stdout.includes('secret'));
  });

  test('refuses an unknown address', () => {
    const { status, stderr } = site.tool('person', 'export', 'nobody@example.com');
    assert.equal(status, 1);
    assert.equal(stderr, 'nothing is stored about nobody@example.com\n');
  });
});

describe('person forget', () => {
  test('prints what it would erase, and erases nothing, without --yes', () => {
    const { status, stderr } = site.tool('person', 'forget', ADA);
    assert.equal(status, 1);
    assert.match(
      stderr,
      /ada@example\.com: 1 invite, 0 sessions, 0 events, 0 join clicks, the address in 1 logged change would/,
    );
    assert.match(site.tool('invite', 'list').stdout, /ada@example\.com/);
  });

  test('erases all data, ends sessions, and leaves totals without the person', async () => {
    const server = await site.start();
    const graces = await logIn(server.origin, GRACE);
    await send(server.origin, 'POST /api/project-join', { cookie: graces });
    const without = totals();
    const cookie = await logIn(server.origin, ADA);
    await send(server.origin, 'GET /timeline', { cookie });
    await send(server.origin, 'POST /api/project-join', { cookie });
    assert.notDeepEqual(totals(), without);

    const { status, stdout } = site.tool('person', 'forget', 'ADA@example.com', '--yes');
    assert.equal(status, 0);
    assert.match(
      stdout,
      /^ada@example\.com is erased: 1 invite, 1 session, 2 events, 1 join click, the address in 1 logged change\n$/,
    );
    assert.equal((await send(server.origin, 'GET /auth/me', { cookie })).status, 401);
    assert.equal((await send(server.origin, 'GET /auth/me', { cookie: graces })).status, 200);
    const left = totals();
    assert.deepEqual({ ...left, funnel: [] }, { ...without, funnel: [] });
    assert.deepEqual(left.funnel, [
      { invited: 1, loggedIn: 1, viewed: 0, joined: 1 },
      { invites: 1, admins: 0, logins: 1, timelineViews: 0, joinClicks: 1 },
    ]);
    assert.deepEqual(storeFilesWith(site.store, ADA), [], 'while the server runs');
    await server.stop();
    assert.deepEqual(storeFilesWith(site.store, ADA), [], 'and afterwards');
    assert.deepEqual(storeFilesWith(site.store, GRACE), ['guestlist.db']);
    assert.equal(inspectFile(site.store).fault, null);
  });

  test('requests during the erasure leave no row of the person', async () => {
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
    assert.deepEqual(
      (await underWay).map(({ status }) => status),
      [302, 401, 403],
    );
    await server.stop();
    site.withStore(({ people, personalData }) => {
      assert.equal(people.find(ADA), undefined);
      assert.deepEqual(personalData.traces(ADA), { ...NO_TRACES, changes: 1 });
    });
  });

  test('an erased administrator is no longer named in the invites of others, which stay', async () => {
    site.setAdmin(ADA);
    const server = await site.start();
    const cookie = await logIn(server.origin, ADA);
    const json = { email: 'alan@example.com' };
    assert.equal(
      (await send(server.origin, 'POST /api/svcops/invites', { cookie, json })).status,
      201,
    );
    const { stdout } = site.tool('person', 'forget', ADA, '--yes');
    assert.match(stdout, /the inviter's name in 1 other invite/);
    await server.stop();
    const invites = site.json('invite', 'list');
    assert.deepEqual(
      invites.map(({ email, invitedBy }) => [email, invitedBy]),
      [
        ['alan@example.com', 'erased'],
        [GRACE, 'cli'],
      ],
    );
    assert.deepEqual(storeFilesWith(site.store, ADA), []);
  });

  test('reports a WAL that another program keeps open, and completes later', () => {
    const reader = new Database(site.store);
    reader.exec('begin; select count(*) from invites');
    const first = site.tool('person', 'forget', ADA, '--yes');
    assert.equal(first.status, 1);
    assert.match(
      first.stderr,
      /ada@example\.com is erased, but the WAL still holds it, .* run this again/,
    );
    reader.close();
    const second = site.tool('person', 'forget', ADA, '--yes');
    assert.equal(second.stderr, `nothing is stored about ${ADA}\n`);
    assert.deepEqual(storeFilesWith(site.store, ADA), []);
  });
});
