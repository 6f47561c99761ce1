/** Inviting the people of a list by one request. How a list is read is in lists.test.ts. */
import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { MAX_LIST_BYTES } from '../../../lib/extras/bulk/invite-many.ts';
import type { InviteManyReply } from '../../../lib/extras/bulk/reply.ts';
import { type Case, startService } from '../../support/service.ts';

const NOW = Date.UTC(2026, 2, 10, 12);
mock.timers.enable({ apis: ['Date'], now: NOW });

const { testRequests, send, store } = await startService();

describe('POST /api/svcops/invites/many', () => {
  const MANY = 'POST /api/svcops/invites/many';
  const LONG = {
    headers: { 'Content-Type': 'application/json' },
    body: ' '.repeat(MAX_LIST_BYTES + 1),
  };
  const EMPTY = {
    lines: [],
    read: { address: null, firstName: null },
    ignored: [],
    withoutAddress: 0,
    warning: null,
    added: 0,
  };
  testRequests([
    [MANY, 'invitee', 404, 'Not Found\n', { json: { text: 'x@example.com', save: true } }],
    ...[undefined, null, 3, ['x@example.com']].map(
      (text): Case => [MANY, 'administrator', 400, { error: 'invalid_text' }, { json: { text } }],
    ),
    [MANY, 'administrator', 413, { error: 'body_too_large' }, LONG],
    [MANY, 'administrator', 200, EMPTY, { json: { text: '', save: true } }],
  ]);

  const post = async (json: object) =>
    (await send(MANY, { as: 'administrator', json })).json<InviteManyReply>();

  const LIST = `Vorname;E-Mail
Ada;invitee@example.com
;INVITEE@example.com
Eva;administrator@example.com
Zoë;zoe@gmial.com
Eva;eva@MÜLLER.example.com
Bo;bo at example.com
${'x'.repeat(101)};max@example.com`;

  const LINES = [
    [2, 'invitee@example.com', 'Ada', 'invited', null, null],
    [3, 'invitee@example.com', null, 'refused', 'twice', null],
    [4, 'administrator@example.com', 'Eva', 'renames', null, null],
    [5, 'zoe@gmial.com', 'Zoë', 'new', null, 'gmail.com'],
    [6, 'eva@xn--mller-kva.example.com', 'Eva', 'new', null, null],
    [7, '', 'Bo', 'refused', 'invalid_email', null],
    [8, 'max@example.com', 'x'.repeat(101), 'refused', 'invalid_first_name', null],
  ];

  it('says which columns it reads and ignores, and writes nothing', async () => {
    for (const save of [undefined, false, 'true', 1]) {
      const { lines, added } = await post({ text: LIST, save });
      const shown = lines.map(({ line, email, firstName, status, reason, suggestion }) => {
        return [line, email, firstName, status, reason, suggestion];
      });
      assert.deepEqual([shown, added], [LINES, 0]);
      assert.equal(lines[0]?.text, 'invitee@example.com');
      assert.equal(lines[4]?.readable, 'eva@müller.example.com');
    }
    assert.equal(store.invites.find('zoe@gmial.com'), undefined);
    const { ignored, warning } = await post({ text: 'Name;Firma;E-Mail\nMax M;X;max@example.com' });
    assert.match(`${ignored}: ${warning}`, /^Firma: First names are the first words of “Name”\./);
  });

  it('says which columns it read, and counts rows without an address', async () => {
    const { read, withoutAddress } = await post({ text: 'Vorname;E-Mail\nAda;a@b.com\nBo;' });
    assert.deepEqual(read, { address: 'E-Mail', firstName: 'Vorname' });
    assert.equal(withoutAddress, 1);
  });

  it('finds an older invite by another form of its address', async () => {
    const email = 'zoe\u0308@example.com';
    await store.write(({ invites }) =>
      invites.add({ email, firstName: null, invitedBy: 'cli', invitedAt: 1 }),
    );
    const { lines } = await post({ text: email });
    assert.deepEqual([lines[0]?.email, lines[0]?.status], [email, 'invited']);
    assert.equal(
      (await send('POST /api/svcops/invites', { as: 'administrator', json: { email } })).status,
      409,
    );
  });

  it('looks up no refused line, as a mebibyte may have 250,000', async (t) => {
    const { mock } = t.mock.method(store.invites, 'find');
    const { lines } = await post({ text: 'a@b,'.repeat(1000) });
    assert.equal(lines.length, 1000);
    assert.equal(mock.callCount(), 0);
    mock.restore();
  });

  it('saves the new ones, invited by the caller, and changes nobody else', async () => {
    const text = LIST.replace('gmial.com', 'example.com');
    const { lines, added } = await post({ text, save: true, is_admin: 1, invitedBy: 'x' });
    const status = lines.map((line) => line.status);
    assert.deepEqual([status, added], [LINES.map(([, , , status]) => status), 2]);
    const email = 'zoe@example.com';
    const invitedBy = 'administrator@example.com';
    // The administrator was invited at the moment before.
    const zoe = { email, firstName: 'Zoë', isAdmin: false, invitedBy, invitedAt: NOW + 1 };
    const saved = store.invites.find(email);
    assert.deepEqual(saved, { ...saved, ...zoe });
    assert.equal(store.invites.find(invitedBy)?.firstName, null);
    assert.equal(store.invites.find('max@example.com'), undefined);
    const [change] = (await store.read(({ changes }) => changes.list({ limit: 1, email }))).rows;
    assert.deepEqual([change?.what, change?.by, change?.via], ['invited', invitedBy, 'page']);
    assert.equal((await post({ text, save: true })).added, 0);
  });

  it('gives each save a moment of its own, also in one millisecond', async () => {
    // The clock stands still.
    await post({ text: 'one@example.net\ntwo@example.net', save: true });
    await post({ text: 'three@example.net', save: true });
    const json = { email: 'four@example.net' };
    await send('POST /api/svcops/invites', { as: 'administrator', json });
    const momentOf = (name: string) => store.invites.find(`${name}@example.net`)?.invitedAt;
    assert.equal(momentOf('one'), momentOf('two'));
    const moments = ['one', 'three', 'four'].map(momentOf);
    assert.equal(new Set(moments).size, 3, String(moments));
  });
});
