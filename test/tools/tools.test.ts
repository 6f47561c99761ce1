/** The other tools, and what all tools have in common. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { recordEvent } from '../../lib/store/events.ts';
import { recordJoinClick } from '../../lib/store/joins.ts';
import type { Database } from '../../lib/store/sqlite.ts';
import {
  copyPackages,
  install,
  installWith,
  invite,
  LOGIN,
  run,
  temporaryFolder,
  VIEW,
  visitorOf,
} from '../service.ts';
import { callTool } from './tool.ts';

const DAY = 86_400_000;
const PHONE = { deviceType: 'mobile', os: 'iOS', browser: 'Safari' };
const DESKTOP = { deviceType: 'desktop', os: 'Windows', browser: 'Edge' };

/** Ada logs in, views and presses twice; Bob logs in and presses. */
function visit(db: Database): void {
  invite(db, 'ada@example.com', 'Ada');
  const ada = visitorOf('ada@example.com', 's1');
  const bob = visitorOf('bob@example.com', 's2');
  recordEvent(db, { ...LOGIN, ...ada, ...PHONE, occurredAt: 0 });
  recordEvent(db, { ...VIEW, ...ada, ...PHONE, occurredAt: DAY });
  recordEvent(db, { ...LOGIN, ...bob, ...DESKTOP, occurredAt: 2 * DAY });
  recordJoinClick(db, ada, DAY);
  recordJoinClick(db, ada, 2 * DAY);
  recordJoinClick(db, bob, 3 * DAY);
}

const LISTS: Readonly<Record<string, string>> = {
  'events list': `
id  type           email            occurredAt                session  deviceType  os       browser  meta
3   login          bob@example.com  1970-01-03T00:00:00.000Z  s2       desktop     Windows  Edge
2   timeline_view  ada@example.com  1970-01-02T00:00:00.000Z  s1       mobile      iOS      Safari   {"view":"mobile","forced":false}
1   login          ada@example.com  1970-01-01T00:00:00.000Z  s1       mobile      iOS      Safari`,
  'events list --type timeline_view': `
id  type           email            occurredAt                session  deviceType  os   browser  meta
2   timeline_view  ada@example.com  1970-01-02T00:00:00.000Z  s1       mobile      iOS  Safari   {"view":"mobile","forced":false}`,
  'events summary': `
email            logins  timelineViews  lastSeenAt
bob@example.com  1       0              1970-01-03T00:00:00.000Z
ada@example.com  1       1              1970-01-02T00:00:00.000Z`,
  'events for " ADA@example.com" --limit 1': `
id  type           email            occurredAt                session  deviceType  os   browser  meta
2   timeline_view  ada@example.com  1970-01-02T00:00:00.000Z  s1       mobile      iOS  Safari   {"view":"mobile","forced":false}`,
  'events stats': `
of      name           count
event   login          2
event   timeline_view  1
device  mobile         2
device  desktop        1`,
  'joins list': `
id  email            session  clickedAt
3   bob@example.com  s2       1970-01-04T00:00:00.000Z
2   ada@example.com  s1       1970-01-03T00:00:00.000Z
1   ada@example.com  s1       1970-01-02T00:00:00.000Z`,
  'joins summary': `
email            firstName  clicks  firstAt                   lastAt
bob@example.com             1       1970-01-04T00:00:00.000Z  1970-01-04T00:00:00.000Z
ada@example.com  Ada        2       1970-01-02T00:00:00.000Z  1970-01-03T00:00:00.000Z`,
  'joins for ada@example.com --limit 1': `
id  email            session  clickedAt
2   ada@example.com  s1       1970-01-03T00:00:00.000Z`,
  'joins stats': `
clicks  users
3       2`,
  'events for bob@example.com --json': `
[{"id":3,"type":"login","email":"bob@example.com","occurredAt":172800000,"session":"s2","deviceType":"desktop","os":"Windows","browser":"Edge","meta":null}]`,
  'joins for bob@example.com --csv': `
\uFEFFid,email,session,clickedAt,firstName\r
3,bob@example.com,s2,1970-01-04T00:00:00.000Z,\r`,
};

test('lists and counts events and joins', () => {
  const folder = installWith(visit);
  for (const [command, expected] of Object.entries(LISTS)) {
    const { status, stdout, stderr } = callTool(folder, command);
    assert.equal(`${status}${stderr}\n${stdout}`, `0${expected}\n`, command);
  }
  assert.equal(callTool(folder, 'events list --type join').status, 2);
});

test('control characters are not written to the terminal', () => {
  const folder = installWith((db) => {
    recordEvent(db, { ...LOGIN, browser: '\u009b2J\u001b]0;x' });
  });
  assert.match(callTool(folder, 'events list').stdout, / \uFFFD2J\uFFFD\]0;x$/m);
});

test('exits with 0 when the reader of a long list leaves', async () => {
  const folder = installWith((db) => {
    for (let i = 0; i < 5000; i += 1) recordEvent(db, { ...LOGIN, ...PHONE });
  });
  const tool = spawn(process.execPath, [path.join(folder, 'tools/events.js'), 'list']);
  let errors = '';
  tool.stderr.on('data', (text) => {
    errors += text;
  });
  tool.stdout.once('data', () => tool.stdout.destroy());
  const [status] = await once(tool, 'close');
  assert.equal(`${status}${errors}`, '0');
});

test('copies the sample once, and checks a site', () => {
  const folder = install();
  const site = path.join(folder, 'data/site');
  assert.match(callTool(folder, 'site check').stdout, /pages\/sample has no mistakes\n$/);
  const made = callTool(folder, 'site init');
  assert.equal(made.status, 0, made.stderr);
  for (const folder of [path.dirname(site), site])
    assert.equal(fs.statSync(folder).mode & 0o777, 0o700);
  assert.match(callTool(folder, 'site check').stdout, /data\/site has no mistakes\n$/);
  assert.match(callTool(folder, 'site init').stderr, /data\/site exists already\n$/);

  fs.writeFileSync(path.join(site, 'content.json'), '{}');
  const { status, stderr } = callTool(folder, 'site check');
  assert.equal(status, 1);
  assert.match(stderr, /^.*content\.json:\n {2}lang: missing\n {2}entry: missing\n/);
  assert.equal(callTool(folder, `site check ${path.join(folder, 'pages/sample')}`).status, 0);
});

const NOBODY = 65534;
const asNobody = { uid: NOBODY, gid: NOBODY };
const isRoot = process.getuid?.() === 0;
const cannotRunAsNobody = spawnSync(process.execPath, ['--version'], asNobody).status !== 0;

test('refuses root where the data are another user’s, and works as that user', {
  skip: !isRoot ? 'not root' : cannotRunAsNobody && 'nobody cannot run this Node',
}, async () => {
  const folder = install();
  copyPackages(folder);
  spawnSync('chmod', ['-R', 'a+rX', folder]);
  const data = temporaryFolder();
  fs.chownSync(data, NOBODY, NOBODY);
  fs.symlinkSync(data, path.join(folder, 'data'));
  for (const command of ['invite list', 'backup create', 'site init', 'joins list', 'events list'])
    assert.equal(callTool(folder, command).status, 1, command);
  const refusal = `${path.join(folder, 'data')} belongs to nobody, so run: runuser -u nobody -- node`;
  assert.equal(
    callTool(folder, 'invite add ada@example.com "Ada L"').stderr,
    `${refusal} ${path.join(folder, 'tools/invite.js')} add ada@example.com 'Ada L'\n`,
  );
  const server = run(folder, ['server.js']);
  assert.equal(await server.ended, 1);
  assert.equal(server.output(), `${refusal} ${path.join(folder, 'server.js')}\n`);
  assert.deepEqual(fs.readdirSync(data), []);

  for (const command of ['invite add ada@example.com', 'site init', 'backup create']) {
    const { status, stderr } = callTool(folder, command, asNobody);
    assert.equal(`${status}${stderr}`, '0', command);
  }
});
