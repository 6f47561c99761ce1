/** Looks at the service as its proxy sees it, and as visitors see it through the proxy. */
import fs from 'node:fs';
import path from 'node:path';
import { root, type Settings } from '../config.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { loadSite, type Site, siteFolder } from '../site/site.ts';
import { type Answer, ask } from './ask.ts';
import { fault, type Result, reason } from './finding.ts';

const DAY = 24 * 3_600_000;

/** Certificates are renewed earlier than this before their end, in ms. */
const RENEWED = 10 * DAY;

/** Checks the content as a start would; the site is `undefined` if the start would fail. */
export function checkContent(publicOrigin: string): {
  readonly results: readonly Result[];
  readonly site: Site | undefined;
} {
  try {
    const site = loadSite(siteFolder(), publicOrigin);
    const { warnings } = site;
    return { results: warnings.length > 0 ? warnings : [`${site.folder} is fine`], site };
  } catch (error) {
    const remedy = 'correct it, or the next start of the service fails: see docs/content.md';
    const mistakes = reason(error).split('\n');
    return { results: mistakes.map((mistake) => fault(mistake, remedy)), site: undefined };
  }
}

/** Whether the service answers on its port, with the pages of this installation. */
export async function checkService({ port }: Settings, site: Site | undefined): Promise<Result> {
  const origin = `http://127.0.0.1:${port}`;
  let answer: Answer;
  let script: Answer;
  try {
    answer = await ask(new URL(origin));
    script = await ask(new URL('/entry.js', origin));
  } catch (error) {
    return fault(
      `nothing answers on ${origin}: ${reason(error)}`,
      'systemctl restart guestlist; what stopped it: journalctl -u guestlist -n 50',
    );
  }
  if (answer.headers['content-security-policy'] === undefined)
    return fault(
      `another program answers on ${origin}`,
      'end it, or choose another PORT, in the proxy too',
    );
  const own = fs.readFileSync(path.join(root, 'pages/everyone/entry.js'));
  return !site || (answer.body.equals(site.pages.entry) && script.body.equals(own))
    ? `it answers on ${origin}`
    : fault(
        'it sends other pages than lie here now, or has another PUBLIC_ORIGIN',
        'systemctl reload guestlist; after an upgrade: systemctl restart guestlist',
      );
}

/** Whether visitors reach the service at its address: name, certificate, proxy and headers. */
export async function checkPublic({ publicOrigin, production }: Settings): Promise<Result> {
  let answer: Answer;
  try {
    answer = await ask(new URL(publicOrigin));
  } catch (error) {
    return unreachable(publicOrigin, error);
  }
  const { status, headers, certificateEnds } = answer;
  if (status >= 500)
    return fault(
      `the proxy answers ${status}: it does not reach the service`,
      'start the service; compare PORT with the port in the configuration of the proxy',
    );
  if (headers.location !== undefined)
    return fault(
      `${publicOrigin} leads on to ${headers.location}`,
      'if visitors come there, set PUBLIC_ORIGIN to that domain, then restart the service',
    );
  if (headers['content-security-policy'] === undefined)
    return fault(
      `another site answers at ${publicOrigin}, or a proxy that leaves out the headers of the service`,
      'let the name lead to this machine, and the proxy pass it on with all headers; or correct PUBLIC_ORIGIN',
    );
  const expected = securityHeaders(production);
  const changed = expected.find(
    (name, i) => i % 2 === 0 && headers[name.toLowerCase()] !== expected[i + 1],
  );
  if (changed !== undefined) {
    const arrived = JSON.stringify(headers[changed.toLowerCase()]) ?? 'not at all';
    return fault(
      `${changed} does not arrive as the service sends it, but ${arrived}`,
      'let the proxy pass on the headers of the service, and set none of its own',
    );
  }
  const left = certificateEnds - Date.now();
  return left < RENEWED
    ? fault(
        `the certificate ends in ${Math.floor(left / DAY)} days`,
        'see why it is not renewed: journalctl -u caddy, or certbot renew',
      )
    : `${publicOrigin} answers with the service's headers`;
}

/** Remedies by the error code. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|EAI_)/, 'let the name point to this machine (an A record, and AAAA for IPv6)'],
  [/^(ECONN|EHOST|ENET|ETIMEDOUT)/, 'start the proxy; open ports 80 and 443 in the firewall'],
  [
    /CERT|SIGNATURE|ALTNAME|ISSUER|SELF_SIGNED/,
    'give the proxy a valid certificate for this name; Caddy fetches one by itself, certbot for nginx',
  ],
  [/^/, 'compare PUBLIC_ORIGIN with the configuration of the proxy'],
];

function unreachable(origin: string, error: unknown): Result {
  const message = reason(error);
  const code = String((error as NodeJS.ErrnoException).code ?? message);
  const [, remedy = ''] = REMEDIES.find(([pattern]) => pattern.test(code)) ?? [];
  const shown = message.includes(code) ? message : `${message} (${code})`;
  return fault(`${origin} cannot be reached: ${shown}`, remedy);
}
