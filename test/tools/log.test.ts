/** The log of changes: who changed what, by the page and by the tools. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { logIn, send } from '../support/client.ts';
import { queryOne, withDatabase } from '../support/database.ts';
import type { Row } from '../support/installation.ts';
import { siteForEach } from '../support/site.ts';

const [ROOT, ADA] = ['root@example.com', 'ada@example.com'];

const site = siteForEach();
const log = (...args: readonly string[]) => site.json('invite', 'log', ...args);
const lines = (rows: readonly Row[]) =>
  rows.map(({ via, what, email, detail }) => [via, what, email, detail].filter(Boolean).join(' '));
const count = () => queryOne(site.store, 'select count(*) from changes');

it('has each change of the tools, newest first, with the user of the system', async () => {
  site.tool('invite', 'add', ADA);
  site.tool('invite', 'add', ADA, 'Ada');
  site.tool('invite', 'add', ADA, 'Ada');
  site.tool('invite', 'admin', 'add', ADA);
  const server = await site.start();
  await logIn(server.origin, ADA);
  site.tool('invite', 'admin', 'remove', ADA);
  site.tool('invite', 'remove', ADA, '--end-sessions');
  const rows = log();
  assert.deepEqual(lines(rows), [
    `cli sessions_ended ${ADA} 1`,
    `cli removed ${ADA}`,
    `cli no_longer_admin ${ADA}`,
    `cli made_admin ${ADA}`,
    `cli name_changed ${ADA}`,
    `cli invited ${ADA}`,
  ]);
  const { SUDO_USER, LOGNAME } = process.env;
  const user = SUDO_USER || LOGNAME || os.userInfo().username;
  assert.ok(rows.every(({ by }) => by === user));
  const { stdout } = site.tool('invite', 'log', ADA, '--limit', '1');
  assert.ok(stdout.includes(`cli (${user})`), stdout);
  assert.match(stdout, /sessions ended +ada@example\.com +1\n$/);
});

it('has the invites of the page with the administrator, filtered by person, also as CSV', async () => {
  site.invite(ROOT);
  site.setAdmin(ROOT);
  const server = await site.start();
  const cookie = await logIn(server.origin, ROOT);
  const read = (query = '') => send(server.origin, `GET /api/svcops/changes${query}`, { cookie });
  const invite = (email: string) =>
    send(server.origin, 'POST /api/svcops/invites', { cookie, json: { email } });
  assert.deepEqual([(await invite(ADA)).status, (await invite(ADA)).status], [201, 409]);
  const { changes, next } = (await read('?limit=1')).json<{ changes: Row[]; next: string }>();
  const [{ id, at, ...change } = {}] = changes;
  assert.deepEqual(change, { by: ROOT, via: 'page', what: 'invited', email: ADA, detail: null });
  const rest = (await read(`?cursor=${next}`)).json<{ changes: Row[]; next: null }>();
  assert.deepEqual(lines(rest.changes), [`cli made_admin ${ROOT}`, `cli invited ${ROOT}`]);
  assert.equal(rest.next, null);
  const about = (await read(`?email=${ADA}`)).json<{ changes: Row[] }>();
  assert.deepEqual(lines(about.changes), [`page invited ${ADA}`]);
  const time = new Date(Number(at)).toISOString();
  assert.equal(
    site.tool('invite', 'log', ADA, '--csv').stdout,
    `\uFEFFid,at,by,via,what,email,detail\r\n${id},${time},${ROOT},page,invited,${ADA},\r\n`,
  );
  assert.equal((await read('?email=x')).status, 400);
});

it('has the user who called sudo, else the one who has logged in, else the one who runs the tool', () => {
  const { SUDO_USER, LOGNAME } = process.env;
  const nameWith = (env: object, i: number) => {
    Object.assign(process.env, { SUDO_USER: '', LOGNAME: '' }, env);
    site.tool('invite', 'add', `p${i}@example.com`);
    return log('--limit', '1')[0]?.by;
  };
  try {
    const names = [{ SUDO_USER: 'ada', LOGNAME: 'root' }, { LOGNAME: 'grace' }, {}].map(nameWith);
    assert.deepEqual(names, ['ada', 'grace', os.userInfo().username]);
  } finally {
    Object.assign(process.env, { SUDO_USER: SUDO_USER ?? '', LOGNAME: LOGNAME ?? '' });
  }
});

it('has no change that was rolled back', () => {
  site.invite(ROOT);
  assert.throws(() =>
    site.write(({ invites }) => {
      invites.remove(ROOT);
      throw new Error('no');
    }),
  );
  assert.equal(count(), 1);
});

it('is only added to, except by an erasure, which reaches its addresses', () => {
  site.invite(ROOT);
  site.write(({ invites }) =>
    invites.add(
      { email: ADA, firstName: null, invitedBy: ROOT, invitedAt: 1 },
      { by: ROOT, via: 'page' },
    ),
  );
  withDatabase(site.store, (db) => {
    for (const sql of [
      'delete from changes',
      "update changes set email = 'x@example.com'",
      'update changes set email = null',
      "replace into changes values (1, 1, 'ada', 'cli', 'invited', 'x@example.com', null)",
      "update changes set what = 'removed'",
      "update changes set author = 'cli'",
    ])
      assert.throws(() => db.exec(sql), /a change is never/, sql);
  });
  assert.equal(site.tool('person', 'forget', ROOT, '--yes').status, 0);
  const rows = log();
  assert.deepEqual(lines(rows), ['cli erased erased', `page invited ${ADA}`, 'cli invited erased']);
  assert.equal(rows[1]?.by, 'erased');
});

it('is erased inside snapshots too, also where the person made the change', () => {
  site.invite(ROOT);
  site.write(({ invites }) =>
    invites.add(
      { email: ADA, firstName: null, invitedBy: ROOT, invitedAt: 1 },
      { by: ROOT, via: 'page' },
    ),
  );
  const { file } = site.json<{ file: string }>('backup', 'create');
  site.tool('person', 'forget', ROOT, '--snapshots', '--yes');
  const rows = withDatabase(file, (db) =>
    db.prepare('select author, email from changes where via = ? or id = 1').all('page'),
  );
  assert.deepEqual(
    rows.map((row) => Object.values(Object(row))),
    [
      [log('--limit', '1')[0]?.by, 'erased'],
      ['erased', ADA],
    ],
  );
  assert.equal(fs.readFileSync(file).includes(ROOT), false);
});

it('is that of the snapshot after a restore, and has the restore', () => {
  site.invite(ROOT);
  const { file } = site.json<{ file: string }>('backup', 'create');
  site.invite(ADA);
  assert.equal(site.tool('backup', 'restore', file).status, 1);
  assert.equal(count(), 2);
  assert.equal(site.tool('backup', 'restore', file, '--yes').status, 0);
  assert.deepEqual(lines(log()), [`cli restored ${path.basename(file)}`, `cli invited ${ROOT}`]);
});
