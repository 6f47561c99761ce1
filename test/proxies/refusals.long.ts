/** What Caddy and nginx refuse and do not log, with the shipped configurations. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { send } from '../support/client.ts';
import { lacks } from '../support/lacks.ts';
import { serviceBehind, visitor } from './behind.ts';
import { DOMAIN, NOBODY, PROXY_NAMES, startProxy } from './proxy.ts';

/** What each proxy logs of a crash. */
const CRASH = /exited on signal|panic:|fatal error:/;

for (const name of PROXY_NAMES) {
  it(`the logs of ${name} have no query, no referrer and no crash, also if the service is down`, {
    skip: lacks(name),
    timeout: 60_000,
  }, async () => {
    // Caddy writes an access log only if its configuration says so.
    const changes =
      name === 'caddy' ? ([['encode zstd gzip', 'encode zstd gzip\n\tlog']] as const) : [];
    const proxy = await startProxy(name, NOBODY, { changes });
    const line = 'GET /api/svcops/person?email=grace%40example.com';
    const headers = { Host: DOMAIN, Referer: `https://${DOMAIN}/?email=grace%40example.com` };
    const json = { email: 'ada@example.com' };
    for (const [asked, options] of [
      [line, { headers }],
      ['POST /auth/login', { json }],
    ] as const)
      assert.equal((await visitor(proxy)(asked, options)).status, 502);
    const redirect = await send(proxy.insecure, line, { headers });
    assert.equal(redirect.status, 308);
    const logs = await proxy.stop();
    assert.match(logs, /\/api\/svcops\/person\W.*502/);
    assert.doesNotMatch(logs, /grace|email=/);
    assert.doesNotMatch(logs, CRASH);
  });
}

describe('a client of nginx', { skip: lacks('nginx'), timeout: 60_000 }, async () => {
  const shown =
    'set_real_ip_from 127.0.0.0/8; real_ip_header X-Address; return 200 $guestlist_client;';
  const { from } = await serviceBehind('nginx', { changes: [['send_timeout 20s;', shown]] });

  for (const [address, client] of [
    ['192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:'],
    ['2001:db8:1:2::6', '2001:db8:1:2:'],
    ['2001:db8::6', '2001:db8::'],
    ['2001:db8::3:4:5:6', '2001:db8::'],
  ] as const)
    it(`at ${address} is ${client}`, async () => {
      const { text } = await from('127.0.0.2')('GET /', { headers: { 'X-Address': address } });
      assert.equal(text, client);
    });
});
