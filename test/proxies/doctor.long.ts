import { describe, it } from 'node:test';
import { type Environment, finds, healthy } from '../support/doctor.ts';
import type { Installation } from '../support/installation.ts';
import { lacks } from '../support/lacks.ts';
import { type ProxyOptions, startProxy } from './proxy.ts';

/** In place of a line of nginx.conf. */
const instead = (line: string): ProxyOptions => ({ changes: [['send_timeout 20s;', line]] });

const MISTAKES: Readonly<Record<string, readonly [ProxyOptions, RegExp]>> = {
  'a certificate for another name': [
    { domain: 'preview.test' },
    /cannot be reached: .*its certificate is for this name/,
  ],
  'a missing security header': [
    instead('proxy_hide_header Strict-Transport-Security;'),
    /answers 200, without the service's Strict-Transport-Security; compare the proxy/,
  ],
  'a redirect to another domain': [
    instead('return 308 https://new.example.com$request_uri;'),
    /answers 308 https:\/\/new\.example\.com\/, without the service's/,
  ],
};

describe('the doctor behind nginx', { skip: lacks('nginx') }, () => {
  for (const [mistake, [options, fault]] of Object.entries(MISTAKES))
    it(`finds ${mistake}`, () =>
      behindNginx(options, (site, env) => finds(site, 'public', fault, env)));

  it('finds a self-signed certificate', () =>
    behindNginx({}, (site, { NODE_EXTRA_CA_CERTS, ...env }) =>
      finds(site, 'public', /self.signed certificate; check/, env),
    ));
});

/** Runs a site without faults behind nginx. */
async function behindNginx(
  options: ProxyOptions,
  look: (site: Installation, env: Environment) => Promise<void>,
): Promise<void> {
  const site = healthy();
  const server = await site.start({ NODE_ENV: 'production' });
  const local = { domain: 'localhost', host: '127.0.0.1' };
  const proxy = await startProxy('nginx', server.port, { ...local, ...options });
  const env = {
    PORT: String(server.port),
    NODE_ENV: 'production',
    PUBLIC_ORIGIN: `https://localhost:${proxy.https}`,
    NODE_EXTRA_CA_CERTS: proxy.certificateFile,
  };
  try {
    await look(site, env);
  } finally {
    await proxy.stop();
    await site.remove();
  }
}
