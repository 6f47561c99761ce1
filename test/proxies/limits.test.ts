/** What Caddy and nginx refuse, with the shipped configurations: large bodies and slow clients. */
import assert from 'node:assert/strict';
import net from 'node:net';
import { describe, it } from 'node:test';
import { serviceBehind } from './behind.ts';
import { rawConnection, untilClosed } from './client.ts';
import { DOMAIN, missing, PROXY_NAMES } from './proxy.ts';

/** In ms. Without the shipped settings a slow client is dropped after a minute, or never. */
const SHIPPED = 50_000;

for (const name of PROXY_NAMES) {
  describe(`behind ${name}`, { skip: missing(name), concurrency: true }, () => {
    const { proxy, from } = serviceBehind(name);

    it('refuses a body over 16 KiB', async () => {
      const json = { email: 'x'.repeat(20_000) };
      const answer = await from('127.0.0.4').ask({ path: '/auth/logout', json });
      // Caddy 2.6 reports this limit as a fault of the service.
      assert.ok([413, 502].includes(answer.status), String(answer.status));
    });

    it('refuses an endless chunked body', async () => {
      const socket = rawConnection(proxy());
      const closed = untilClosed(socket);
      socket.write(
        `POST /auth/logout HTTP/1.1\r\nHost: ${DOMAIN}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
      );
      const chunk = `2000\r\n${' '.repeat(0x2000)}\r\n`;
      for (let sent = 0; sent < 200 && !socket.destroyed; sent += 1) {
        const drained = new Promise((resolve) => socket.once('drain', resolve));
        if (!socket.write(chunk)) await Promise.race([drained, closed]);
      }
      // A reset can overtake the reply.
      assert.match(await closed, /^(HTTP\/1\.1 (413|502) |$)/);
    });

    for (const scheme of ['http', 'https'] as const)
      it(`drops a client with slow headers on ${scheme}`, { timeout: SHIPPED }, async () => {
        const socket = scheme === 'https' ? rawConnection(proxy()) : net.connect(proxy().http);
        const closed = untilClosed(socket);
        socket.write(`GET / HTTP/1.1\r\nHost: ${DOMAIN}\r\n`);
        const drip = setInterval(() => socket.writable && socket.write('X-Slow: 1\r\n'), 1000);
        await closed;
        clearInterval(drip);
      });

    it('drops a client with a slow body', { timeout: SHIPPED }, async () => {
      const socket = rawConnection(proxy());
      const closed = untilClosed(socket);
      socket.write(
        `POST /auth/logout HTTP/1.1\r\nHost: ${DOMAIN}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
      );
      await closed;
    });
  });
}
