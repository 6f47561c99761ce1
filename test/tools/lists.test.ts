/** The lists and counts of the tools, and that they are those of the administrator's exports. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { logIn, send } from '../support/client.ts';
import type { Row } from '../support/installation.ts';
import { addInvite, FORCED, PHONE, recordJoin, recordLogin, recordView } from '../support/rows.ts';
import { siteForAll } from '../support/site.ts';
import { toolsForEach, toolsOn } from '../support/tools.ts';

const ADA = 'ada@example.com';
const DAY = '2026-03-01';
const PERIOD = `--from ${DAY} --to ${DAY}`;

/** The last moment before the day, its first and last, and the first one after it. */
const TIMES = {
  ada: '2026-02-28T23:59:59.999Z',
  bo: `${DAY}T00:00:00.000Z`,
  cleo: `${DAY}T23:59:59.999Z`,
  dora: '2026-03-02T00:00:00.000Z',
};
const emails = (...names: readonly string[]) => names.map((name) => `${name}@example.com`);

const site = siteForAll();
const { json, says, write } = toolsOn(site.store);
/** The view and the second press of Ada. */
const LATER = Date.parse('2026-03-03T00:00:00.500Z');
write((writer) => {
  for (const [name, time] of Object.entries(TIMES)) {
    const [email, at] = [`${name}@example.com`, Date.parse(time)];
    addInvite(writer, email, { firstName: name, invitedAt: at });
    recordLogin(writer, email, at);
    recordJoin(writer, email, at);
  }
  recordView(writer, ADA, LATER);
  recordJoin(writer, ADA, LATER);
});
site.invite('root@example.com');
site.setAdmin('root@example.com');

describe('the lists', () => {
  for (const [call, field, expected] of [
    ['joins list', 'id', [5, 4, 3, 2, 1]],
    ['joins list --limit 2', 'id', [5, 4]],
    [`joins list ${PERIOD}`, 'id', [3, 2]],
    ['joins summary --limit 2', 'email', emails('ada', 'dora')],
    ['joins for ada@example.com --limit 1', 'id', [5]],
    ['joins for ADA@example.com', 'id', [5, 1]],
    ['joins for nobody@example.com', 'id', []],
    ['joins summary', 'email', emails('ada', 'dora', 'cleo', 'bo')],
    ['joins summary', 'clicks', [2, 1, 1, 1]],
    [`joins summary ${PERIOD}`, 'email', emails('cleo', 'bo')],
    ['events list', 'id', [5, 4, 3, 2, 1]],
    ['events list --type login --limit 2', 'id', [4, 3]],
    ['events list --type timeline_view', 'id', [5]],
    [`events list ${PERIOD}`, 'id', [3, 2]],
    ['events for ada@example.com', 'type', ['timeline_view', 'login']],
    ['events for ada@example.com --limit 1', 'type', ['timeline_view']],
    ['events summary --limit 3', 'email', emails('ada', 'dora', 'cleo')],
    ['events summary', 'email', emails('ada', 'dora', 'cleo', 'bo')],
    [`events summary ${PERIOD}`, 'email', emails('cleo', 'bo')],
    ['events summary --to 2026-01-01', 'email', []],
    ['invite list --limit 2', 'email', emails('root', 'dora')],
    ['invite admin list --limit 1', 'email', emails('root')],
    [`invite list --status joined ${PERIOD}`, 'email', emails('cleo', 'bo')],
  ] as const)
    it(`${call}: each ${field}`, async () => {
      const found = (await json(call)).map((row) => row[field]);
      assert.deepEqual(found, expected);
    });

  it('have every field as JSON', async () => {
    const [email, firstName, firstAt] = [ADA, 'ada', Date.parse(TIMES.ada)];
    for (const [call, expected] of [
      ['joins list', { id: 5, email, firstName, clickedAt: LATER }],
      ['joins summary', { email, firstName, clicks: 2, firstAt, lastAt: LATER }],
      [
        'events list',
        { id: 5, type: 'timeline_view', email, occurredAt: LATER, ...PHONE, meta: FORCED },
      ],
      ['events summary', { email, logins: 1, timelineViews: 1, lastSeenAt: LATER }],
    ] as const) {
      const [{ session, ...row } = {}] = await json(call);
      assert.deepEqual(row, expected);
    }
  });

  it('are tables without --json', async () => {
    const time = '2026-03-03 00:00:00Z';
    const joins = `^id  email            first name  session +clicked at\n5   ada@example.com  ada         [\\w-]{22}  ${time}\n$`;
    assert.match(await says('joins list --limit 1'), new RegExp(joins));
    const events = `^id .* meta\n5 +timeline_view +ada@.+ +${time} .* view mobile, forced yes\n$`;
    assert.match(await says('events list --limit 1'), new RegExp(events));
  });
});

describe('a time that is not a date', () => {
  const { says, write } = toolsForEach();
  for (const call of ['joins list', 'joins summary'])
    it(`is a number in ${call}`, async () => {
      write((writer) => recordJoin(writer, ADA, 9e15));
      assert.match(await says(call), / 9000000000000000\n$/);
    });
});

it('the counts are those of all time, or of days', async () => {
  assert.deepEqual(await json('joins stats'), { clicks: 5, users: 4 });
  assert.deepEqual(await json(`joins stats ${PERIOD}`), { clicks: 2, users: 2 });
  assert.equal(await says('joins stats'), 'joins   count\nclicks  5\nusers   4\n');
  const [login, view] = [
    { name: 'login', count: 4 },
    { name: 'timeline_view', count: 1 },
  ];
  const devices = [{ name: 'mobile', count: 5 }];
  assert.deepEqual(await json('events stats'), { types: [login, view], devices });
  const table = /login +4\ntimeline_view +1\n\ndevice +count\nmobile +5\n$/;
  assert.match(await says('events stats'), table);
});

describe('the same rows as in the exports, in days of UTC', () => {
  for (const [TZ, LC_ALL] of [
    ['Asia/Kathmandu', 'tr_TR.UTF-8'],
    ['Pacific/Apia', 'ar_EG.UTF-8'],
  ] as const)
    it(`with TZ=${TZ} and LC_ALL=${LC_ALL}`, async () => {
      process.env.TZ = TZ;
      const { origin, stop } = await site.start({ TZ, LC_ALL });
      const cookie = await logIn(origin, 'root@example.com');
      const get = (at: string) => send(origin, `GET /api/svcops/${at}`, { cookie });
      for (const [call, route] of [
        ['events list', 'events?'],
        ['events list --type login', 'events?type=login&'],
        ['joins list', 'joins?of=clicks&'],
        ['joins summary', 'joins?of=summary&'],
        ['invite list --status joined', 'invites?status=joined&'],
      ] as const) {
        const list = await says(`${call} ${PERIOD} --csv`);
        assert.deepEqual(list.match(/\w+(?=@)/g), ['cleo', 'bo'], call);
        const { text } = await get(`${route}from=${DAY}&to=${DAY}&format=csv`);
        assert.equal(list, text, call);
      }
      const { daily } = (await get(`stats?from=${DAY}&to=${DAY}`)).json<{ daily: Row[] }>();
      assert.deepEqual(daily, [{ day: DAY, logins: 2, timelineViews: 0, joinClicks: 2 }]);
      await stop();
    });
});
