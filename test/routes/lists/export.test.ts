/** Exports of lists: their format, and a time that is not a date. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withDatabase } from '../../support/database.ts';
import { inject } from '../../support/inject.ts';
import { inviteGuests } from '../../support/svcops-guests.ts';
import { toolsForEach } from '../../support/tools.ts';

/** In nanoseconds, as another program may write it. Not a date of JavaScript. */
const ODD = 9_000_000_000_000_000;

const pressAtOddTime = (file: string) =>
  withDatabase(file, (db) =>
    db.prepare("insert into project_joins values (null, 'ada@example.com', 's', ?)").run(ODD),
  );

describe('an export', async () => {
  const { ask, file } = await inject({}, (writer) => {
    inviteGuests(writer);
    const invited = { invitedBy: 'cli', invitedAt: 1 };
    writer.invites.add({ email: '=cmd@example.com', firstName: '+1', ...invited });
    writer.invites.add({ email: '-x@example.com', firstName: '@sum(a1)', ...invited });
  });
  pressAtOddTime(file);

  const LINES: Readonly<Record<string, readonly (string | RegExp)[]>> = {
    'invites?sort=email&order=asc&status=logged_in&q=b': [
      'email,firstName,isAdmin,invitedBy,invitedAt,status,logins,timelineViews,joinClicks,lastSeenAt',
      `bo@example.com,"'=Bo, ""B""",false,cli,2026-03-01T12:01:00.000Z,logged_in,1,0,0,2026-03-01T12:20:00.000Z`,
    ],
    'invites?sort=email&order=asc&q=m&to=1970-01-01': [
      /^email,/,
      "'-x@example.com,'@sum(a1),false,cli,1970-01-01T00:00:00.001Z,not_come,0,0,0,",
      "'=cmd@example.com,'+1,false,cli,1970-01-01T00:00:00.001Z,not_come,0,0,0,",
    ],
    'events?type=timeline_view&email=cleo@example.com': [
      'id,type,email,occurredAt,session,deviceType,os,browser,meta',
      ...Array(3).fill(
        /^\d+,timeline_view,cleo@example\.com,2026-03-01T12:30:00\.000Z,s1,mobile,iOS,Mobile Safari,"\{""view""/,
      ),
    ],
    'events?': [/^id,/, ...Array(12).fill(/^\d+,(login|timeline_view),/)],
    'joins?of=summary': [
      'email,firstName,clicks,firstAt,lastAt',
      `ada@example.com,,1,${ODD},${ODD}`,
      'dora@example.com,,2,2026-03-01T12:40:00.000Z,2026-03-01T12:41:00.000Z',
    ],
    'joins?of=clicks': [
      'id,email,firstName,session,clickedAt',
      `3,ada@example.com,,s,${ODD}`,
      '2,dora@example.com,,s1,2026-03-01T12:41:00.000Z',
      '1,dora@example.com,,s1,2026-03-01T12:40:00.000Z',
    ],
    'changes?email=nobody@example.com': ['id,at,by,via,what,email,detail'],
  };
  for (const [list, expected] of Object.entries(LINES))
    it(`of ${list} has a byte order mark, a heading, and a line for each row`, async () => {
      const reply = await ask(`GET /api/svcops/${list}&format=csv`, { as: 'administrator' });
      assert.match(
        reply.headers.join('\n'),
        /\ntext\/csv[\s\S]*attachment; filename="[\w-]+\.csv"$/,
      );
      let text = '';
      if (typeof reply.body !== 'string') for await (const part of reply.body) text += part;
      const lines = text.split('\r\n');
      assert.equal(lines.pop(), '');
      assert.equal(lines[0]?.[0], '\ufeff');
      lines[0] = lines[0]?.slice(1) ?? '';
      assert.equal(lines.length, expected.length, text);
      for (const [i, line] of expected.entries())
        if (typeof line === 'string') assert.equal(lines[i], line);
        else assert.match(lines[i] ?? '', line);
    });
});

describe('the tools', () => {
  const { file, says, write } = toolsForEach();
  for (const command of ['summary', 'list'])
    it(`joins ${command} prints a time that is not a date as a number`, async () => {
      write(inviteGuests);
      pressAtOddTime(file);
      const table = await says(`joins ${command}`);
      assert.match(table, new RegExp(`^.*ada@example\\.com.* ${ODD}$`, 'm'));
    });
});
