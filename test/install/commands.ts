/** Runs the commands of the documents in a machine. */
import type { Block } from './document.ts';
import type { Machine } from './machine.ts';
import { AUTHORITIES, CERTIFICATES, DOMAIN, FAULTS_PORT, NEXT_DOMAIN } from './stand-ins.ts';

const ADMIN = 'ada@guestlist.test';

/** The values that an operator replaces in a document. */
const OWN = [
  ['ada@example.com', ADMIN],
  ['https://ntfy.example.com/guestlist', `http://127.0.0.1:${FAULTS_PORT}/`],
] as const;

/** Runs blocks in one shell and prints each command. `standIns` replaces the others. */
export function follow({ run }: Machine, blocks: readonly Block[]): void {
  const script = blocks.map(({ heading, line, commands, instead }) => {
    const title = `echo; echo '## ${heading} (line ${line})'`;
    return instead === undefined
      ? `${title}; set -x\n${owned(commands)}\n{ set +x; } 2>/dev/null\n${after(commands)}`
      : `${title}': instead, ${instead.replaceAll("'", '')}'`;
  });
  // The firewall gets its own network, because this machine shares that of its host.
  run(`domain=${DOMAIN}
    admin=${ADMIN}
    nft() { unshare --net nft "$@"; }
    export NODE_EXTRA_CA_CERTS=${AUTHORITIES}
    cd /root
    ${script.join('\n')}`);
}

/** As `follow`, until the site answers. @returns how long it took, in ms */
export function followToSite(machine: Machine, blocks: readonly Block[]): number {
  const began = performance.now();
  follow(machine, blocks);
  machine.run(`curl -fs --retry 60 --retry-all-errors --retry-delay 1 -o /dev/null ${PUBLIC}`);
  return performance.now() - began;
}

/** The arguments of curl for the site. */
export const PUBLIC = `--cacert ${AUTHORITIES} https://${DOMAIN}/`;

function owned(commands: string): string {
  return OWN.reduce((text, [example, own]) => text.replaceAll(example, own), commands);
}

/** Caddy cannot get a certificate here, so it uses that of the test. */
function after(commands: string): string {
  if (!commands.includes('/etc/caddy/Caddyfile')) return '';
  const tls = `tls ${CERTIFICATES}/${DOMAIN}/fullchain.pem ${CERTIFICATES}/${DOMAIN}/privkey.pem`;
  return `sed -i -e 's|# tls .*|${tls}|' -e 's|^\\tredir https://${NEXT_DOMAIN}|\\t${tls}\\n&|' /etc/caddy/Caddyfile
    systemctl restart caddy`;
}
