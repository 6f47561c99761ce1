/** Checks the service as its proxy reaches it, and as visitors reach it through the proxy. */
import fs from 'node:fs';
import path from 'node:path';
import { root, type Settings } from '../config.ts';
import { ask } from '../http/ask.ts';
import { securityHeaders } from '../http/security-headers.ts';
import type { Site } from '../site/site.ts';
import { fault, type Result, reason } from './finding.ts';

const DAY = 24 * 3_600_000;

/** Certificates are renewed earlier than this before their end, in ms. */
const RENEWED = 10 * DAY;

/** Whether the service answers on its port, with the pages of this installation. */
export async function checkService({ port }: Settings, site: Site | undefined): Promise<Result> {
  const origin = `http://127.0.0.1:${port}`;
  const asked = Promise.all([ask(new URL(origin)), ask(new URL('/entry.js', origin))]);
  const answers = await asked.catch(reason);
  if (typeof answers === 'string')
    return fault(
      `nothing answers on ${origin}: ${answers}`,
      'systemctl restart guestlist; its log: journalctl -u guestlist -n 50',
    );
  const [entry, script] = answers;
  if (entry.headers['content-security-policy'] === undefined)
    return fault(
      `another program answers on ${origin}`,
      'stop it, or set another PORT for the service and its proxy',
    );
  const own = fs.readFileSync(path.join(root, 'pages/everyone/entry.js'));
  return !site || (entry.body.equals(site.pages.entry) && script.body.equals(own))
    ? `it answers on ${origin}`
    : fault(
        'it has read other pages, or another PUBLIC_ORIGIN',
        'systemctl reload guestlist if only the site changed; else systemctl restart guestlist',
      );
}

/** Whether visitors reach the service at its address: name, certificate, proxy and headers. */
export async function checkPublic({ publicOrigin, production }: Settings): Promise<Result> {
  const answer = await ask(new URL(publicOrigin)).catch((error: NodeJS.ErrnoException) => error);
  if (answer instanceof Error) return unreachable(publicOrigin, answer);
  const { status, headers, certificateEnds } = answer;
  if (status >= 500)
    return fault(
      `the proxy answers ${status}: it does not reach the service`,
      'start the service; compare PORT with the port in the configuration of the proxy',
    );
  if (headers.location !== undefined)
    return fault(
      `${publicOrigin} redirects to ${headers.location}`,
      'if that is the site, set PUBLIC_ORIGIN to that domain, then restart the service',
    );
  if (headers['content-security-policy'] === undefined)
    return fault(
      `another site answers at ${publicOrigin}, or the proxy removes the headers of the service`,
      'point the name to this machine, and let the proxy pass all headers; or correct PUBLIC_ORIGIN',
    );
  const expected = securityHeaders(production);
  const changed = expected.find(
    (name, i) => i % 2 === 0 && headers[name.toLowerCase()] !== expected[i + 1],
  );
  if (changed !== undefined)
    return fault(
      `the proxy changes ${changed} to ${JSON.stringify(headers[changed.toLowerCase()]) ?? 'nothing'}`,
      'let the proxy pass the headers of the service, and set none of its own',
    );
  const left = certificateEnds - Date.now();
  return left < RENEWED
    ? fault(
        `the certificate ends in ${Math.floor(left / DAY)} days`,
        'find out why it is not renewed: journalctl -u caddy, or certbot renew',
      )
    : `${publicOrigin} answers with the service's headers`;
}

/** Remedies by the error code. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|EAI_)/, 'point the name to this machine (an A record, and AAAA for IPv6)'],
  [/^(ECONN|EHOST|ENET|ETIMEDOUT)/, 'start the proxy; open ports 80 and 443 in the firewall'],
  [
    /CERT|SIGNATURE|ALTNAME|ISSUER|SELF_SIGNED/,
    'give the proxy a valid certificate for this name; Caddy fetches one by itself, certbot for nginx',
  ],
  [/^/, 'compare PUBLIC_ORIGIN with the configuration of the proxy'],
];

function unreachable(origin: string, error: NodeJS.ErrnoException): Result {
  const message = reason(error);
  const code = error.code ?? message;
  const [, remedy = ''] = REMEDIES.find(([pattern]) => pattern.test(code)) ?? [];
  const shown = message.includes(code) ? message : `${message} (${code})`;
  return fault(`${origin} cannot be reached: ${shown}`, remedy);
}
