/** The doctor behind both proxies: no fault at first, then each mistake in a configuration. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Environment, finds, healthy, runDoctor } from '../support/doctor.ts';
import type { Installation, Server } from '../support/installation.ts';
import { freePort, missing, type ProxyName, type ProxyOptions, startProxy } from './proxy.ts';

for (const name of ['caddy', 'nginx'] as const)
  describe(`doctor, on a site behind ${name},`, { skip: missing(name) }, () => {
    it('finds no fault and exits with 0, also when repeated', () =>
      behind(name, {}, async (site, env) => {
        for (let i = 0; i < 3; i += 1) {
          const { status, stdout } = await runDoctor(site, env);
          assert.equal(status, 0, stdout);
          assert.doesNotMatch(stdout, /FAULT/);
          assert.match(stdout, /^ok {5}address {4}the proxy passes each visitor's address/m);
        }
      }));
  });

describe('doctor, on a proxy,', { skip: missing('nginx') }, () => {
  it('finds that the service does not run', () =>
    behind('nginx', {}, async (site, env, server) => {
      await server.stop();
      await finds(site, 'public', /^the proxy answers 50\d: it does not reach the service/, env);
    }));

  it('finds a self-signed certificate', () =>
    behind('nginx', {}, (site, { NODE_EXTRA_CA_CERTS, ...env }) =>
      finds(site, 'public', /self.signed certificate/, env),
    ));

  it('finds a certificate for another name', () =>
    behind('nginx', { domain: 'preview.test' }, (site, env) =>
      finds(site, 'public', /cannot be reached/, env),
    ));

  it('finds a certificate that expires soon', () =>
    behind('nginx', { days: 5 }, (site, env) =>
      finds(site, 'public', /the certificate ends in [45] days/, env),
    ));

  it('finds a missing security header', () =>
    behind(
      'nginx',
      { mistake: ['send_timeout 20s;', 'proxy_hide_header Strict-Transport-Security;'] },
      (site, env) =>
        finds(site, 'public', /^the proxy changes Strict-Transport-Security to nothing/, env),
    ));

  it('finds a redirect to another domain', () =>
    behind(
      'nginx',
      { mistake: ['send_timeout 20s;', 'return 308 https://new.example.com$request_uri;'] },
      (site, env) => finds(site, 'public', /redirects to https:\/\/new\.example\.com\/$/, env),
    ));

  it('finds another site at the domain', () =>
    behind('nginx', { mistake: ['send_timeout 20s;', 'return 200 "another site";'] }, (site, env) =>
      finds(site, 'public', /^another site answers at https:\/\/localhost/, env),
    ));

  it('finds that a client can forge its address', () =>
    behind(
      'nginx',
      { mistake: ['X-Forwarded-For $remote_addr', 'X-Forwarded-For $http_x_forwarded_for'] },
      (site, env) => finds(site, 'address', /passes the address that a visitor claims/, env),
    ));

  it('finds that client addresses are not passed on', () =>
    behind(
      'nginx',
      { mistake: ['X-Forwarded-For $remote_addr', 'X-Forwarded-For ""'] },
      (site, env) => finds(site, 'address', /does not pass the visitor's address/, env),
    ));
});

/** Runs a site without faults behind a proxy. */
async function behind(
  name: ProxyName,
  options: ProxyOptions,
  look: (site: Installation, env: Environment, server: Server) => Promise<void>,
): Promise<void> {
  const site = healthy();
  const PORT = String(await freePort());
  const proxy = await startProxy(name, Number(PORT), { domain: 'localhost', ...options });
  const env = {
    PORT,
    NODE_ENV: 'production',
    PUBLIC_ORIGIN: `https://localhost:${proxy.https}`,
    NODE_EXTRA_CA_CERTS: proxy.certificateFile,
  };
  try {
    await look(site, env, await site.start(env));
  } finally {
    await proxy.stop();
    await site.remove();
  }
}
