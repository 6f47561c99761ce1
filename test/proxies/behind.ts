/** The service behind a proxy, and its visitors, each with a loopback address of its own. */
import http2 from 'node:http2';
import https from 'node:https';
import type net from 'node:net';
import { after, before } from 'node:test';
import tls from 'node:tls';
import { type Options, type Received, send } from '../support/client.ts';
import { type Installation, install, type Server } from '../support/installation.ts';
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
export const rawConnection = (
  { host, https: port, certificate: ca }: RunningProxy,
  protocol = 'http/1.1',
): tls.TLSSocket =>
  tls
    .connect({
      ...{ host, port, ca, servername: DOMAIN, localAddress: '127.0.0.2' },
      ALPNProtocols: [protocol],
    })
    .on('error', () => undefined);

/** An HTTP/2 connection to the proxy. */
export const http2Connection = (proxy: RunningProxy, settings: http2.Settings = {}) =>
  http2
    .connect(`https://${DOMAIN}`, { createConnection: () => rawConnection(proxy, 'h2'), settings })
    .on('error', () => undefined);

/** Reads a connection until it is closed or reset. */
export async function untilClosed(socket: net.Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('error', () => undefined).on('data', (chunk) => chunks.push(chunk));
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString('latin1');
}

/**
 * Starts the service and a proxy before the tests of a `describe` block, and stops them after. Ada
 * is an administrator.
 *
 * @param prepare is given the installation before its start
 */
export function serviceBehind(
  name: Parameters<typeof startProxy>[0],
  options?: Parameters<typeof startProxy>[2],
  prepare?: (site: Installation) => void,
) {
  let site: Installation;
  let server: Server;
  let proxy: RunningProxy | undefined;

  before(async () => {
    site = install();
    prepare?.(site);
    site.invite('ada@example.com', 'Ada');
    site.setAdmin('ada@example.com');
    server = await site.start(PRODUCTION);
    proxy = await startProxy(name, server.port, options);
  });
  after(async () => {
    await proxy?.stop();
    await site.remove();
  });

  const running = () => {
    if (!proxy) throw new Error('the proxy has not started');
    return proxy;
  };
  return {
    site: () => site,
    server: () => server,
    proxy: running,
    from: (address: string) => visitor(running(), address),
  };
}
