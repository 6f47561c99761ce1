/** The doctor's check of the public address: that a guest can log in there. */
import { commandFor, installationName, type Settings } from '../../config.ts';
import { securityHeaders } from '../../http/security-headers.ts';
import { SESSION_COOKIE } from '../../routes/guards.ts';
import type { NewSession } from '../../store/sessions.ts';
import { beginTrialSession, endTrialSession } from './trial-session.ts';

export const NO_ORIGIN = 'PUBLIC_ORIGIN is not set; set it to the https address of the site';

const CHECK_WAY =
  'check that the name leads to this machine (A and AAAA), the firewall opens ports 80 and 443, ' +
  'the proxy runs, and its certificate is for this name';

/** Node's codes for a certificate from an unknown authority. */
const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Node 20 knows only its own authorities, not those of the system. */
const TRUST_AUTHORITY =
  'the proxy sends a certificate whose authority this Node does not trust; if it is your own, run: ' +
  `NODE_EXTRA_CA_CERTS=<its certificate> ${commandFor('doctor')}; else see that the proxy sends ` +
  'the whole chain';

/** What the service answers to a login from a page of another site. It does not count it. */
const REFUSAL = JSON.stringify({ error: 'cross_origin' });

/** @param wanted names and values in turn */
function findLostHeader(wanted: readonly string[], headers: Headers): string | undefined {
  for (let i = 0; i < wanted.length; i += 2) {
    const name = wanted[i] ?? '';
    if (headers.get(name) !== wanted[i + 1]) return name;
  }
  return undefined;
}

/**
 * Checks the public address: name, certificate, proxy, headers, and that the service reads and ends
 * a session.
 */
export async function checkPublic(settings: Settings, env: NodeJS.ProcessEnv): Promise<string> {
  const { publicOrigin, production } = settings;
  if (!env.PUBLIC_ORIGIN) throw new Error(NO_ORIGIN);
  const signal = AbortSignal.timeout(10_000);
  const ask = fetch(publicOrigin, { method: 'HEAD', redirect: 'manual', signal });
  const { status, headers } = await ask.catch((error) => {
    const { message, code } = error.cause ?? error;
    const why = `${publicOrigin} cannot be reached: ${message.trim() || code}`;
    // The socket of systemd takes connections also while no service runs.
    if (error.name === 'TimeoutError')
      throw new Error(`${why}; see journalctl -u ${installationName()}, and ${CHECK_WAY}`);
    throw new Error(`${why}; ${UNTRUSTED.has(code) ? TRUST_AUTHORITY : CHECK_WAY}`);
  });
  const lost = findLostHeader(securityHeaders(production), headers);
  if (lost !== undefined) {
    const answer = [status, headers.get('location')].join(' ').trim();
    const running = status >= 500 ? `see journalctl -u ${installationName()}, and ` : '';
    throw new Error(
      `${publicOrigin} answers ${answer}, without the service's ${lost}; ` +
        `${running}compare the proxy with deploy/: its port, domain and headers`,
    );
  }
  await requireLogin(publicOrigin, signal);
  return `${publicOrigin} answers with the service's headers, and accepts a login of this installation`;
}

/**
 * @throws an error if a session of this store is unknown there, as after a move to another machine,
 *   if the service cannot end it, or if the proxy lets no login through
 */
async function requireLogin(publicOrigin: string, signal: AbortSignal): Promise<void> {
  const session = tryToBegin(publicOrigin);
  const cookie = `${SESSION_COOKIE}=${session.token}`;
  const ask = (method: string, path: string, origin = publicOrigin): Promise<Response> => {
    const headers = { cookie, origin };
    return fetch(`${publicOrigin}${path}`, { method, headers, redirect: 'manual', signal });
  };
  try {
    const { status: found } = await ask('GET', '/auth/me');
    if (found !== 200)
      throw new Error(
        `${publicOrigin} answers ${found} to a login of this installation, so it is another one, ` +
          'or the proxy drops cookies; check that the name leads to this machine, and the proxy to ' +
          `PORT; then: systemctl restart ${installationName()}`,
      );
    const refused = await ask('POST', '/auth/login', 'https://guestlist.invalid');
    if ((await refused.text()) !== REFUSAL)
      throw new Error(
        `${publicOrigin} answers ${refused.status} to a login, and not in the service's words; ` +
          'see what the proxy, or a CDN before it, does with POST /auth/login',
      );
    // The service writes here. It may have fewer rights to the store than this process.
    const ended = await ask('POST', '/auth/logout');
    if (ended.status !== 200)
      throw new Error(
        `${publicOrigin} answers ${ended.status} to a logout, as it would to a login; ` +
          `see journalctl -u ${installationName()}`,
      );
    if (!ended.headers.has('set-cookie'))
      throw new Error(
        `${publicOrigin} answers without the service's cookie, so nobody can log in; ` +
          'see which line of the proxy, or of a CDN before it, takes Set-Cookie away',
      );
  } finally {
    endTrialSession(session);
  }
}

/** @throws an error without a cause, because the line `store` names it */
function tryToBegin(publicOrigin: string): NewSession {
  try {
    return beginTrialSession();
  } catch {
    throw new Error(`${publicOrigin} answers, but no login can be tried there; see the line store`);
  }
}
