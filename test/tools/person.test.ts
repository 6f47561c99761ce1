/** The person tool: it exports all data about an address, and erases it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { inspectStoreFile } from '../../lib/store/inspection.ts';
import { logIn, send } from '../support/client.ts';
import { filesWith, invitedIn } from '../support/database.ts';
import { FORCED, PHONE, recordJoin, recordLogin, recordView } from '../support/rows.ts';
import { siteForEach } from '../support/site.ts';
import { toolsForEach, toolsOn } from '../support/tools.ts';

const [ADA, ALAN, GRACE] = ['ada@example.com', 'alan@example.com', 'grace@example.com'];

const here = toolsForEach();
const { file, folder, json, says, tool, write } = here;
const site = siteForEach();
const served = toolsOn(site.store);

beforeEach(() => {
  for (const { invite } of [here, served]) {
    invite(ADA, 'Ada');
    invite(GRACE);
  }
});

/** Ada, an administrator, invites Alan. */
function inviteAlan(): void {
  const invite = { email: ALAN, firstName: null, invitedBy: ADA, invitedAt: 4 };
  write(({ invites }) => invites.add(invite, { by: ADA, via: 'page' }));
}

describe('person export', () => {
  it('prints all data about an address, and no secret of a session', async () => {
    const session = write((writer) => {
      recordLogin(writer, ADA, 1);
      recordView(writer, ADA, 2);
      recordJoin(writer, ADA, 3);
      writer.sessions.begin(GRACE, Date.now());
      return writer.sessions.begin(ADA, Date.now()).id;
    });
    inviteAlan();
    const printed = await says('person export', ' Ada@Example.COM ');
    const { person, sessions, changes, ...rest } = JSON.parse(printed, (key, value) =>
      key === 'session' ? undefined : value,
    );
    assert.deepEqual([person.firstName, person.joinClicks, person.lastSeenAt], ['Ada', 1, 3]);
    assert.deepEqual(Object.keys(sessions[0]), ['id', 'createdAt', 'expiresAt']);
    assert.deepEqual([sessions.length, sessions[0].id, changes.length], [1, session, 2]);
    const event = { email: ADA, ...PHONE };
    assert.deepEqual(rest, {
      email: ADA,
      invited: [ALAN],
      events: [
        { id: 2, type: 'timeline_view', occurredAt: 2, ...event, meta: FORCED },
        { id: 1, type: 'login', occurredAt: 1, ...event, meta: null },
      ],
      joinClicks: [{ id: 1, email: ADA, firstName: 'Ada', clickedAt: 3 }],
    });
    assert.ok(!printed.includes(GRACE) && !printed.includes('secret'));
    const { status, stderr } = await tool('person export nobody@example.com');
    assert.deepEqual([status, stderr], [1, 'the store has nothing about nobody@example.com\n']);
  });
});

describe('person forget', () => {
  it('prints what it would erase; with --yes erases several addresses, and names none as inviter', async () => {
    inviteAlan();
    const { status, stderr } = await tool(`person forget ${ADA}`);
    assert.equal(status, 1);
    assert.equal(stderr, `to erase permanently, add --yes: ${ADA}\n`);
    assert.deepEqual(invitedIn(file), [ADA, ALAN, GRACE]);
    const printed = await says('person forget', ADA, GRACE, ADA, 'eve@example.com', '--yes');
    const none = 'the store has nothing about eve@example.com, nor bytes of deleted rows\n';
    assert.equal(printed, `erased: ${ADA}, ${GRACE}\n${none}`);
    assert.deepEqual([...filesWith(file, ADA), ...filesWith(file, GRACE)], []);
    const invites = await json('invite list');
    assert.deepEqual(
      invites.map((row) => [row.email, row.invitedBy]),
      [[ALAN, 'erased']],
    );
    const log = await json('invite log --limit 2');
    assert.deepEqual(
      log.map(({ what }) => what),
      ['erased', 'erased'],
    );
  });

  it('erases all data, ends sessions, and leaves totals without the person, while the server runs', async () => {
    const { json, read } = served;
    const totals = () =>
      Promise.all(['events stats', 'joins stats', 'events summary'].map((call) => json(call)));
    const { origin, stop } = await site.start();
    const visit = async (email: string) => {
      const cookie = await logIn(origin, email);
      await send(origin, 'GET /timeline', { cookie });
      await send(origin, 'POST /api/project-join', { cookie });
      return cookie;
    };
    const graces = await visit(GRACE);
    const without = await totals();
    const adas = await visit(ADA);
    assert.notDeepEqual(await totals(), without);
    const erased = await json<object>('person forget ADA@example.com --yes');
    assert.deepEqual(erased, { erased: [ADA], snapshots: [] });
    const me = async (cookie: string) => (await send(origin, 'GET /auth/me', { cookie })).status;
    assert.deepEqual([await me(adas), await me(graces)], [401, 200]);
    assert.deepEqual(await totals(), without);
    read(({ totals }) => {
      const counts = { invites: 1, admins: 0, logins: 1, timelineViews: 1, joinClicks: 1 };
      assert.deepEqual(totals.counts(), counts);
      assert.deepEqual(totals.funnel(), { invited: 1, loggedIn: 1, viewed: 1, joined: 1 });
    });
    assert.deepEqual(filesWith(site.store, ADA), [], 'while the server runs');
    await stop();
    assert.deepEqual(filesWith(site.store, ADA), [], 'and afterwards');
    assert.deepEqual(filesWith(site.store, GRACE), ['guestlist.db']);
    assert.equal(inspectStoreFile(site.store).fault, null);
  });

  it('lists the files that still hold the address, with the day on which nightly ones go', async () => {
    const { file: nightly } = await json<{ file: string }>('backup create');
    const { replaced } = await json<{ replaced: string }>(`backup restore ${nightly} --yes`);
    const draft = path.join(path.dirname(nightly), 'draft-0123456789ab');
    fs.copyFileSync(nightly, draft);
    const inFolder = [replaced, nightly].map((each) => path.relative(folder, each));
    const day = new Date(Date.now() + 14 * 24 * 3_600_000).toISOString().slice(0, 10);
    const lines = [
      `copies in ${folder} that still hold it:`,
      'file                                            deleted on',
      `${inFolder[0]}  kept until you delete it`,
      `${inFolder[1]}           ${day}`,
      `backups/draft-0123456789ab                      kept until you delete it`,
      `to delete all of them today: node tools/backup.js create, then: cd '${folder}' && rm ${inFolder.join('* ')}* backups/draft-0123456789ab*`,
    ].join('\n');
    assert.equal(
      (await tool(`person forget ${ADA}`)).stderr.split('\n').slice(1).join('\n'),
      `${lines}\n`,
    );
    assert.ok((await says(`person forget ${ADA} --yes`)).endsWith(`${lines}\n`));
    const again = await tool(`person forget ${ADA} --yes`);
    assert.equal(
      again.stderr,
      `the store has nothing about ${ADA}, nor bytes of deleted rows\n${lines}\n`,
    );
    for (const each of [nightly, replaced, draft]) fs.rmSync(each);
    assert.deepEqual(filesWith(file, ADA), []);
    assert.deepEqual(invitedIn(file), [GRACE]);
  });

  it('says so, and can be run again, where the disk is too full to write the store anew', async (t) => {
    const { exec } = Database.prototype;
    const mocked = t.mock.method(
      Database.prototype,
      'exec',
      function (this: Database.Database, sql: string) {
        if (sql !== 'vacuum') return exec.call(this, sql);
        throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
      },
    );
    const { status, stderr } = await tool(`person forget ${ADA} --yes`);
    mocked.mock.restore();
    const why = 'erased, but its bytes are still in the file: database or disk is full; ';
    assert.deepEqual([status, stderr.startsWith(why)], [1, true], stderr);
    assert.deepEqual(invitedIn(file), [GRACE]);
    await tool(`person forget ${ADA} --yes`);
    assert.deepEqual(filesWith(file, ADA), []);
  });

  it('reports a WAL that another program keeps open for 5 s, and completes later', async (t) => {
    const reader = new Database(file);
    reader.exec('begin; select count(*) from invites');
    let now = 0;
    const clock = t.mock.method(performance, 'now', () => (now += 1000));
    const { status, stderr } = await tool(`person forget ${ADA} --yes`);
    assert.equal(status, 1);
    assert.match(
      stderr,
      /erased, but its bytes .*: another program, .*, reads .*; mend that, and run this again/,
    );
    assert.ok(now > 5000);
    clock.mock.restore();
    reader.close();
    const again = await tool(`person forget ${ADA} --yes`);
    assert.equal(again.stderr, `the store has nothing about ${ADA}, nor bytes of deleted rows\n`);
    assert.deepEqual(filesWith(file, ADA), []);
  });
});
