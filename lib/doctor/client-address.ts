/**
 * Whether the proxy passes each client's address to the service, and no client can forge it. No
 * reply shows which address the service saw, but a 429 shows that its attempts are used up.
 *
 * So the check uses a loopback address A, which no visitor has. It uses up A's attempts at the
 * service itself, which believes any claimed address, and then tries once through the proxy, from
 * A, while claiming to be B. A 429 means that the proxy has passed A.
 */
import { randomInt } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import os from 'node:os';
import { LOGIN_LIMIT, type Settings } from '../config.ts';
import { ask } from './ask.ts';
import { fault, type Result, reason } from './finding.ts';

const REMEDY =
  'set X-Forwarded-For to the address that the proxy sees, as deploy/Caddyfile and deploy/nginx.conf do';

/** The addresses of a connection to the proxy on this machine. */
type Connection = { readonly hostname: string; readonly localAddress: string };

/** Asks the service and the proxy; both must be running. */
export async function checkClientAddress({ port, publicOrigin }: Settings): Promise<Result> {
  const service = `http://127.0.0.1:${port}`;
  try {
    const proxy = await findProxy(publicOrigin);
    if (!(await useUp(service, proxy.localAddress)))
      return fault('the service does not limit logins', 'install it anew');
    const claimed = randomLoopback();
    const status = await attempt(publicOrigin, claimed, proxy);
    if (status === 429) return "the proxy passes each visitor's address, which none can forge";
    await useUp(service, claimed);
    return fault(
      (await attempt(publicOrigin, claimed, proxy)) === 429
        ? 'the proxy believes the address that a visitor claims in X-Forwarded-For: nobody is limited'
        : `the proxy does not pass the visitor's address (status ${status}): all share one limit`,
      REMEDY,
    );
  } catch (error) {
    return fault(
      `cannot be checked: ${reason(error)}`,
      'start the proxy on this machine, listening on all its addresses',
    );
  }
}

/** The proxy at a loopback address, or at the address that the site's name has on this machine. */
async function findProxy(origin: string): Promise<Connection> {
  const local = { hostname: '127.0.0.1', localAddress: randomLoopback() };
  try {
    await attempt(origin, local.localAddress, local);
    return local;
  } catch (error) {
    const { address } = await lookup(new URL(origin).hostname);
    const own = Object.values(os.networkInterfaces()).flat();
    if (!own.some((each) => each?.address === address && !each.internal)) throw error;
    return { hostname: address, localAddress: address };
  }
}

/** A login attempt that cannot succeed. @returns the status */
async function attempt(origin: string, claimed: string, connection?: Connection): Promise<number> {
  const url = new URL('/auth/login', origin);
  const headers = { host: url.host, 'x-forwarded-for': claimed };
  // Another check judges the certificate.
  const options = { ...connection, headers, json: { email: '' }, rejectUnauthorized: false };
  return (await ask(url, options)).status;
}

/** Uses up an address's attempts at the service itself. @returns false if there is no limit */
async function useUp(service: string, address: string): Promise<boolean> {
  for (let i = 0; i <= LOGIN_LIMIT.limit; i += 1)
    if ((await attempt(service, address)) === 429) return true;
  return false;
}

const randomLoopback = (): string =>
  `127.${randomInt(1, 255)}.${randomInt(0, 255)}.${randomInt(1, 255)}`;
