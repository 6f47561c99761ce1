/** Checks the service on its port, and at its public address behind the proxy. */
import type { Settings } from '../config.ts';
import { securityHeaders } from '../http/security-headers.ts';

/** Checks that the service answers on its port. */
export async function checkService({ port }: Settings): Promise<string> {
  const origin = `http://127.0.0.1:${port}`;
  const remedy = 'see journalctl -u guestlist; compare PORT with ListenStream of guestlist.socket';
  const { headers } = await ask(origin, () => remedy);
  if (!headers.has('content-security-policy'))
    throw new Error(`another program answers on ${origin}; stop it, or set another PORT`);
  return `it answers on ${origin}`;
}

/** Checks the public address: name, certificate, proxy and headers. */
export async function checkPublic({ publicOrigin, production }: Settings): Promise<string> {
  const { status, headers } = await ask(publicOrigin, (code) => {
    // 23 is that of AbortSignal.timeout.
    if (/^(ENOTFOUND|EAI_)/.test(code)) return 'point the name to this machine (A and AAAA)';
    if (/^(E(CONN|HOST|NET|TIMED)|UND_ERR|23$)/.test(code))
      return 'start the proxy; open ports 80 and 443 in the firewall';
    return 'give the proxy a valid certificate for this name';
  });
  const wanted = securityHeaders(production);
  const lost = wanted.find((name, i) => i % 2 === 0 && headers.get(name) !== wanted[i + 1]);
  if (lost !== undefined)
    throw new Error(
      `${publicOrigin} answers ${[status, headers.get('location')].join(' ').trim()}, without ` +
        `the service's ${lost}; compare the proxy with deploy/: its port, domain and headers`,
    );
  return `${publicOrigin} answers with the service's headers`;
}

/** Sends a GET. @throws with the remedy of the error */
async function ask(origin: string, remedy: (code: string) => string): Promise<Response> {
  const signal = AbortSignal.timeout(10_000);
  const response = await fetch(origin, { redirect: 'manual', signal }).catch((error) => {
    const { message, code } = error.cause ?? error;
    const reason = message.trim() || code;
    throw new Error(`${origin} cannot be reached: ${reason}; ${remedy(String(code))}`);
  });
  await response.body?.cancel();
  return response;
}
