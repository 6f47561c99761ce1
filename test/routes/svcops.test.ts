/** What the administrator page counts and invites. test/lists.test.ts tests its lists. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it, mock } from 'node:test';
import type { Writer } from '../../lib/store/tables.ts';
import { addInvite, recordJoin, recordLogin, recordView } from '../support/rows.ts';
import { type Case, startService } from '../support/service.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 2, 10, 12);
mock.timers.enable({ apis: ['Date'], now: NOW });

describe('GET /api/svcops/stats', async () => {
  const email = 'invitee@example.com';
  const { send } = await startService({}, (writer) => {
    addInvite(writer, 'grace@example.com', { invitedAt: NOW });
    recordLogin(writer, email, NOW);
    recordView(writer, email, NOW);
    for (const n of [1, 2, 3]) recordJoin(writer, email, NOW + n);
  });
  const stats = async (query = '') =>
    (await send(`GET /api/svcops/stats${query}`, { as: 'administrator' })).json();
  const ACTIVITY = { logins: 1, timelineViews: 1, joinClicks: 3 };
  const NONE = { logins: 0, timelineViews: 0, joinClicks: 0 };
  const peopleOf = (activity: object) =>
    activity === NONE
      ? { loggedIn: 0, viewed: 0, joined: 0 }
      : { loggedIn: 1, viewed: 1, joined: 1 };
  const INVITES = { invites: 3, admins: 1 };

  it('counts older rows only in all time', async () => {
    const old = await startService({}, (writer) => recordJoin(writer, email, NOW - 90 * DAY));
    const joins = async (query: string) => {
      const answer = await old.send(`GET /api/svcops/stats${query}`, { as: 'administrator' });
      const found = answer.json<Record<string, Record<string, unknown>>>();
      return [found.totals?.joinClicks, found.people?.joined, found.before?.joinClicks];
    };
    assert.deepEqual(await joins(''), [0, 0, 1]);
    assert.deepEqual(await joins('?to=9999-12-31'), [1, 1, undefined]);
  });

  it('has totals, funnel, devices, and the last 90 days without gaps', async () => {
    const share = (name: string) => [{ name, count: 2 }];
    assert.deepEqual(await stats(), {
      period: { from: '2025-12-11', to: '2026-03-10' },
      totals: { ...INVITES, ...ACTIVITY },
      before: { ...NONE, people: peopleOf(NONE) },
      first: '2026-03-10',
      people: peopleOf(ACTIVITY),
      funnel: { invited: 3, ...peopleOf(ACTIVITY) },
      daily: Array.from({ length: 90 }, (_, i) => {
        const day = new Date(NOW - (89 - i) * DAY).toISOString().slice(0, 10);
        return { day, ...(i === 89 ? ACTIVITY : NONE) };
      }),
      ...{ devices: share('mobile'), os: share('iOS'), browsers: share('Mobile Safari') },
    });
  });

  for (const [query, days, totals, before] of [
    ['from=2026-03-04&to=2026-03-10', 7, ACTIVITY, NONE],
    ['from=2026-03-08&to=2026-03-09', 2, NONE, NONE],
    // From the first day on, and until today.
    ['to=2026-03-10', 1, ACTIVITY, null],
    ['to=9999-12-31', 1, ACTIVITY, null],
    ['from=2026-03-08', 3, ACTIVITY, NONE],
    ['from=2026-03-11&to=2026-03-11', 1, NONE, ACTIVITY],
    ['from=2028-02-29&to=2028-02-29', 1, NONE, NONE],
  ] as const)
    it(`of ${query} has ${days} days, and the totals of two periods`, async () => {
      const found = await stats(`?${query}`);
      const daily = found.daily as readonly { readonly day: string }[];
      assert.equal(daily.length, days);
      assert.deepEqual(found.period, { from: daily[0]?.day, to: daily.at(-1)?.day });
      assert.deepEqual(found.before, before && { ...before, people: peopleOf(before) });
      assert.deepEqual(found.totals, { ...INVITES, ...totals });
      assert.deepEqual(found.people, peopleOf(totals));
    });
});

const { replyTo, beginSession, testRequests, invite: add, send, store } = await startService();
const invite = (json: unknown) => send('POST /api/svcops/invites', { as: 'administrator', json });

describe('POST /api/svcops/invites', () => {
  const post = (json: unknown, status: number, content: object | RegExp): Case => [
    'POST /api/svcops/invites',
    'administrator',
    status,
    content,
    { json },
  ];
  // test/address.test.ts tests which texts are addresses.
  const eve = 'eve@xn--bcher-kva.example.com';
  const more = { is_admin: 1, isAdmin: true, invited_by: 'x', invitedBy: 'x' };
  // The clock stands still, and each earlier save took one ms.
  const invitedAt = NOW + 4;
  const made = {
    ...{ email: eve, readable: 'eve@bücher.example.com', firstName: 'Eve' },
    ...{ isAdmin: false, invitedBy: 'administrator@example.com', invitedAt },
  };
  testRequests([
    ...[undefined, 'eve@'].map((email) => post({ email }, 400, { error: 'invalid_email' })),
    ...['x'.repeat(101), 'a\u0000b', 'a\nb', 42, {}, []].map((firstName) =>
      post({ email: 'fine@example.com', firstName }, 400, { error: 'invalid_first_name' }),
    ),
    ...['Grace', 42, {}].map((name) =>
      post({ email: 'fine@example.com', firstName: 'Ada', first_name: name }, 400, {
        error: 'invalid_first_name',
      }),
    ),
    post({ email: 'same@example.com', firstName: 'Ada', first_name: ' Ada ' }, 201, /"Ada"/),
    post({ email: 'under@example.com', first_name: 'Ida' }, 201, /"firstName":"Ida"/),
    post({ email: 'empty@example.com', first_name: 'Ida', firstName: '' }, 201, /"Ida"/),
    post({ email: 'INVITEE@example.com', firstName: 'Other' }, 409, { error: 'already_invited' }),
    post({ email: ' Eve@Bücher.Example.com', firstName: ' Eve ', ...more }, 201, {
      ok: true,
      invite: made,
    }),
    ...[undefined, '  ', null].map((firstName, i) =>
      post({ email: `nameless${i}@example.com`, firstName }, 201, /"firstName":null/),
    ),
    post({ email: 'long@example.com', firstName: 'x'.repeat(100) }, 201, /"x{100}"/),
  ]);

  it('has changed nothing when it was refused, and made no administrator', () => {
    assert.equal(store.invites.find('fine@example.com'), undefined);
    assert.equal(store.invites.find('invitee@example.com')?.firstName, 'Ada');
    assert.equal(store.invites.find(eve)?.isAdmin, false);
  });

  it('accepts one of several concurrent invites of an address', async () => {
    const twins = await Promise.all([1, 2, 3, 4].map(() => invite({ email: 'twin@example.com' })));
    assert.deepEqual(twins.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  });
});

const former = 'former@example.com';
for (const [url, json] of [
  ['invites', { email: 'smuggled@example.com' }],
  ['invites/many', { text: 'smuggled@example.com', save: true }], // extra: bulk
] as const)
  for (const [what, revoke] of [
    ['admin flag', ({ invites }: Writer) => invites.setAdmin(former, false)],
    ['session', ({ sessions }: Writer) => sessions.endAllFor(former)],
  ] as const)
    it(`the ${what} of the caller of ${url} is checked in the transaction`, async () => {
      await add(['former']);
      await store.write(({ invites }) => void invites.setAdmin(former, true));
      const cookie = await beginSession('former');
      const client = new PassThrough();
      const headers = { 'Content-Type': 'application/json' };
      const reply = replyTo(`POST /api/svcops/${url}`, { cookie, headers }, client);
      await store.write((writer) => void revoke(writer));
      client.end(JSON.stringify(json));
      assert.equal((await reply).status, 404);
      assert.equal(store.invites.find('smuggled@example.com'), undefined);
    });

it('the guests of one save, or of all earlier ones, are found exactly', async () => {
  const SAVED = NOW - 60_000;
  const service = await startService({}, (writer) => {
    for (const [name, invitedAt] of [
      ['one', SAVED],
      ['two', SAVED],
      ['earlier', SAVED - 1],
      ['later', SAVED + 1],
    ] as const)
      addInvite(writer, `${name}@example.com`, { invitedAt });
  });
  const ask = async (query: string) =>
    service.send(`GET /api/svcops/invites?sort=email&order=asc&q=e&${query}`, {
      as: 'administrator',
    });
  const emails = async (query: string) => {
    const { invites } = (await ask(query)).json<{ invites: readonly { email: string }[] }>();
    return invites.map(({ email }) => email.split('@')[0]);
  };
  assert.deepEqual(await emails(`invitedAt=${SAVED}`), ['one', 'two']);
  assert.deepEqual(await emails(`invitedAt=${SAVED - 1}`), ['earlier']);
  assert.deepEqual((await emails(`before=${SAVED}`)).includes('earlier'), true);
  assert.deepEqual((await emails(`before=${SAVED}`)).includes('one'), false);
  assert.deepEqual(await emails(`before=${SAVED + 1}&invitedAt=${SAVED}`), ['one', 'two']);
  for (const bad of [
    'invitedAt=',
    'invitedAt=x',
    'before=-1',
    'before=1.5',
    'before=1&before=2',
    `invitedAt=${'9'.repeat(17)}`,
  ])
    assert.equal((await ask(bad)).status, 400, bad);
  // extra: export
  const csv = await ask(`invitedAt=${SAVED}&format=csv`);
  assert.equal(csv.text.split('\r\n').length, 4);
  // end: export
});
