/** Invites by the administrator page. */
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import type { Writer } from '../../lib/store/open.ts';
import { type Case, inject } from '../support/inject.ts';

const { ask, begin, each, invite: add, send, store } = await inject();

const invite = (json: unknown) => send('POST /api/svcops/invites', { as: 'administrator', json });

describe('POST /api/svcops/invites', () => {
  const email = 'fine@example.com';
  const refused = (json: unknown, status: number, error: string, headers = {}): Case => [
    'POST /api/svcops/invites',
    'administrator',
    status,
    { error },
    { json, headers },
  ];
  each([
    ...[undefined, '', 'eve', 'eve@', 'eve@example', '[]', '@b@example.com'].map((wrong) =>
      refused({ email: wrong }, 400, 'invalid_email'),
    ),
    ...['x'.repeat(101), 'a\u0000b', 'a\nb', 42, {}, []].map((firstName) =>
      refused({ email, firstName }, 400, 'invalid_first_name'),
    ),
    refused({ email: 'INVITEE@example.com', firstName: 'Other' }, 409, 'already_invited'),
    refused({ email }, 403, 'cross_origin', { Origin: 'https://evil.example' }),
    refused({ email }, 415, 'unsupported_media_type', { 'Content-Type': 'text/plain' }),
    refused([{ email }], 400, 'invalid_json'),
  ]);

  it('has changed nothing when it was refused', () => {
    assert.equal(store.invites.find(email), undefined);
    assert.equal(store.invites.find('invitee@example.com')?.firstName, 'Ada');
  });

  it('invites: 201 with the invite, which names the administrator, and never makes one', async () => {
    const more = { is_admin: 1, isAdmin: true, invited_by: 'x', invitedBy: 'x' };
    const answer = await invite({ email: ' Eve@Example.com', firstName: ' Eve ', ...more });
    assert.equal(answer.status, 201);
    const { ok, invite: made } = answer.json<{ ok: unknown; invite: Record<string, unknown> }>();
    assert.deepEqual(
      [ok, made.email, made.firstName, made.isAdmin, made.invitedBy],
      [true, 'eve@example.com', 'Eve', false, 'administrator@example.com'],
    );
    assert.equal(store.invites.find('eve@example.com')?.isAdmin, false);
    const login = { json: { email: 'eve@example.com' } };
    assert.equal((await send('POST /auth/login', login)).status, 200);
  });

  it('accepts a missing, empty or null first name as none, and one of 100 characters', async () => {
    for (const [i, firstName] of [undefined, '', '  ', null, 'x'.repeat(100)].entries()) {
      const email = `nameless${i}@example.com`;
      assert.equal((await invite({ email, firstName })).status, 201);
      assert.equal(store.invites.find(email)?.firstName, firstName?.trim() || null);
    }
  });

  const former = 'former@example.com';
  for (const [what, revoke] of [
    ['admin flag', ({ invites }: Writer) => invites.setAdmin(former, false)],
    ['session', ({ sessions }: Writer) => sessions.endAllFor(former)],
  ] as const)
    it(`checks the ${what} again in the transaction`, async () => {
      await add(['former']);
      await store.write(({ invites }) => void invites.setAdmin(former, true));
      const cookie = await begin('former');
      const client = new PassThrough();
      const headers = { 'Content-Type': 'application/json' };
      const reply = ask('POST /api/svcops/invites', { cookie, headers }, client);
      await store.write((writer) => void revoke(writer));
      client.end('{"email":"smuggled@example.com"}');
      assert.equal((await reply).status, 404);
      assert.equal(store.invites.find('smuggled@example.com'), undefined);
    });

  it('accepts one of several concurrent invites of an address', async () => {
    const twins = await Promise.all([1, 2, 3, 4].map(() => invite({ email: 'twin@example.com' })));
    assert.deepEqual(twins.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  });
});
