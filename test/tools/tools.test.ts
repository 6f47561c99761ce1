import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, describe, it } from 'node:test';
import { logIn, send, sessionId } from '../support/client.ts';
import type { Server } from '../support/installation.ts';
import { siteForAll, siteForEach } from '../support/site.ts';

describe('the invite tool', () => {
  const site = siteForEach();

  const emails = () =>
    (JSON.parse(site.tool('invite', 'list', '--json').stdout) as { email: string }[]).map(
      ({ email }) => email,
    );

  it('add <email> invites, trimmed and lower-cased, invited by cli, and makes the store', () => {
    const { status, stdout } = site.tool('invite', 'add', ' Ada@Example.COM ', 'Ada', 'Lovelace');
    assert.deepEqual([status, stdout], [0, 'ada@example.com is invited\n']);
    const [invite] = JSON.parse(site.tool('invite', 'list', '--json').stdout);
    assert.deepEqual(
      [invite.email, invite.firstName, invite.isAdmin, invite.invitedBy],
      ['ada@example.com', 'Ada Lovelace', false, 'cli'],
    );
  });

  it('add again sets the first name if one is given, changes nothing else, says so, exit 0', () => {
    site.tool('invite', 'add', 'ada@example.com', 'Ada');
    site.tool('invite', 'admin', 'add', 'ada@example.com');
    const again = site.tool('invite', 'add', 'ada@example.com');
    assert.deepEqual(
      [again.status, again.stdout],
      [0, 'ada@example.com was already invited; nothing is changed\n'],
    );
    const renamed = site.tool('invite', 'add', 'ada@example.com', 'Augusta');
    assert.equal(renamed.status, 0);
    assert.match(renamed.stdout, /was already invited; the first name is now Augusta/);
    const [invite] = JSON.parse(site.tool('invite', 'list', '--json').stdout);
    assert.deepEqual([invite.firstName, invite.isAdmin], ['Augusta', true]);
  });

  it('add --from invites everybody in a file, or on standard input', () => {
    const file = path.join(site.root, 'people.csv');
    fs.writeFileSync(
      file,
      '\uFEFFEmail,First name\r\nada@example.com,"Ada, the first"\r\n\r\n"grace@example.com";"say ""hi"""\r\n',
    );
    assert.match(
      site.tool('invite', 'add', '--from', file).stdout,
      /^2 invited; 0 had been already/,
    );
    assert.match(
      site.toolWithInput('eve@example.com\nADA@example.com\n', 'invite', 'add', '--from', '-')
        .stdout,
      /^1 invited; 1 had been already/,
    );
    const invites: { email: string; firstName: string | null }[] = JSON.parse(
      site.tool('invite', 'list', '--json').stdout,
    );
    const names = new Map(invites.map(({ email, firstName }) => [email, firstName]));
    assert.deepEqual(names.get('ada@example.com'), 'Ada, the first');
    assert.deepEqual(names.get('grace@example.com'), 'say "hi"');
    assert.deepEqual(names.get('eve@example.com'), null);
  });

  it('add --from is all or nothing on a bad line, which it names', () => {
    for (const bad of [
      'not an address',
      'x@',
      '"x@example.com',
      `x@example.com,${'y'.repeat(101)}`,
    ]) {
      const { status, stderr } = site.toolWithInput(
        `ada@example.com\n${bad}\ngrace@example.com\n`,
        'invite',
        'add',
        '--from',
        '-',
      );
      assert.equal(status, 1);
      assert.match(stderr, /^line 2: .*nobody was invited/);
      assert.deepEqual(emails(), []);
    }
    assert.match(site.tool('invite', 'add', '--from', '/no/such/file').stderr, /cannot be read/);
    assert.match(site.toolWithInput('\n', 'invite', 'add', '--from', '-').stderr, /names nobody/);
  });

  it('remove <email> says how many sessions live on; --end-sessions ends them', async () => {
    for (const name of ['ada', 'grace']) site.tool('invite', 'add', `${name}@example.com`);
    const server = await site.start();
    const ada = await logIn(server.origin, 'ada@example.com');
    await logIn(server.origin, 'ada@example.com');
    const grace = await logIn(server.origin, 'grace@example.com');
    const status = async (cookie: string) =>
      (await send(server.origin, 'GET /auth/me', { cookie })).status;
    const kept = site.tool('invite', 'remove', 'ada@example.com');
    assert.equal(kept.status, 0);
    assert.match(kept.stdout, /^ada@example\.com is no longer invited; 2 open sessions live on/);
    assert.equal(await status(ada), 200);
    assert.match(
      site.tool('invite', 'remove', 'grace@example.com', '--end-sessions').stdout,
      /1 session ended/,
    );
    assert.equal(await status(grace), 401);
    assert.deepEqual(emails(), []);
  });

  it('remove --end-sessions ends the sessions of somebody who is off the list already', async () => {
    site.tool('invite', 'add', 'ada@example.com');
    const server = await site.start();
    const cookie = await logIn(server.origin, 'ada@example.com');
    site.tool('invite', 'remove', 'ada@example.com');
    const refused = site.tool('invite', 'remove', 'ada@example.com');
    assert.equal(refused.status, 1);
    assert.match(
      refused.stderr,
      /not on the invite list; 1 open session lives on .*--end-sessions/,
    );
    assert.equal((await send(server.origin, 'GET /auth/me', { cookie })).status, 200);
    const ended = ['invite', 'remove', 'ada@example.com', '--end-sessions'] as const;
    const { status, stdout } = site.tool(...ended);
    assert.deepEqual(
      [status, stdout],
      [0, 'ada@example.com is not on the invite list; 1 session ended\n'],
    );
    assert.equal((await send(server.origin, 'GET /auth/me', { cookie })).status, 401);
    assert.deepEqual(JSON.parse(site.tool(...ended, '--json').stdout), {
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
    assert.deepEqual(emails(), []);
  });

  it('admin add, admin list, admin remove set and clear is_admin', () => {
    site.tool('invite', 'add', 'ada@example.com');
    site.tool('invite', 'add', 'grace@example.com');
    assert.equal(site.tool('invite', 'admin', 'add', 'GRACE@example.com').status, 0);
    const admins = JSON.parse(site.tool('invite', 'admin', 'list', '--json').stdout);
    assert.deepEqual(
      admins.map(({ email }: { email: string }) => email),
      ['grace@example.com'],
    );
    assert.match(site.tool('invite', 'admin', 'list').stdout, /grace@example\.com/);
    assert.equal(site.tool('invite', 'admin', 'add', 'grace@example.com').status, 1);
    assert.equal(site.tool('invite', 'admin', 'remove', 'grace@example.com').status, 0);
    assert.equal(site.tool('invite', 'admin', 'remove', 'grace@example.com').status, 1);
    assert.equal(site.tool('invite', 'admin', 'list', '--json').stdout, '[]\n');
  });

  it('list shows a plain table', () => {
    site.tool('invite', 'add', 'ada@example.com', 'Ada');
    const [heading, row] = site.tool('invite', 'list').stdout.split('\n');
    assert.match(heading ?? '', /^email +first name +admin +invited by +invited at$/);
    assert.match(row ?? '', /^ada@example\.com +Ada +cli +\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/);
  });

  it('works while the server runs: what it changes holds from the next request on', async () => {
    const server = await site.start();
    site.tool('invite', 'add', 'ada@example.com');
    await logIn(server.origin, 'ada@example.com');
    site.tool('invite', 'remove', 'ada@example.com');
    await assert.rejects(logIn(server.origin, 'ada@example.com'), /403/);
  });
});

describe('the joins and events tools', () => {
  const site = siteForAll();
  let server: Server;
  let ada: string;

  before(async () => {
    for (const name of ['ada', 'grace']) site.tool('invite', 'add', `${name}@example.com`);
    server = await site.start();
    ada = await logIn(server.origin, 'ada@example.com');
    const grace = await logIn(server.origin, 'grace@example.com');
    for (const cookie of [ada, grace, ada]) {
      await send(server.origin, 'GET /timeline?view=mobile', { cookie });
      await send(server.origin, 'POST /api/project-join', { cookie });
    }
  });

  const json = (...words: string[]) => {
    const [tool = '', ...args] = words;
    const { status, stdout, stderr } = site.tool(tool, ...args, '--json');
    assert.deepEqual([status, stderr], [0, '']);
    return JSON.parse(stdout);
  };
  const column = (rows: Record<string, unknown>[], name: string) => rows.map((row) => row[name]);

  it('joins list: every click, newest first, with id, email and session', () => {
    const rows = json('joins', 'list');
    assert.deepEqual(column(rows, 'email'), [
      'ada@example.com',
      'grace@example.com',
      'ada@example.com',
    ]);
    assert.deepEqual(column(rows, 'id'), [3, 2, 1]);
    assert.equal(rows[0].session, sessionId(ada));
    assert.match(
      site.tool('joins', 'list').stdout,
      new RegExp(`3 +ada@example\\.com +${sessionId(ada)}`),
    );
    assert.equal(json('joins', 'list', '--limit', '2').length, 2);
  });

  it('joins summary: one row a person with clicks, first and last', () => {
    const [first, second, ...rest] = json('joins', 'summary');
    assert.deepEqual([first.email, first.clicks], ['ada@example.com', 2]);
    assert.deepEqual([second.email, second.clicks], ['grace@example.com', 1]);
    assert.ok(first.firstAt < first.lastAt && second.firstAt === second.lastAt);
    assert.deepEqual(rest, []);
  });

  it('joins for <email>: the full click history of one person', () => {
    assert.deepEqual(column(json('joins', 'for', ' ADA@example.com'), 'id'), [3, 1]);
    assert.deepEqual(json('joins', 'for', 'nobody@example.com'), []);
  });

  it('joins stats: total clicks and unique users', () => {
    assert.deepEqual(json('joins', 'stats'), { clicks: 3, users: 2 });
    assert.equal(site.tool('joins', 'stats').stdout, 'clicks: 3\nusers: 2\n');
  });

  it('events list, with --type and --limit', () => {
    assert.equal(json('events', 'list').length, 5);
    assert.deepEqual(
      new Set(column(json('events', 'list', '--type', 'login'), 'type')),
      new Set(['login']),
    );
    assert.deepEqual(
      column(json('events', 'list', '--type', 'timeline_view', '--limit', '2'), 'id'),
      [5, 4],
    );
    assert.match(
      site.tool('events', 'list', '--limit', '1').stdout,
      /timeline_view +ada@example\.com .* mobile \(forced\)\n/,
    );
  });

  it('events summary: per person logins, views and last seen', () => {
    const rows = json('events', 'summary');
    assert.deepEqual(
      rows.map(({ email, logins, timelineViews }: Record<string, unknown>) => [
        email,
        logins,
        timelineViews,
      ]),
      [
        ['ada@example.com', 1, 2],
        ['grace@example.com', 1, 1],
      ],
    );
    assert.equal(rows[0].lastSeenAt, json('events', 'list', '--limit', '1')[0].occurredAt);
  });

  it('events for <email>: the events of one person', () => {
    assert.deepEqual(column(json('events', 'for', 'ada@example.com'), 'type'), [
      'timeline_view',
      'timeline_view',
      'login',
    ]);
  });

  it('events stats: totals per event type and a device-type breakdown', () => {
    assert.deepEqual(json('events', 'stats'), {
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
});

describe('every tool', () => {
  const site = siteForAll();

  for (const [tool, form] of [
    ['invite', 'invite remove <email>'],
    ['joins', 'joins for <email>'],
    ['events', 'events list'],
    ['backup', 'backup restore <file> '],
    ['person', 'person forget <email> [--yes] [--keep-snapshots]'],
    ['doctor', 'doctor'],
  ] as const)
    it(`${tool} --help prints its usage, exit 0`, () => {
      const { status, stdout } = site.tool(tool, '--help');
      assert.equal(status, 0);
      assert.match(stdout, new RegExp(`^usage: ${tool}\\b.*\\n\\n  ${tool} .*\\w`));
      assert.ok(stdout.includes(form));
    });

  for (const tool of ['invite', 'joins', 'events']) {
    it(`${tool} on a store that does not exist yet says that there is nothing yet, and makes none`, () => {
      const { status, stdout, stderr } = site.tool(tool, 'list', '--json');
      assert.deepEqual([status, stdout], [0, '[]\n']);
      assert.match(stderr, /^nothing yet: there is no store/);
      assert.equal(site.tool(tool, 'list').stdout, 'none yet\n');
      assert.ok(!fs.existsSync(site.store));
    });
  }

  for (const tool of ['invite', 'joins', 'events', 'backup', 'person'])
    it(`${tool} without a command is wrong usage, status 2`, () => {
      const { status, stdout, stderr } = site.tool(tool);
      assert.deepEqual([status, stdout], [2, '']);
      assert.match(stderr, /usage: .* \(--help tells more\)\n$/);
    });
});
