/** What Caddy and nginx refuse and do not log, with the shipped configurations. */
import assert from 'node:assert/strict';
import net from 'node:net';
import { describe, it } from 'node:test';
import tls from 'node:tls';
import { send } from '../support/client.ts';
import { lacks } from '../support/lacks.ts';
import { serviceBehind, visitor } from './behind.ts';
import { DOMAIN, IMPATIENT, NOBODY, PROXY_NAMES, startProxy } from './proxy.ts';

/** Larger than a proxy takes. */
const BODY = { email: 'x'.repeat(2 ** 20) };

const HEAD = `POST /auth/logout HTTP/1.1\r\nHost: ${DOMAIN}\r\nContent-Type: application/json\r\n`;

/** What slow clients send first, and then ten times a second. */
const SLOW = [
  ['slow headers', 'http', HEAD, 'X-Slow: 1\r\n'],
  ['slow headers', 'https', HEAD, 'X-Slow: 1\r\n'],
  ['a slow body', 'https', `${HEAD}Content-Length: 100\r\n\r\n{`, ''],
] as const;

/** What each proxy logs of a crash. */
const CRASH = /exited on signal|panic:|fatal error:/;

for (const name of PROXY_NAMES) {
  describe(`${name}, with limits of a second,`, {
    skip: lacks(name),
    timeout: 60_000,
  }, async () => {
    const { proxy, from } = await serviceBehind(name, IMPATIENT);

    it('refuses a body over 1 MiB', async () => {
      const { status } = await from('127.0.0.4')('POST /auth/logout', { json: BODY });
      // Caddy 2.6 reports this limit as a fault of the service.
      assert.ok([413, 502].includes(status), String(status));
    });

    for (const [what, scheme, first, then] of SLOW)
      it(`drops a client with ${what} on ${scheme}`, async () => {
        const { hostname: host, port } = new URL(proxy.insecure);
        const secure = { host, port: proxy.https, ca: proxy.certificate, servername: DOMAIN };
        const socket = scheme === 'https' ? tls.connect(secure) : net.connect(Number(port), host);
        socket.on('error', () => undefined).resume();
        socket.write(first);
        const drip = setInterval(() => socket.writable && socket.write(then), 100);
        await new Promise((resolve) => socket.once('close', resolve));
        clearInterval(drip);
      });
  });

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
