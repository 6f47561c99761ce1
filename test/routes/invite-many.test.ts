/** A list of people to invite: what each line is, and what one request saves. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MAX_LIST_BYTES } from '../../lib/routes/invite-many.ts';
import type { InviteManyReply } from '../../lib/routes/replies.ts';
import { type Case, inject } from '../support/inject.ts';

const URL = 'POST /api/svcops/invites/many';
const { each, send, store } = await inject();

const EMPTY = { lines: [], ignored: [], warning: null, added: 0 };

async function post(json: unknown) {
  const answer = await send(URL, { as: 'administrator', json });
  assert.equal(answer.status, 200, answer.text);
  return answer.json<InviteManyReply>();
}

const found = (name: string) => store.invites.find(`${name}@example.com`);

const LONG = {
  headers: { 'Content-Type': 'application/json' },
  body: ' '.repeat(MAX_LIST_BYTES + 1),
};
const refused = (json: unknown, error: string): Case => [
  URL,
  'administrator',
  400,
  { error },
  { json },
];

each([
  [URL, 'stranger', 404, 'Not Found\n', { json: { text: 'x@example.com', save: true } }],
  [URL, 'invitee', 404, 'Not Found\n', { json: { text: 'x@example.com', save: true } }],
  ...[undefined, null, 3, ['x@example.com'], {}].map((text) => refused({ text }, 'invalid_text')),
  [URL, 'administrator', 413, { error: 'body_too_large' }, LONG],
  [URL, 'administrator', 200, EMPTY, { json: { text: '', save: true } }],
]);

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

it('each line is new, invited, another name or refused, and nothing is written', async () => {
  for (const save of [undefined, false, 'true', 1]) {
    const { lines, added } = await post({ text: LIST, save });
    const shown = lines.map(({ line, email, firstName, status, reason, suggestion }) => {
      return [line, email, firstName, status, reason, suggestion];
    });
    assert.deepEqual([shown, added], [LINES, 0]);
    assert.equal(lines[0]?.text, 'Ada;invitee@example.com');
    assert.equal(lines[4]?.readable, 'eva@müller.example.com');
  }
  assert.equal(store.invites.find('zoe@gmial.com'), undefined);
});

it('columns that are not read, and a doubt about first names, are named', async () => {
  const text = 'Name;Firma;E-Mail\nMax Mustermann;X;max@example.com';
  const { lines, ignored, warning } = await post({ text });
  assert.deepEqual([lines[0]?.firstName, ignored], ['Max', ['Firma']]);
  assert.match(warning ?? '', /^First names are the first words of “Name”\./);
});

it('the new ones are saved, invited by the caller, and nobody else is changed', async () => {
  const text = LIST.replace('gmial.com', 'example.com');
  const { lines, added } = await post({ text, save: true, is_admin: 1, invitedBy: 'x' });
  const status = lines.map((line) => line.status);
  assert.deepEqual([status, added], [LINES.map(([, , , status]) => status), 2]);
  const { invitedAt, ...zoe } = found('zoe') ?? assert.fail();
  const caller = 'administrator@example.com';
  const expected = { email: 'zoe@example.com', firstName: 'Zoë', isAdmin: false };
  assert.deepEqual(zoe, { ...expected, invitedBy: caller });
  assert.ok(Date.now() - invitedAt < 60_000);
  assert.deepEqual([found('administrator')?.firstName, found('max')], [null, undefined]);
  const email = 'zoe@example.com';
  const [change] = (await store.read(({ changes }) => changes.list({ limit: 1, email }))).rows;
  assert.deepEqual([change?.what, change?.by, change?.via], ['invited', caller, 'page']);
  assert.equal((await post({ text, save: true })).added, 0);
});

it('5,000 lines are saved by one request', async () => {
  const text = Array.from({ length: 5000 }, (_, i) => `crowd${i}@example.com,Ada`).join('\n');
  assert.equal((await post({ text, save: true })).added, 5000);
  assert.ok(found('crowd0') && found('crowd4999'));
});
