/** The logs of the proxies contain no query of an administrator, because it has email addresses. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { describe, it } from 'node:test';
import { install } from '../support/installation.ts';
import { visitor } from './client.ts';
import {
  DOMAIN,
  freePort,
  missing,
  type ProxyName,
  type ProxyOptions,
  startProxy,
} from './proxy.ts';

/** Caddy writes an access log only if its configuration says so. */
const LOGGING: Record<ProxyName, ProxyOptions> = {
  caddy: { mistake: ['encode zstd gzip', 'encode zstd gzip\n\tlog'] },
  nginx: {},
};

for (const name of ['caddy', 'nginx'] as const)
  describe(`the logs of ${name}`, { skip: missing(name) }, () => {
    it('contain no query and no referrer, also if the service does not answer', async () => {
      const site = install();
      const server = await site.start({ PORT: String(await freePort()) });
      const proxy = await startProxy(name, server.port, LOGGING[name]);
      const { ask, close } = visitor(proxy);
      let logs = '';
      const path = '/api/svcops/person?email=grace%40example.com';
      const headers = { host: DOMAIN, referer: `https://${DOMAIN}${path}` };
      try {
        assert.equal((await ask({ path, headers })).status, 404);
        const [redirect] = await once(
          http.get({ host: '127.0.0.1', port: proxy.http, path, headers }),
          'response',
        );
        redirect.resume();
        assert.equal(redirect.statusCode, 308);
        await server.stop();
        assert.equal((await ask({ path, headers })).status, 502);
      } finally {
        close();
        logs = await proxy.stop();
        await site.remove();
      }
      assert.match(logs, /\/api\/svcops\/person\W.*404/);
      assert.match(logs, /\/api\/svcops\/person\W.*502/);
      assert.doesNotMatch(logs, /grace|email=/);
    });
  });
