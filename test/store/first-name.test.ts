/** First names in rows that another program wrote: how every reader shows them. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sessionCookie } from '../support/client.ts';
import { queryOne, withDatabase } from '../support/database.ts';
import { recordJoin, recordView } from '../support/rows.ts';
import { startService } from '../support/service.ts';
import { toolsOn } from '../support/tools.ts';

const BIDI = /[\u202a-\u202e\u2066-\u2069]/;
const STORED = '\u202eA\u2066d\u2069a\u202c';

const { file, invite, send, store } = await startService();
const { withInput } = toolsOn(file);
await invite(['turned'], ['nameless']);
await store.write((writer) => {
  recordView(writer, 'turned@example.com', Date.now());
  recordJoin(writer, 'turned@example.com', Date.now());
});
withDatabase(file, (db) => {
  const set = db.prepare('update invites set first_name = ? where email = ?');
  set.run(STORED, 'turned@example.com');
  set.run('\u2067 \u2069', 'nameless@example.com');
});

const login = (name: string) =>
  send('POST /auth/login', { json: { email: `${name}@example.com` } });

it('a greeting leaves out bidirectional controls of a stored first name', async () => {
  const reply = await login('turned');
  assert.equal(reply.json().firstName, 'Ada');
  const me = await send('GET /auth/me', { cookie: sessionCookie(reply) });
  assert.equal(me.json().firstName, 'Ada');
});

it('a stored first name of bidirectional controls alone is none', async () => {
  const reply = await login('nameless');
  assert.equal(reply.json().firstName, null);
  const me = await send('GET /auth/me', { cookie: sessionCookie(reply) });
  assert.equal(me.json().firstName, null);
});

const URLS = [
  'invites',
  'invites?q=ada',
  'invites?sort=firstName&order=asc',
  'invites?did=join',
  'invites?format=csv', // extra: export
  'invites?letters=invitation&format=csv', // extra: letters
  'invites?letters=reminder&format=csv', // extra: letters
  'person?email=turned@example.com',
  'joins',
  'joins?of=clicks&format=csv', // extra: export
  'joins?of=summary&format=csv', // extra: export
];
for (const url of URLS)
  it(`GET /api/svcops/${url} has the first name without them`, async () => {
    const { status, text } = await send(`GET /api/svcops/${url}`, { as: 'administrator' });
    assert.equal(status, 200);
    assert.match(text, /\bAda\b/);
    assert.doesNotMatch(text, BIDI);
  });

// extra: bulk
it('the plain name of a list renames nobody', async () => {
  const json = { text: 'turned@example.com,Ada' };
  const reply = await send('POST /api/svcops/invites/many', { as: 'administrator', json });
  assert.match(reply.text, /"status":"invited"/);
});
// end: bulk

const CALLS = [
  'invite list',
  'invite list --csv', // extra: export
  'invite list --json',
  'invite list --letters invitation --csv', // extra: letters
  'joins list',
  'joins summary --csv', // extra: export
  'joins for turned@example.com',
  'person export turned@example.com', // extra: erasure
];
for (const call of CALLS)
  it(`${call} prints the first name without them`, async () => {
    const { stdout: printed } = await withInput('', call);
    assert.match(printed, /\bAda\b/);
    assert.doesNotMatch(printed, BIDI);
  });

it('the row stays as it is', () => {
  const stored = queryOne(
    file,
    "select first_name from invites where email = 'turned@example.com'",
  );
  assert.equal(stored, STORED);
});
