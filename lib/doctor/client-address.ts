/**
 * Whether the proxy passes each visitor's address to the service, and no visitor can forge it. No
 * reply shows which address the service saw, but a 429 shows that its attempts are used up.
 *
 * So the check comes to the proxy from an address A that no visitor has (in 127.0.0.0/8), uses up
 * A's attempts at the service itself, where any address can be claimed, and then tries once through
 * the proxy while claiming to be B. A 429 means that the proxy has passed A.
 */
import { randomInt } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import os from 'node:os';
import type { TLSSocket } from 'node:tls';
import type { Settings } from '../config.ts';
import { ask, connectToProxy } from './ask.ts';
import { about, type Finding, reason } from './finding.ts';

/** More than the service allows an address in an hour. */
const ATTEMPTS = 31;

const REMEDY =
  'set X-Forwarded-For to the address that the proxy sees, as deploy/Caddyfile and deploy/nginx.conf do';

/** An attempt that can never succeed. */
const NOBODY = { email: '' };

/** Asks the service and the proxy; both must be running. */
export async function checkClientAddress(settings: Settings): Promise<Finding> {
  const { well, fault } = about('address');
  const site = new URL(settings.publicOrigin);
  try {
    const socket = await reachProxy(site);
    const own = socket.localAddress ?? '';
    const forged = randomLoopback();

    if (!(await useUp(settings, own)))
      return fault('the service does not limit logins', 'install it anew');
    const status = await attempt(site, forged, socket);
    if (status === 429)
      return well("the proxy passes each visitor's address, which none can forge");

    await useUp(settings, forged);
    const again = await attempt(site, forged, await reachProxy(site));
    return fault(
      again === 429
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

/** The proxy on this machine, at a loopback address or at the one that the site's name has. */
async function reachProxy(site: URL): Promise<TLSSocket> {
  try {
    return await connectToProxy(site, '127.0.0.1', randomLoopback());
  } catch (error) {
    const { address } = await lookup(site.hostname);
    const own = Object.values(os.networkInterfaces()).flat();
    if (!own.some((each) => each?.address === address && !each.internal)) throw error;
    return connectToProxy(site, address);
  }
}

const attempt = async (site: URL, forged: string, socket: TLSSocket): Promise<number> => {
  const headers = { 'x-forwarded-for': forged };
  return (await ask(new URL('/auth/login', site), { headers, json: NOBODY, socket })).status;
};

/** Uses up an address's attempts at the service itself. @returns false where there is no limit */
async function useUp({ port }: Settings, address: string): Promise<boolean> {
  const url = new URL(`http://127.0.0.1:${port}/auth/login`);
  const headers = { 'x-forwarded-for': address };
  for (let i = 0; i < ATTEMPTS; i += 1)
    if ((await ask(url, { headers, json: NOBODY })).status === 429) return true;
  return false;
}

/** One of the sixteen million loopback addresses, but not one that is in use. */
const randomLoopback = (): string =>
  `127.${randomInt(1, 255)}.${randomInt(0, 255)}.${randomInt(1, 255)}`;
