/** International domains: stored in ASCII, accepted in both forms, shown in readable form. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { normalizeEmail, readableEmail } from '../../lib/store/rows/normalize.ts';
import { readable } from '../../pages/svcops/readable.ts';
import { logIn, send } from '../support/client.ts';
import type { Server } from '../support/installation.ts';
import { siteForAll } from '../support/site.ts';

const EVA = 'eva@bücher.example.com';
const EVA_ASCII = 'eva@xn--bcher-kva.example.com';
const ROOT = 'root@example.com';

describe('an address', () => {
  const ASCII: Readonly<Record<string, string>> = {
    ' Eva@BÜCHER.Example.com ': EVA_ASCII,
    'eva@XN--BCHER-KVA.example.com': EVA_ASCII,
    'eva@bu\u0308cher.example.com': EVA_ASCII,
    'eva@bücher。example．com': EVA_ASCII,
    'eva@ｅｘａｍｐｌｅ．com': 'eva@example.com',
    'eva@faß.example.com': 'eva@xn--fa-hia.example.com',
    'éva@例え.テスト': 'éva@xn--r8jz45g.xn--zckzah',
    'eva@💩.example.com': 'eva@xn--ls8h.example.com',
    'eva@bücher.example.com.': `${EVA_ASCII}.`,
  };
  for (const [typed, ascii] of Object.entries(ASCII))
    it(`${typed} is stored as ${ascii}`, () => assert.equal(normalizeEmail(typed), ascii));

  for (const domain of '1.2 0x7f.1 1.2.3.4 [::1.2] foo.1 b.example/c.d b.ex%61mple b.example?c b.example:80 xn--a.com example.com. a..b a_b.com'.split(
    ' ',
  ))
    it(`eva@${domain}, already in ASCII, is stored and shown unchanged`, () => {
      assert.equal(normalizeEmail(`eva@${domain}`), `eva@${domain}`);
      assert.equal(readableEmail(`eva@${domain}`), `eva@${domain}`);
    });

  for (const domain of '１.２ ①.②． ü.1 ü.example/x.y ü.ex%61mple ü.example?x ü.example#x ü.example\\x ü.example:80 a\u200db.com \u0301a.com xn--ü.com \u00ad.com a.\u00ad'.split(
    ' ',
  ))
    it(`eva@${domain} is invalid, because its domain has no ASCII form`, () =>
      assert.equal(normalizeEmail(`eva@${domain}`), undefined));

  it('has at most 254 characters in ASCII', () => {
    const room = 254 - EVA_ASCII.length;
    assert.equal(normalizeEmail(`${'a'.repeat(room)}${EVA}`)?.length, 254);
    assert.equal(normalizeEmail(`${'a'.repeat(room + 1)}${EVA}`), undefined);
    assert.equal(normalizeEmail(`eva@${'\u00ad'.repeat(508)}bücher.example.com`), undefined);
  });

  it('is shown readable if that is the same address, by the server and by the page', () => {
    const SHOWN = {
      [EVA_ASCII]: EVA,
      'eva@xn--fa-hia.xn--zckzah': 'eva@faß.テスト',
      'eva@xn--ls8h.example.com': 'eva@💩.example.com',
      'eva@xn--4dbrk0ce.example.com': 'eva@ישראל.example.com',
      'eva@xn--1ugz855p6kd.example.com': 'eva@xn--1ugz855p6kd.example.com',
      'eva@xn--a.com': 'eva@xn--a.com',
      'eva@xn--99999999999.com': 'eva@xn--99999999999.com',
      'eva@xn--.com': 'eva@xn--.com',
      'eva@xn--bcher-kva.example.com/x.y': 'eva@xn--bcher-kva.example.com/x.y',
      'xn--bcher-kva@example.com': 'xn--bcher-kva@example.com',
      'eva@example.com': 'eva@example.com',
    };
    for (const [email, shown] of Object.entries(SHOWN)) {
      assert.equal(readableEmail(email), shown);
      assert.equal(readable(email), shown);
    }
    assert.deepEqual([readableEmail('cli'), readable('cli')], ['cli', 'cli']);
  });
});

describe('a person with an international domain', () => {
  const site = siteForAll();
  let server: Server;
  let cookie: string;
  before(async () => {
    site.tool('invite', 'add', ROOT);
    site.tool('invite', 'admin', 'add', ROOT);
    server = await site.start();
    cookie = await logIn(server.origin, ROOT);
  });

  type Lists = Readonly<Record<'invites' | 'events' | 'clicks', readonly unknown[]>>;
  const get = async (query: string) =>
    (await send(server.origin, `GET /api/svcops/${query}`, { cookie })).json<
      Lists & { readonly person: { readonly email: string } }
    >();

  it('invited by the tool in readable form, logs in with both forms', async () => {
    const { stdout } = site.tool('invite', 'add', EVA, 'Eva');
    assert.equal(stdout, `${EVA} is invited\n`);
    for (const email of [EVA_ASCII, EVA]) {
      const session = await logIn(server.origin, email);
      const me = await send(server.origin, 'GET /auth/me', { cookie: session });
      assert.deepEqual(me.json(), { email: EVA_ASCII, firstName: 'Eva' });
      await send(server.origin, 'POST /api/project-join', { cookie: session });
    }
  });

  it('is one person for the import and for the administrator page, in both forms', async () => {
    const list = site.toolWithInput(`${EVA_ASCII}\n${EVA}\n`, 'invite', 'add', '--from', '-');
    assert.match(list.stdout, /^0 invited; 2 already invited/);
    for (const email of [EVA, EVA_ASCII]) {
      const again = await send(server.origin, 'POST /api/svcops/invites', {
        cookie,
        json: { email },
      });
      assert.equal(again.status, 409);
      const query = encodeURIComponent(email);
      assert.equal((await get(`person?email=${query}`)).person.email, EVA_ASCII);
      assert.equal((await get(`events?email=${query}`)).events.length, 2);
      assert.equal((await get(`joins?email=${query}`)).clicks.length, 2);
      assert.equal((await get(`invites?q=${query}`)).invites.length, 1);
    }
  });

  it('is found by the tools in both forms and shown readable; JSON has the stored form', () => {
    const { stdout } = site.tool('joins', 'for', EVA);
    assert.deepEqual([stdout.split(EVA).length, stdout.includes(EVA_ASCII)], [3, false]);
    for (const [tool, ...args] of [
      ['invite', 'list'],
      ['joins', 'summary'],
      ['events', 'for', EVA_ASCII],
      ['events', 'summary'],
    ] as const) {
      const { stdout } = site.tool(tool, ...args);
      assert.ok(stdout.includes(EVA) && !stdout.includes(EVA_ASCII), args.join(' '));
    }
    for (const [tool, ...args] of [
      ['person', 'export', EVA],
      ['invite', 'list', '--json'],
    ] as const)
      assert.ok(site.tool(tool, ...args).stdout.includes(EVA_ASCII), args.join(' '));
    assert.match(site.tool('invite', 'admin', 'add', EVA).stdout, new RegExp(`^${EVA} is now`));
    assert.match(site.tool('invite', 'remove', EVA).stdout, new RegExp(`^${EVA} is no longer`));
  });
});
