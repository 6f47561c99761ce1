/** The service behind a proxy, and its visitors, each with a loopback address of its own. */
import https from 'node:https';
import type net from 'node:net';
import { after } from 'node:test';
import tls from 'node:tls';
import { type Options, type Received, send } from '../support/client.ts';
import type { Installation } from '../support/installation.ts';
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

/** Opens a TLS connection to the proxy for raw bytes. Its errors are those of a closed one. */
export const rawConnection = ({ host, https: port, certificate: ca }: RunningProxy) =>
  tls
    .connect({ ...{ host, port, localAddress: '127.0.0.2' }, ca, servername: DOMAIN })
    .on('error', () => undefined);

/** Reads a connection until it is closed or reset. */
export async function untilClosed(socket: net.Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('error', () => undefined).on('data', (chunk) => chunks.push(chunk));
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString('latin1');
}

/**
 * The service and a proxy for the tests of a `describe` block. Ada is an administrator.
 *
 * @param prepare is given the installation before its start
 */
export async function serviceBehind(
  name: Parameters<typeof startProxy>[0],
  options?: Parameters<typeof startProxy>[2],
  prepare?: (site: Installation) => void,
) {
  const site = siteForAll();
  prepare?.(site);
  site.invite('ada@example.com', 'Ada');
  site.setAdmin('ada@example.com');
  const server = await site.start(PRODUCTION);
  const proxy = await startProxy(name, server.port, options);
  after(() => proxy.stop());
  return { site, server, proxy, from: (address: string) => visitor(proxy, address) };
}
