/** The invite tool: invites, administrators, and ended sessions. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { logIn, send } from '../support/client.ts';
import { invitedIn } from '../support/database.ts';
import { siteForEach } from '../support/site.ts';

const site = siteForEach();

const addFrom = (input: string) => site.toolWithInput(input, 'invite', 'add', '--from', '-');

const statusOf = async (origin: string, cookie: string) =>
  (await send(origin, 'GET /auth/me', { cookie })).status;

it('add <email> invites, trimmed and lower-cased, invited by cli, and makes the store', () => {
  const { status, stdout } = site.tool('invite', 'add', ' Ada@Example.COM ', 'Ada', 'Lovelace');
  assert.deepEqual([status, stdout], [0, 'ada@example.com is invited\n']);
  const [invite] = site.json('invite', 'list');
  assert.deepEqual(
    [invite?.email, invite?.firstName, invite?.isAdmin, invite?.invitedBy],
    ['ada@example.com', 'Ada Lovelace', false, 'cli'],
  );
});

it('add again sets the first name if one is given, changes nothing else, says so, exit 0', () => {
  site.invite('ada@example.com', 'Ada');
  site.setAdmin('ada@example.com');
  const again = site.tool('invite', 'add', 'ada@example.com');
  assert.deepEqual(
    [again.status, again.stdout],
    [0, 'ada@example.com was already invited; nothing is changed\n'],
  );
  const renamed = site.tool('invite', 'add', 'ada@example.com', 'Augusta');
  assert.equal(renamed.status, 0);
  assert.match(renamed.stdout, /was already invited; the first name is now Augusta/);
  const [invite] = site.json('invite', 'list');
  assert.deepEqual([invite?.firstName, invite?.isAdmin], ['Augusta', true]);
});

it('add --from invites everybody in a file, or on standard input', () => {
  const file = path.join(site.root, 'people.csv');
  fs.writeFileSync(
    file,
    '\uFEFFEmail,First name\r\nada@example.com,"Ada, the first"\r\n\r\n"grace@example.com","say ""hi"""\r\n',
  );
  const fromFile = site.tool('invite', 'add', '--from', file);
  assert.match(fromFile.stdout, /^2 invited; 0 already invited/);
  const fromInput = addFrom('eve@example.com\nADA@example.com\n');
  assert.match(fromInput.stdout, /^1 invited; 1 already invited/);
  const invites = site.json('invite', 'list');
  const names = Object.fromEntries(invites.map(({ email, firstName }) => [email, firstName]));
  assert.deepEqual(names, {
    'ada@example.com': 'Ada, the first',
    'grace@example.com': 'say "hi"',
    'eve@example.com': null,
  });
});

it('add --from is all or nothing on a bad line, which it names', () => {
  const { status, stderr } = addFrom('ada@example.com\nx@\ngrace@example.com\n');
  assert.equal(status, 1);
  assert.match(stderr, /^line 2: "x@": not an address; nobody was invited/);
  assert.deepEqual(invitedIn(site.store), []);
  assert.match(site.tool('invite', 'add', '--from', '/no/such/file').stderr, /cannot be read/);
  assert.match(addFrom('\n').stderr, /names nobody/);
});

it('add --from takes the first line of a person who is twice in the list', () => {
  const { stdout } = addFrom('ada@example.com,Ada\nADA@example.com,Augusta\n');
  assert.match(stdout, /^1 invited; 0 already invited.*; 1 twice in the list$/m);
  assert.equal(site.json('invite', 'list')[0]?.firstName, 'Ada');
});

it('add strips marks around an address, and refuses what nobody can log in with', () => {
  assert.equal(site.tool('invite', 'add', '\u200bada@example.com\u202c').status, 0);
  for (const odd of [
    '<x@example.com>',
    'x@example.com,',
    'mailto:x@example.com',
    'x\u00ady@example.com',
  ])
    assert.equal(site.tool('invite', 'add', odd).status, 2);
  assert.deepEqual(invitedIn(site.store), ['ada@example.com']);
});

it('finds and removes the odd addresses that 1.1.0 has stored, as they are', () => {
  const odd = ['\u200bada@example.com', '<ada@example.com>', 'ada@example.com,'];
  for (const email of [...odd, 'grace@example.com']) site.invite(email);
  for (const email of odd) {
    assert.equal(site.tool('person', 'export', email).status, 0);
    assert.equal(site.tool('invite', 'remove', email).status, 0);
  }
  assert.deepEqual(invitedIn(site.store), ['grace@example.com']);
  assert.equal(site.tool('invite', 'remove', '\u200bgrace@example.com').status, 0);
});

it('remove <email> says how many sessions stay open; --end-sessions ends them', async () => {
  for (const name of ['ada', 'grace']) site.invite(`${name}@example.com`);
  const server = await site.start();
  const ada = await logIn(server.origin, 'ada@example.com');
  await logIn(server.origin, 'ada@example.com');
  const grace = await logIn(server.origin, 'grace@example.com');
  const status = (cookie: string) => statusOf(server.origin, cookie);
  const kept = site.tool('invite', 'remove', 'ada@example.com');
  assert.equal(kept.status, 0);
  assert.match(kept.stdout, /^ada@example\.com is no longer invited; 2 sessions stay open/);
  assert.equal(await status(ada), 200);
  assert.match(
    site.tool('invite', 'remove', 'grace@example.com', '--end-sessions').stdout,
    /1 session ended/,
  );
  assert.equal(await status(grace), 401);
  assert.deepEqual(invitedIn(site.store), []);
});

it('remove --end-sessions ends the sessions of somebody who is off the list already', async () => {
  site.invite('ada@example.com');
  const server = await site.start();
  const cookie = await logIn(server.origin, 'ada@example.com');
  site.tool('invite', 'remove', 'ada@example.com');
  const refused = site.tool('invite', 'remove', 'ada@example.com');
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /not on the invite list; 1 session stays open .*--end-sessions/);
  assert.equal(await statusOf(server.origin, cookie), 200);
  const ended = ['invite', 'remove', 'ada@example.com', '--end-sessions'] as const;
  const { status, stdout } = site.tool(...ended);
  assert.deepEqual(
    [status, stdout],
    [0, 'ada@example.com is not on the invite list; 1 session ended\n'],
  );
  assert.equal(await statusOf(server.origin, cookie), 401);
  assert.deepEqual(site.json(...ended), {
    email: 'ada@example.com',
    removed: false,
    sessionsEnded: 0,
  });
});

it('remove of somebody who is not invited is refused with 1', () => {
  const { status, stderr } = site.tool('invite', 'remove', 'eve@example.com');
  assert.equal(status, 1);
  assert.match(stderr, /eve@example\.com is not on the invite list/);
  assert.ok(!fs.existsSync(site.store), 'makes no store');
});

it('admin add needs an invite, and does not create one', () => {
  const { status, stderr } = site.tool('invite', 'admin', 'add', 'grace@example.com');
  assert.equal(status, 1);
  assert.match(
    stderr,
    /grace@example\.com is not on the invite list; add it first: invite add grace@example\.com/,
  );
  assert.deepEqual(invitedIn(site.store), []);
});

it('admin add, admin list, admin remove set and clear is_admin', () => {
  for (const name of ['ada', 'grace']) site.invite(`${name}@example.com`);
  assert.equal(site.tool('invite', 'admin', 'add', 'GRACE@example.com').status, 0);
  const admins = site.json('invite', 'admin', 'list').map(({ email }) => email);
  assert.deepEqual(admins, ['grace@example.com']);
  assert.match(site.tool('invite', 'admin', 'list').stdout, /grace@example\.com/);
  assert.equal(site.tool('invite', 'admin', 'add', 'grace@example.com').status, 1);
  assert.equal(site.tool('invite', 'admin', 'remove', 'grace@example.com').status, 0);
  assert.equal(site.tool('invite', 'admin', 'remove', 'grace@example.com').status, 1);
  assert.deepEqual(site.json('invite', 'admin', 'list'), []);
});

it('list shows a plain table', () => {
  site.invite('ada@example.com', 'Ada');
  const [heading, row] = site.tool('invite', 'list').stdout.split('\n');
  assert.match(heading ?? '', /^email +first name +admin +invited by +invited at +status$/);
  assert.match(
    row ?? '',
    /^ada@example\.com +Ada +cli +\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ +not come$/,
  );
});

it('works while the server runs: what it changes holds from the next request on', async () => {
  const server = await site.start();
  site.tool('invite', 'add', 'ada@example.com');
  await logIn(server.origin, 'ada@example.com');
  site.tool('invite', 'remove', 'ada@example.com');
  await assert.rejects(logIn(server.origin, 'ada@example.com'), /403/);
});
