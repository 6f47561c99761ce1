/** A person with an international domain: stored in ASCII, found in both forms, shown readable. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { logIn, send } from '../support/client.ts';
import { siteForAll } from '../support/site.ts';
import { toolsOn } from '../support/tools.ts';

const EVA = 'eva@bücher.example.com';
const EVA_ASCII = 'eva@xn--bcher-kva.example.com';

const site = siteForAll();
const { says, withInput } = toolsOn(site.store);
site.invite('root@example.com');
site.setAdmin('root@example.com');
const { origin } = await site.start();
const cookie = await logIn(origin, 'root@example.com');
const invite = (email: string) =>
  send(origin, 'POST /api/svcops/invites', { cookie, json: { email } });

describe('a person with an international domain', () => {
  type Row = { readonly email: string; readonly readable?: string };
  type List = 'invites' | 'events' | 'changes' | 'clicks' | 'summary';
  const get = async (query: string) =>
    (await send(origin, `GET /api/svcops/${query}`, { cookie })).json<
      Readonly<Record<List, readonly Row[]>> & { readonly person: Row }
    >();

  it('invited by the tool, logs in with both forms, and with marks around them', async () => {
    assert.ok((await says(`invite add ${EVA} Eva`)).startsWith(`${EVA} is invited\n`));
    for (const email of [EVA_ASCII, EVA, `\u200b \u2068${EVA}\u2069\ufeff`]) {
      const session = await logIn(origin, email);
      const me = await send(origin, 'GET /auth/me', { cookie: session });
      assert.deepEqual(me.json(), { email: EVA_ASCII, firstName: 'Eva' });
      await send(origin, 'POST /api/project-join', { cookie: session });
    }
  });

  it('is one person for the import and for the administrator page, in both forms', async () => {
    const list = await withInput(`${EVA_ASCII}\n${EVA}\n`, 'invite add --file -');
    assert.match(list.stdout, /^0 invited; 1 already invited.*; 1 duplicate$/m);
    for (const email of [EVA, EVA_ASCII]) {
      assert.equal((await invite(email)).status, 409);
      const query = encodeURIComponent(email);
      assert.equal((await get(`person?email=${query}`)).person.email, EVA_ASCII);
      assert.equal((await get(`events?email=${query}`)).events.length, 3);
      assert.equal((await get(`joins?email=${query}`)).clicks.length, 3);
      assert.equal((await get(`invites?q=${query}`)).invites.length, 1);
    }
  });

  it('has the readable form beside the stored one in each row of the page', async () => {
    const [joins, person] = await Promise.all([get('joins'), get(`person?email=${EVA_ASCII}`)]);
    const { invites } = await get('invites?q=eva');
    const { events } = await get('events');
    const { changes } = await get('changes');
    const rows = [invites, events, changes, joins.clicks, joins.summary, [person.person]];
    for (const row of rows.map(([newest]) => newest))
      assert.deepEqual([row?.email, row?.readable], [EVA_ASCII, EVA]);
    assert.equal((await get('invites?q=root')).invites[0]?.readable, undefined);
    const zoe = 'zoe@bücher.example.com';
    assert.equal((await invite(zoe)).json<{ invite: Row }>().invite.readable, zoe);
  });

  it('is found by the tools in both forms and shown readable; JSON has the stored form', async () => {
    assert.equal((await says(`joins for ${EVA}`)).split(EVA).length, 4);
    const lists = ['invite list', 'joins summary', 'events summary', `events for ${EVA_ASCII}`];
    for (const call of lists) {
      const printed = await says(call);
      assert.ok(printed.includes(EVA) && !printed.includes(EVA_ASCII), call);
    }
    for (const call of [`person export ${EVA}`, 'invite list --json'])
      assert.ok((await says(call)).includes(EVA_ASCII), call);
    assert.match(await says(`invite admin add ${EVA}`), new RegExp(`^${EVA} is now`));
    assert.match(await says(`invite remove ${EVA}`), new RegExp(`^${EVA} is no longer`));
  });
});
