/** Periods of the tools and of the exports: the same rows, in days of UTC, wherever they run. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { logIn, send } from '../support/client.ts';
import type { Row } from '../support/installation.ts';
import { siteForAll } from '../support/site.ts';

const DAY = '2026-03-01';
const PERIOD = `from=${DAY}&to=${DAY}`;
const OPTIONS = ['--from', DAY, '--to', DAY];

/** The last moment before the day, its first and last, and the first one after it. */
const TIMES = {
  ada: '2026-02-28T23:59:59.999Z',
  bo: `${DAY}T00:00:00.000Z`,
  cleo: `${DAY}T23:59:59.999Z`,
  dora: '2026-03-02T00:00:00.000Z',
};

const site = siteForAll();
site.write(({ invites, events, joins }) => {
  for (const [name, time] of Object.entries(TIMES)) {
    const [email, at] = [`${name}@example.com`, Date.parse(time)];
    invites.add({ email, firstName: name, invitedBy: 'cli', invitedAt: at });
    const device = { session: 's', deviceType: 'desktop', os: '', browser: '' };
    events.record({ type: 'login', email, occurredAt: at, ...device, meta: null });
    joins.record({ email, session: 's', clickedAt: at });
  }
});
site.invite('root@example.com');
site.setAdmin('root@example.com');

/** Each list, and its export. */
const LISTS = [
  ['events list', 'events?'],
  ['events list --type login', 'events?type=login&'],
  ['joins list', 'joins?of=clicks&'],
  ['joins summary', 'joins?of=summary&'],
  ['invite list --status joined', 'invites?status=joined&'],
] as const;

for (const [TZ, LC_ALL] of [
  ['Asia/Kathmandu', 'tr_TR.UTF-8'],
  ['Pacific/Apia', 'ar_EG.UTF-8'],
] as const)
  it(`are the same in the tools and in the exports, with TZ=${TZ} and LC_ALL=${LC_ALL}`, async () => {
    Object.assign(process.env, { TZ, LC_ALL });
    const { origin, stop } = await site.start();
    const cookie = await logIn(origin, 'root@example.com');
    const get = (at: string) => send(origin, `GET /api/svcops/${at}`, { cookie });
    for (const [command, route] of LISTS) {
      const [tool = '', ...args] = command.split(' ');
      const { stdout } = site.tool(tool, ...args, ...OPTIONS, '--csv');
      assert.deepEqual(stdout.match(/\w+(?=@)/g), ['cleo', 'bo'], command);
      const { text } = await get(`${route}${PERIOD}&format=csv`);
      assert.equal(stdout.replace(/^\uFEFF/, ''), text.replace(/^\uFEFF/, ''), command);
    }
    const { daily } = (await get(`stats?${PERIOD}`)).json<{ daily: Row[] }>();
    assert.deepEqual(daily, [{ day: DAY, logins: 2, timelineViews: 0, joinClicks: 2 }]);
    assert.deepEqual(site.json('joins', 'stats', ...OPTIONS), { clicks: 2, users: 2 });
    const seen = site.json('events', 'summary', ...OPTIONS);
    assert.deepEqual(
      seen.map(({ email, logins }) => [email, logins]),
      [
        ['cleo@example.com', 1],
        ['bo@example.com', 1],
      ],
    );
    await stop();
  });

it('are refused by commands without one, and if they are no days', () => {
  for (const [args, reason] of [
    [['joins', 'for', 'ada@example.com', '--from', DAY], /does not take --from/],
    [['joins', 'stats', '--csv'], /does not take --csv/],
    [['invite', 'log', '--to', DAY], /does not take --to/],
    [['invite', 'list', '--status', 'came'], /must be one of not_come, logged_in, viewed, joined/],
    [['invite', 'list', '--from', '2026-02-30', '--status', 'joined'], /must be a day/],
    [['events', 'summary', '--to', ''], /must be a day/],
  ] as const) {
    const [tool, ...rest] = args;
    const { status, stdout, stderr } = site.tool(tool, ...rest);
    assert.deepEqual([status, stdout], [2, ''], args.join(' '));
    assert.match(stderr, reason);
  }
});
