/** What the administrator page reads and invites. test/lists.test.ts tests its lists. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it, mock } from 'node:test';
import type { Writer } from '../../lib/store/open.ts';
import { type Case, inject } from '../support/inject.ts';
import { addInvite, recordJoin, recordLogin, recordView } from '../support/rows.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 2, 10, 12);
mock.timers.enable({ apis: ['Date'], now: NOW });

const email = 'invitee@example.com';
const ACTIVITY = { logins: 1, timelineViews: 1, joinClicks: 3 };
const PEOPLE = { loggedIn: 1, viewed: 1, joined: 1 };

const { begin, send } = await inject({}, (writer) => {
  addInvite(writer, 'grace@example.com', { invitedAt: NOW });
  recordLogin(writer, email, NOW);
  recordView(writer, email, NOW);
  for (const n of [1, 2, 3]) recordJoin(writer, email, NOW + n);
});
const cookie = await begin('administrator');

type Row = Record<string, unknown>;

async function read<T>(path: string): Promise<T> {
  const answer = await send(`GET /api/svcops/${path}`, { cookie });
  assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  return answer.json<T>();
}

describe('GET /api/svcops/stats', () => {
  type Stats = Readonly<
    Record<'totals' | 'people' | 'funnel' | 'devices' | 'os' | 'browsers', unknown>
  > & {
    readonly daily: readonly Row[];
    readonly first: string;
    readonly before: Row | null;
  };
  const stats = (query = '') => read<Stats>(`stats${query}`);
  const NONE = { logins: 0, timelineViews: 0, joinClicks: 0 };
  const NOBODY = { loggedIn: 0, viewed: 0, joined: 0 };
  const INVITES = { invites: 3, admins: 1 };

  it('has totals, funnel, devices, and the last 90 UTC days without gaps, today last', async () => {
    const { totals, funnel, daily, first, before, devices, os, browsers } = await stats();
    assert.deepEqual(totals, { ...INVITES, ...ACTIVITY });
    assert.deepEqual(funnel, { invited: 3, ...PEOPLE });
    const names = [devices, os, browsers].map((list) => (list as Row[])[0]?.name);
    assert.deepEqual(names, ['mobile', 'iOS', 'Mobile Safari']);
    assert.deepEqual([first, before], ['2026-03-10', null]);
    const days = Array.from({ length: 90 }, (_, i) =>
      new Date(NOW - (89 - i) * DAY).toISOString().slice(0, 10),
    );
    const expected = days.map((day, i) => ({ day, ...(i === 89 ? ACTIVITY : NONE) }));
    assert.deepEqual(daily, expected);
  });

  for (const [query, days, totals, before] of [
    ['from=2026-03-04&to=2026-03-10', 7, ACTIVITY, NONE],
    ['from=2026-03-08&to=2026-03-09', 2, NONE, NONE],
    // From the first day on, and until today.
    ['to=2026-03-10', 1, ACTIVITY, NONE],
    ['to=9999-12-31', 1, ACTIVITY, NONE],
    ['from=2026-03-08', 3, ACTIVITY, NONE],
    ['from=2026-03-11&to=2026-03-11', 1, NONE, ACTIVITY],
    ['from=2028-02-29&to=2028-02-29', 1, NONE, NONE],
  ] as const)
    it(`of ${query} has ${days} days, their totals, and those of as many before`, async () => {
      const found = await stats(`?${query}`);
      assert.equal(found.daily.length, days);
      const people = before === NONE ? NOBODY : PEOPLE;
      assert.deepEqual(found.before, { ...before, people });
      assert.deepEqual(found.totals, { ...INVITES, ...totals });
      assert.deepEqual(found.people, totals === NONE ? NOBODY : PEOPLE);
    });
});

describe('POST /api/svcops/invites', async () => {
  const { ask, begin, each, invite: add, send, store } = await inject();
  const invite = (json: unknown) => send('POST /api/svcops/invites', { as: 'administrator', json });
  const email = 'fine@example.com';
  const refused = (json: unknown, status: number, error: string, headers = {}): Case => [
    'POST /api/svcops/invites',
    'administrator',
    status,
    { error },
    { json, headers },
  ];
  each([
    // What is an address is in test/address.test.ts.
    ...[undefined, 'eve@'].map((email) => refused({ email }, 400, 'invalid_email')),
    ...['x'.repeat(101), 'a\u0000b', 'a\nb', 42, {}, []].map((firstName) =>
      refused({ email, firstName }, 400, 'invalid_first_name'),
    ),
    refused({ email: 'INVITEE@example.com', firstName: 'Other' }, 409, 'already_invited'),
  ]);

  it('has changed nothing when it was refused', () => {
    assert.equal(store.invites.find(email), undefined);
    assert.equal(store.invites.find('invitee@example.com')?.firstName, 'Ada');
  });

  it('invites: 201 with the invite, which names the administrator, and never makes one', async () => {
    const eve = 'eve@xn--bcher-kva.example.com';
    const more = { is_admin: 1, isAdmin: true, invited_by: 'x', invitedBy: 'x' };
    const answer = await invite({ email: ' Eve@Bücher.Example.com', firstName: ' Eve ', ...more });
    assert.equal(answer.status, 201);
    const { ok, invite: made } = answer.json<{ ok: unknown; invite: Record<string, unknown> }>();
    assert.deepEqual(
      [ok, made.email, made.readable, made.firstName, made.isAdmin, made.invitedBy],
      [true, eve, 'eve@bücher.example.com', 'Eve', false, 'administrator@example.com'],
    );
    assert.equal(store.invites.find(eve)?.isAdmin, false);
  });

  it('takes both forms of an international domain for one person', async () => {
    for (const email of ['eve@bücher.example.com', 'eve@xn--bcher-kva.example.com'])
      assert.equal((await invite({ email })).status, 409);
  });

  it('accepts a missing, empty or null first name as none, and one of 100 characters', async () => {
    for (const [i, firstName] of [undefined, '', '  ', null, 'x'.repeat(100)].entries()) {
      const email = `nameless${i}@example.com`;
      assert.equal((await invite({ email, firstName })).status, 201);
      assert.equal(store.invites.find(email)?.firstName, firstName?.trim() || null);
    }
  });

  const former = 'former@example.com';
  for (const [url, json] of [
    ['invites', { email: 'smuggled@example.com' }],
    ['invites/many', { text: 'smuggled@example.com', save: true }],
  ] as const)
    for (const [what, revoke] of [
      ['admin flag', ({ invites }: Writer) => invites.setAdmin(former, false)],
      ['session', ({ sessions }: Writer) => sessions.endAllFor(former)],
    ] as const)
      it(`checks the ${what} of a caller of ${url} again in the transaction`, async () => {
        await add(['former']);
        await store.write(({ invites }) => void invites.setAdmin(former, true));
        const cookie = await begin('former');
        const client = new PassThrough();
        const headers = { 'Content-Type': 'application/json' };
        const reply = ask(`POST /api/svcops/${url}`, { cookie, headers }, client);
        await store.write((writer) => void revoke(writer));
        client.end(JSON.stringify(json));
        assert.equal((await reply).status, 404);
        assert.equal(store.invites.find('smuggled@example.com'), undefined);
      });

  it('accepts one of several concurrent invites of an address', async () => {
    const twins = await Promise.all([1, 2, 3, 4].map(() => invite({ email: 'twin@example.com' })));
    assert.deepEqual(twins.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  });
});
