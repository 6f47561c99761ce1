/** A person with an international domain: stored in ASCII, found in both forms, shown readable. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { logIn, send } from '../support/client.ts';
import type { Server } from '../support/installation.ts';
import { siteForAll } from '../support/site.ts';
import { toolsOn } from '../support/tools.ts';

const EVA = 'eva@bücher.example.com';
const EVA_ASCII = 'eva@xn--bcher-kva.example.com';
const ROOT = 'root@example.com';

describe('a person with an international domain', () => {
  const site = siteForAll();
  const { says, withInput } = toolsOn(site.store);
  let server: Server;
  let cookie: string;
  before(async () => {
    site.invite(ROOT);
    site.setAdmin(ROOT);
    server = await site.start();
    cookie = await logIn(server.origin, ROOT);
  });

  type Row = { readonly email: string; readonly readable?: string };
  type List = 'invites' | 'events' | 'changes' | 'clicks' | 'summary';
  const get = async (query: string) =>
    (await send(server.origin, `GET /api/svcops/${query}`, { cookie })).json<
      Readonly<Record<List, readonly Row[]>> & { readonly person: Row }
    >();

  it('invited by the tool, logs in with both forms, and with marks around them', async () => {
    assert.equal(await says(`invite add ${EVA} Eva`), `${EVA} is invited\n`);
    for (const email of [EVA_ASCII, EVA, `\u200b \u2068${EVA}\u2069\ufeff`]) {
      const session = await logIn(server.origin, email);
      const me = await send(server.origin, 'GET /auth/me', { cookie: session });
      assert.deepEqual(me.json(), { email: EVA_ASCII, firstName: 'Eva' });
      await send(server.origin, 'POST /api/project-join', { cookie: session });
    }
  });

  it('is one person for the import and for the administrator page, in both forms', async () => {
    const list = await withInput(`${EVA_ASCII}\n${EVA}\n`, 'invite add --from -');
    assert.match(list.stdout, /^0 invited; 1 already invited.*; 1 twice in the list$/m);
    for (const email of [EVA, EVA_ASCII]) {
      const again = await send(server.origin, 'POST /api/svcops/invites', {
        cookie,
        json: { email },
      });
      assert.equal(again.status, 409);
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
    const others = (await get('invites?q=root')).invites;
    assert.deepEqual(
      others.map(({ readable }) => readable),
      [undefined],
    );
    const json = { email: 'zoe@bücher.example.com' };
    const reply = await send(server.origin, 'POST /api/svcops/invites', { cookie, json });
    assert.equal(reply.json<{ invite: Row }>().invite.readable, json.email);
  });

  it('is found by the tools in both forms and shown readable; JSON has the stored form', async () => {
    assert.equal((await says(`joins for ${EVA}`)).split(EVA).length, 4);
    for (const call of [
      'invite list',
      'joins summary',
      `events for ${EVA_ASCII}`,
      'events summary',
    ]) {
      const printed = await says(call);
      assert.ok(printed.includes(EVA) && !printed.includes(EVA_ASCII), call);
    }
    for (const call of [`person export ${EVA}`, 'invite list --json'])
      assert.ok((await says(call)).includes(EVA_ASCII), call);
    assert.match(await says(`invite admin add ${EVA}`), new RegExp(`^${EVA} is now`));
    assert.match(await says(`invite remove ${EVA}`), new RegExp(`^${EVA} is no longer`));
  });
});
