/** Looks at the service as its proxy sees it, and as visitors see it through the proxy. */
import fs from 'node:fs';
import path from 'node:path';
import { root, type Settings } from '../config.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { loadPages, type Pages } from '../site/render.ts';
import { type Answer, ask } from './ask.ts';
import { about, type Finding, reason } from './finding.ts';

/** A certificate that ends within this time should have been renewed, in ms: ten days. */
const RENEWED = 10 * 24 * 3_600_000;

const DAY = 24 * 3_600_000;

/** The content, as the next start would read it; the pages are `undefined` where it would fail. */
export function checkContent(publicOrigin: string): {
  readonly findings: readonly Finding[];
  readonly pages: Pages | undefined;
} {
  const { well, fault } = about('content');
  try {
    const pages = loadPages(publicOrigin);
    const { warnings } = pages;
    const said = warnings.length > 0 ? warnings : ['pages/content.json and its images are fine'];
    return { findings: said.map((message) => well(message)), pages };
  } catch (error) {
    const remedy = 'correct it, or the next start of the service fails: see docs/content.md';
    const mistakes = reason(error).split('\n');
    return { findings: mistakes.map((each) => fault(each, remedy)), pages: undefined };
  }
}

/** Whether the service answers on its port, with the pages that lie in this installation. */
export async function checkService({ port }: Settings, pages: Pages | undefined): Promise<Finding> {
  const { well, fault } = about('service');
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
  const current =
    !pages ||
    (answer.body.equals(pages.entry) &&
      script.body.equals(fs.readFileSync(path.join(root, 'pages/everyone/entry.js'))));
  return current
    ? well(`it answers on ${origin}`)
    : fault(
        'it was started with other pages than lie here now, or with another PUBLIC_ORIGIN',
        'systemctl restart guestlist, so that it reads them again',
      );
}

/** Whether visitors reach the service at its address: name, certificate, proxy and headers. */
export async function checkPublic({ publicOrigin, production }: Settings): Promise<Finding> {
  const { well, fault } = about('public');
  let answer: Answer;
  try {
    answer = await ask(new URL(publicOrigin));
  } catch (error) {
    return unreachable(publicOrigin, error);
  }
  if (answer.status >= 500)
    return fault(
      `the proxy answers ${answer.status}: it does not reach the service`,
      'start the service; compare PORT with the port in the configuration of the proxy',
    );
  const { location } = answer.headers;
  if (location !== undefined)
    return fault(
      `${publicOrigin} leads on to ${location}`,
      'if visitors come there, set PUBLIC_ORIGIN to that domain, then restart the service',
    );
  if (answer.headers['content-security-policy'] === undefined)
    return fault(
      `another site answers at ${publicOrigin}, or a proxy that leaves out the headers of the service`,
      'let the name lead to this machine, and the proxy pass it on with all headers; or correct PUBLIC_ORIGIN',
    );
  const expected = securityHeaders(production);
  for (let i = 0; i + 1 < expected.length; i += 2) {
    const [name = '', value] = expected.slice(i, i + 2);
    const came = answer.headers[name.toLowerCase()];
    if (came === value) continue;
    return fault(
      `${name} does not arrive as the service sends it, but ${came === undefined ? 'not at all' : JSON.stringify(came)}`,
      'let the proxy pass on the headers of the service, and set none of its own',
    );
  }
  const left = (answer.certificateEnds ?? Number.POSITIVE_INFINITY) - Date.now();
  const days = Math.floor(left / DAY);
  return left < RENEWED
    ? fault(
        `the certificate ends in ${days} days`,
        'see why it is not renewed: journalctl -u caddy, or certbot renew',
      )
    : well(`${publicOrigin} answers with the service's headers`);
}

/** Remedies by what the error code begins with. */
const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/^(ENOTFOUND|EAI_)/, 'let the name point to this machine (an A record, and AAAA for IPv6)'],
  [/^(ECONN|EHOST|ENET|ETIMEDOUT)/, 'start the proxy; open ports 80 and 443 in the firewall'],
  [
    /CERT|SIGNATURE|ALTNAME|ISSUER|SELF_SIGNED/,
    'give the proxy a valid certificate for this name; Caddy fetches one by itself, certbot for nginx',
  ],
];

function unreachable(origin: string, error: unknown): Finding {
  const message = reason(error);
  const code = String((error as NodeJS.ErrnoException).code ?? message);
  const [, remedy] = REMEDIES.find(([pattern]) => pattern.test(code)) ?? [];
  return about('public').fault(
    `${origin} cannot be reached: ${message}${message.includes(code) ? '' : ` (${code})`}`,
    remedy ?? 'compare PUBLIC_ORIGIN with the configuration of the proxy',
  );
}
