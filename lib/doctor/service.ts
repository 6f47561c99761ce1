/** Checks the service on its port, and at its public address behind the proxy. */
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { TLSSocket } from 'node:tls';
import type { Settings } from '../config.ts';
import { securityHeaders } from '../http/security-headers.ts';

/** Days before a certificate's end by which it should have been renewed. */
const RENEWED = 10;

/** Checks that the service answers on its port. */
export async function checkService({ port }: Settings): Promise<string> {
  const origin = `http://127.0.0.1:${port}`;
  const remedy = 'see journalctl -u guestlist; compare PORT with ListenStream of guestlist.socket';
  const { headers } = await ask(origin, () => remedy);
  if (headers['content-security-policy'] === undefined)
    throw new Error(`another program answers on ${origin}; stop it, or set another PORT`);
  return `it answers on ${origin}`;
}

/** Checks the public address: name, certificate, proxy and headers. */
export async function checkPublic({ publicOrigin, production }: Settings): Promise<string> {
  const { status, headers, certificateEnds } = await ask(publicOrigin, (code) => {
    if (/^(ENOTFOUND|EAI_)/.test(code)) return 'point the name to this machine (A and AAAA)';
    if (/^E(CONN|HOST|NET|TIMED)/.test(code))
      return 'start the proxy; open ports 80 and 443 in the firewall';
    return 'give the proxy a valid certificate for this name';
  });
  const wanted = securityHeaders(production);
  const lost = wanted.find(
    (name, i) => i % 2 === 0 && headers[name.toLowerCase()] !== wanted[i + 1],
  );
  if (lost !== undefined)
    throw new Error(
      `${publicOrigin} answers ${[status, headers.location].join(' ').trim()}, without the ` +
        `service's ${lost}; compare the proxy with deploy/: its port, domain and headers`,
    );
  const answers = `${publicOrigin} answers with the service's headers`;
  if (certificateEnds === undefined) return answers;
  const days = Math.floor((certificateEnds - Date.now()) / 86_400_000);
  const certificate = `its certificate ends in ${days} days`;
  if (days < RENEWED) throw new Error(`${certificate}; see journalctl -u caddy, or certbot renew`);
  return `${answers}; ${certificate}`;
}

/** Sends a GET. @returns `certificateEnds` in epoch ms @throws with the remedy of the error */
async function ask(origin: string, remedy: (code: string) => string) {
  const { get } = origin.startsWith('https:') ? https : http;
  const asking = get(origin, { timeout: 10_000, agent: false });
  asking.on('timeout', () => asking.destroy(new Error('no answer within 10 s')));
  const [response] = await once(asking, 'response').catch(({ message, code = 'ETIMEDOUT' }) => {
    throw new Error(`${origin} cannot be reached: ${message.trim() || code}; ${remedy(code)}`);
  });
  const { statusCode: status, headers, socket }: http.IncomingMessage = response;
  const certificateEnds =
    socket instanceof TLSSocket ? Date.parse(socket.getPeerCertificate().valid_to) : undefined;
  response.destroy();
  return { status, headers, certificateEnds };
}
