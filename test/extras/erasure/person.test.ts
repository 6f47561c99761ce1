/** The person tool: it exports all data about an address, and erases it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, it, type TestContext } from 'node:test';
import Database from 'better-sqlite3';
import { inspectStoreFile } from '../../../lib/store/inspection.ts';
import { mountSmall } from '../../faults/volumes.ts';
import { sessionCookie } from '../../support/client.ts';
import { filesWith, invitedIn, withDatabase } from '../../support/database.ts';
import { runToEnd } from '../../support/process.ts';
import { FORCED, PHONE, recordJoin, recordLogin, recordView } from '../../support/rows.ts';
import { startService } from '../../support/service.ts';
import { installationForAll, temporaryFolder } from '../../support/temporary.ts';
import { toolsForEach, toolsOn } from '../../support/tools.ts';

const ADA = 'ada@example.com';
const ALAN = 'alan@example.com';
const GRACE = 'grace@example.com';

const { file, invite, json, says, tool, write } = toolsForEach();
const nothing = `the store has nothing about ${ADA}, nor bytes of deleted rows\n`;

beforeEach(() => {
  invite(ADA, 'Ada');
  invite(GRACE);
});

/** Ada, an administrator, invites Alan. */
function inviteAlan(): void {
  const invite = { email: ALAN, firstName: null, invitedBy: ADA, invitedAt: 4 };
  write(({ invites }) => invites.add(invite, { by: ADA, via: 'page' }));
}

it('export prints all data about an address, without secrets of sessions', async () => {
  const session = write((writer) => {
    recordLogin(writer, ADA, 1);
    recordView(writer, ADA, 2);
    recordJoin(writer, ADA, 3);
    writer.sessions.begin(GRACE, Date.now());
    return writer.sessions.begin(ADA, Date.now()).id;
  });
  inviteAlan();
  const printed = await says(`person export ${ADA}`);
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

describe('person forget', () => {
  it('prints the addresses, and erases them with --yes', async () => {
    inviteAlan();
    const { status, stderr } = await tool(`person forget ${ADA}`);
    assert.equal(status, 1);
    assert.equal(stderr, `nothing is erased yet; to erase ${ADA} for good, add --yes\n`);
    assert.deepEqual(invitedIn(file), [ADA, ALAN, GRACE]);
    const printed = await says('person forget', ADA, GRACE, ADA, 'eve@example.com', '--yes');
    const none = 'the store has nothing about eve@example.com, nor bytes of deleted rows\n';
    assert.equal(printed, `erased: ${ADA}, ${GRACE}\n${none}`);
    assert.deepEqual([...filesWith(file, ADA), ...filesWith(file, GRACE)], []);
    const [alan = {}, ...others] = await json('invite list');
    assert.deepEqual([alan.email, alan.invitedBy, others], [ALAN, 'erased', []]);
    assert.match(await says('invite log --limit 2'), /( erased +erased *\n.*){2}/);
  });

  it('erases all data and ends sessions while the server runs', async () => {
    const { file, send } = await startService();
    const { json } = toolsOn(file);
    const email = 'invitee@example.com';
    const [own = '', others = ''] = await Promise.all(
      [email, 'administrator@example.com'].map(async (email) => {
        const cookie = sessionCookie(await send('POST /auth/login', { json: { email } }));
        for (const line of ['GET /timeline', 'POST /api/project-join'])
          assert.equal((await send(line, { cookie })).status, 200);
        return cookie;
      }),
    );
    const erased = await json<object>(`person forget ${email} --yes`);
    assert.deepEqual(erased, { erased: [email], snapshots: [] });
    const me = async (cookie: string) => (await send('GET /auth/me', { cookie })).status;
    assert.deepEqual([await me(own), await me(others)], [401, 200]);
    assert.deepEqual(filesWith(file, email), []);
    assert.equal(inspectStoreFile(file).fault, null);
  });

  // extra: restore
  it('lists the files that still hold the address, and until when', async () => {
    const folder = path.dirname(file);
    const { file: nightly } = await json<{ file: string }>('backup create');
    const { replaced } = await json<{ replaced: string }>(`backup restore ${nightly} --yes`);
    const draft = path.join(path.dirname(nightly), 'draft-0123456789ab');
    fs.copyFileSync(nightly, draft);
    const inFolder = [replaced, nightly].map((each) => path.relative(folder, each));
    const day = new Date(Date.now() + 14 * 24 * 3_600_000).toISOString().slice(0, 10);
    const lines = [
      `copies in ${folder} that still have the data:`,
      'file                                            deleted on',
      `${inFolder[0]}  kept until you delete it`,
      `${inFolder[1]}           ${day}`,
      `backups/draft-0123456789ab                      kept until you delete it`,
      `to delete all of them today: node tools/backup.js create, then: cd ${folder} && rm ${inFolder.join('* ')}* backups/draft-0123456789ab*`,
    ].join('\n');
    assert.equal(await says(`person forget ${ADA} --yes`), `erased: ${ADA}\n${lines}\n`);
    const { stderr } = await tool(`person forget ${ADA} --yes`);
    assert.equal(stderr, `${nothing}${lines}\n`);
    for (const each of [nightly, replaced, draft]) fs.rmSync(each);
    assert.deepEqual(filesWith(file, ADA), []);
    assert.deepEqual(invitedIn(file), [GRACE]);
  });

  it('lists the journal of a lost store, which a restore keeps', async () => {
    const { file: nightly } = await json<{ file: string }>('backup create');
    fs.writeFileSync(`${file}-wal`, `a page with ${ADA}`);
    fs.rmSync(file);
    const { replaced } = await json<{ replaced: string }>(`backup restore ${nightly} --yes`);
    assert.match(replaced, /-replaced\.db-wal$/);
    const { snapshots } = await json<{ snapshots: { file: string }[] }>(
      `person forget ${ADA} --yes`,
    );
    assert.deepEqual(snapshots.map((each) => each.file).sort(), [nightly, replaced]);
  });
  // end: restore

  const full = (t: TestContext) => {
    const { exec } = Database.prototype;
    const fail = function (this: Database.Database, sql: string) {
      if (sql !== 'vacuum') return exec.call(this, sql);
      throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
    };
    const { mock } = t.mock.method(Database.prototype, 'exec', fail);
    return () => mock.restore();
  };
  const read = () => {
    const reader = new Database(file);
    reader.exec('begin; select count(*) from invites');
    return () => reader.close();
  };
  for (const [what, hinder, why] of [
    ['the disk is too full to write the store anew', full, 'database or disk is full'],
    ['another program reads the WAL', read, `another program, such as the standby, reads ${file}`],
  ] as const)
    it(`says so, and can be run again, where ${what}`, async (t) => {
      const release = hinder(t);
      const { status, stderr } = await tool(`person forget ${ADA} --yes`);
      const left = `erased, but its bytes are still in the file: ${why}; correct that, and run this again\n`;
      assert.deepEqual([status, stderr], [1, left]);
      release();
      assert.deepEqual(invitedIn(file), [GRACE]);
      const again = await tool(`person forget ${ADA} --yes`);
      assert.equal(again.stderr, nothing);
      assert.deepEqual(filesWith(file, ADA), []);
    });
});

it('takes the addresses out of the log of the invite list', async () => {
  inviteAlan();
  await says(`person forget ${ADA} ${GRACE} --yes`);
  const log = (await json('invite log')).map(({ by, what, email }) => [by, what, email]);
  const operator = log[0]?.[0];
  assert.deepEqual(log, [
    [operator, 'erased', 'erased'],
    [operator, 'erased', 'erased'],
    ['erased', 'invited', ALAN],
    [operator, 'invited', 'erased'],
    [operator, 'invited', 'erased'],
  ]);
});

it('erases with a temporary folder that is smaller than the store', async (t) => {
  const temporary = path.join(temporaryFolder(), 'tmp');
  const volume = mountSmall(temporary, 1);
  if (!volume) return t.skip('mounting a small volume takes root and the right to mount');
  const installation = installationForAll();
  installation.invite('ada@example.com');
  withDatabase(installation.store, (db) =>
    db.exec(`with recursive numbers (i) as (
        select 1 union all select i + 1 from numbers where i < 50000)
      insert into project_joins (email, session_id, clicked_at)
      select 'bo@example.com', 'a session', i from numbers`),
  );
  const script = path.join(installation.root, 'tools', 'person.js');
  const command = [process.execPath, script, 'forget', 'ada@example.com', '--yes'];
  try {
    const { status, stderr } = runToEnd(command, { env: { ...process.env, TMPDIR: temporary } });
    assert.deepEqual([status, stderr], [0, '']);
    assert.deepEqual(filesWith(installation.store, 'ada@example.com'), []);
  } finally {
    volume.release();
  }
});
