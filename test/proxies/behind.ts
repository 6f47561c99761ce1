/** The service behind a proxy, for the tests of one `describe` block. */
import { after, before } from 'node:test';
import { type Installation, install, type Server } from '../support/installation.ts';
import { type Visitor, visitor } from './client.ts';
import { DOMAIN, freePort, type ProxyName, type RunningProxy, startProxy } from './proxy.ts';

/**
 * Starts both before the tests of the block, and stops them after. Ada is an administrator.
 *
 * @param prepare is given the installation before its start
 */
export function serviceBehind(name: ProxyName, prepare?: (site: Installation) => void) {
  let site: Installation;
  let server: Server;
  let proxy: RunningProxy;
  const visitors: Visitor[] = [];

  before(async () => {
    site = install();
    prepare?.(site);
    site.invite('ada@example.com', 'Ada');
    site.setAdmin('ada@example.com');
    server = await site.start({
      PORT: String(await freePort()),
      NODE_ENV: 'production',
      PUBLIC_ORIGIN: `https://${DOMAIN}`,
    });
    proxy = await startProxy(name, server.port);
  });
  after(async () => {
    for (const one of visitors) one.close();
    await proxy?.stop();
    await site.remove();
  });

  return {
    site: () => site,
    server: () => server,
    proxy: () => proxy,
    /** A visitor at a loopback address. */
    from(address: string): Visitor {
      const one = visitor(proxy, address);
      visitors.push(one);
      return one;
    },
  };
}
