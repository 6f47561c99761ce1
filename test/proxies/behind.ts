/** The service behind a proxy, and its visitors, each with a loopback address of its own. */
import https from 'node:https';
import { after } from 'node:test';
import { type Options, type Received, send } from '../support/client.ts';
import { siteForAll } from '../support/site.ts';
import { DOMAIN, type RunningProxy, startProxy } from './proxy.ts';

export const PRODUCTION = { NODE_ENV: 'production', PUBLIC_ORIGIN: `https://${DOMAIN}` };

/** Sends a request over one connection: `ask('GET /path')`. */
export type Ask = (line: string, options?: Options) => Promise<Received>;

type Address = Pick<RunningProxy, 'https' | 'certificate'> & Partial<Pick<RunningProxy, 'host'>>;

/** A visitor at a loopback address. */
export function visitor(
  { host = '127.0.0.1', https: port, certificate: ca }: Address,
  localAddress = '127.0.0.2',
): Ask {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1, localAddress, ca });
  return (line, { headers, ...options } = {}) =>
    send(
      `https://${host}:${port}`,
      line,
      { ...options, headers: { Host: DOMAIN, ...headers } },
      agent,
    );
}

/**
 * The service and a proxy for the tests of a `describe` block or a test. Ada is an administrator.
 */
export async function serviceBehind(
  name: Parameters<typeof startProxy>[0],
  options?: Parameters<typeof startProxy>[2],
) {
  const site = siteForAll();
  site.invite('ada@example.com', 'Ada');
  site.setAdmin('ada@example.com');
  const server = await site.start(PRODUCTION);
  const proxy = await startProxy(name, server.port, options);
  after(() => proxy.stop());
  return { server, proxy, from: (address: string) => visitor(proxy, address) };
}
