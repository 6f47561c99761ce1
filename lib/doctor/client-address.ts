/**
 * Whether the proxy passes each client's address to the service, and no client can forge it. No
 * reply shows which address the service saw, but a 429 shows that its attempts are used up.
 *
 * So the check uses a loopback address A, which no visitor has. It uses up A's attempts at the
 * service itself, which believes any claimed address. Then it tries once through the proxy, from A,
 * while claiming to be B. A 429 means that the proxy has passed A.
 */
import { randomInt } from 'node:crypto';
import { LOGIN_LIMIT, type Settings } from '../config.ts';
import { ask } from '../http/ask.ts';
import { fault, type Result, reason } from './finding.ts';

const REMEDY =
  'set X-Forwarded-For to the address that the proxy sees, as deploy/Caddyfile and deploy/nginx.conf do';

/** Asks the service and the proxy. Both must be running. */
export async function checkClientAddress({ port, publicOrigin }: Settings): Promise<Result> {
  const [client, claimed] = [randomLoopback(), randomLoopback()];
  const useUp = async (address: string) => {
    for (let i = 0; i < LOGIN_LIMIT.limit; i += 1)
      await attempt(`http://127.0.0.1:${port}`, address);
  };
  try {
    await useUp(client);
    const status = await attempt(publicOrigin, claimed, client);
    if (status === 429)
      return "the proxy passes each visitor's address, and no visitor can forge it";
    await useUp(claimed);
    return fault(
      (await attempt(publicOrigin, claimed, client)) === 429
        ? 'the proxy passes the address that a visitor claims in X-Forwarded-For: no visitor is limited'
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

/**
 * A login attempt without an email, at the service or the proxy on this machine.
 *
 * @param from the client's loopback address
 * @returns the status
 */
async function attempt(origin: string, claimed: string, from?: string): Promise<number> {
  const url = new URL('/auth/login', origin);
  const { status } = await ask(url, {
    method: 'POST',
    headers: { host: url.host, 'x-forwarded-for': claimed },
    hostname: '127.0.0.1',
    localAddress: from,
    // Another check judges the certificate.
    rejectUnauthorized: false,
  });
  return status;
}

const randomLoopback = (): string =>
  `127.${randomInt(1, 255)}.${randomInt(0, 255)}.${randomInt(1, 255)}`;
