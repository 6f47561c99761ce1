/** Exports of lists over HTTP: their format, and a time that is not a date. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { logIn, send } from '../../support/client.ts';
import { withDatabase } from '../../support/database.ts';
import { siteForAll } from '../../support/site.ts';
import { inviteGuests } from '../../support/svcops-guests.ts';

/** In nanoseconds, as another program may write it. Not a date of JavaScript. */
const ODD = 9_000_000_000_000_000;

const site = siteForAll();
site.write(inviteGuests);
withDatabase(site.store, (db) =>
  db.prepare("insert into project_joins values (0, 'ada@example.com', 's', ?)").run(ODD),
);
const server = await site.start();
const cookie = await logIn(server.origin, 'root@example.com');

const LISTS = ['invites?', 'joins?of=summary&', 'joins?of=clicks&', 'events?'];

const get = (list: string) => send(server.origin, `GET /api/svcops/${list}format=csv`, { cookie });

describe('an export', () => {
  const csv = async (list: string) => {
    const { status, headers, text } = await get(list);
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^text\/csv/);
    const disposition = headers.get('content-disposition') ?? '';
    assert.match(disposition, /^attachment; filename="[\w-]+\.csv"$/);
    assert.match(text, /\r\n$/);
    assert.doesNotMatch(text.replaceAll('\r\n', ''), /[\r\n]/);
    return text.trimEnd().split('\r\n');
  };

  it('begins with a byte order mark, for spreadsheets', async () => {
    for (const list of LISTS) {
      const url = `${server.origin}/api/svcops/${list}format=csv`;
      const reply = await fetch(url, { headers: { Cookie: cookie } });
      const bytes = Buffer.from(await reply.arrayBuffer());
      assert.equal(bytes.subarray(0, 3).toString('hex'), 'efbbbf', list);
      assert.equal(bytes.lastIndexOf('efbbbf', undefined, 'hex'), 0);
    }
  });

  it('has the invite list, sorted and filtered as asked, harmless to spreadsheets', async () => {
    const lines = await csv('invites?sort=email&order=asc&status=logged_in&q=b&');
    assert.deepEqual(lines, [
      'email,firstName,isAdmin,invitedBy,invitedAt,status,logins,timelineViews,joinClicks,lastSeenAt',
      `bo@example.com,"'=Bo, ""B""",false,cli,2026-03-01T12:01:00.000Z,logged_in,1,0,0,2026-03-01T12:20:00.000Z`,
    ]);
  });

  it('makes every formula harmless to spreadsheets', async () => {
    site.write(({ invites }) => {
      const invited = { invitedBy: 'cli', invitedAt: 1 };
      invites.add({ email: '=cmd@example.com', firstName: '+1', ...invited });
      invites.add({ email: '-x@example.com', firstName: '@sum(a1)', ...invited });
    });
    const lines = await csv('invites?sort=invitedAt&order=asc&');
    const cells = lines.slice(1, 3).map((line) => line.split(',').slice(0, 2));
    assert.deepEqual(cells.sort(), [
      ["'-x@example.com", "'@sum(a1)"],
      ["'=cmd@example.com", "'+1"],
    ]);
  });

  it('has the events of a type and a person, and all of them without a filter', async () => {
    const [heading, ...lines] = await csv('events?type=timeline_view&email=cleo@example.com&');
    assert.equal(heading, 'id,type,email,occurredAt,session,deviceType,os,browser,meta');
    assert.equal(lines.length, 3);
    assert.match(
      lines[0] ?? '',
      /^\d+,timeline_view,cleo@example\.com,2026-03-01T12:30:00\.000Z,s1,mobile,iOS,Mobile Safari,"\{""view""/,
    );
    assert.equal((await csv('events?')).length, 14);
  });

  it('has the join summary and the click log, also with a time that is not a date', async () => {
    assert.deepEqual(await csv('joins?of=summary&'), [
      'email,clicks,firstAt,lastAt',
      `ada@example.com,1,${ODD},${ODD}`,
      'dora@example.com,2,2026-03-01T12:40:00.000Z,2026-03-01T12:41:00.000Z',
    ]);
    assert.deepEqual(await csv('joins?of=clicks&'), [
      'id,email,session,clickedAt',
      '2,dora@example.com,s1,2026-03-01T12:41:00.000Z',
      '1,dora@example.com,s1,2026-03-01T12:40:00.000Z',
      `0,ada@example.com,s,${ODD}`,
    ]);
  });
});

describe('the tools', () => {
  for (const command of ['summary', 'list'])
    it(`joins ${command} prints a time that is not a date as a number`, () => {
      const { status, stdout, stderr } = site.tool('joins', command);
      assert.equal(status, 0, stderr);
      assert.match(stdout, new RegExp(`^.*ada@example\\.com.* ${ODD}$`, 'm'));
    });
});
