/** A clean Debian with the package in /root, a domain with a certificate, and what tests do with it. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../lib/config.ts';
import { launchBrowser } from '../browser/chromium.ts';
import { visitor } from '../proxies/behind.ts';
import { startLoad } from '../proxies/load.ts';
import { DOMAIN, makeCertificate } from '../proxies/proxy.ts';
import { type Block, commandsOf } from './document.ts';
import { bootDebian, makeDebian, obstacle } from './machine.ts';

export const ADMIN = 'ada@guestlist.test';

const CERTIFICATES = `/etc/letsencrypt/live/${DOMAIN}`;

const dist = path.join(root, 'dist');
const [name = ''] = fs.existsSync(dist)
  ? fs.readdirSync(dist).filter((file) => file.endsWith('_amd64.deb'))
  : [];

/** The package. */
export const deb = path.join(dist, name);

/** Why nothing can be installed here, or `false`. */
export const lacking =
  obstacle([80, 443, 3000]) ?? (name === '' && 'needs dist/: npm run release -- amd64');

export const version = name.split('_')[1];

/** @param folder a temporary one; DEBIAN may name a folder of debootstrap, which takes a minute */
export async function openDebian(folder: string) {
  const base = process.env.DEBIAN ?? path.join(folder, 'base');
  if (!fs.existsSync(base)) makeDebian(base);
  const machine = await bootDebian(base);
  const { run } = machine;
  const certificate = makeCertificate(folder, DOMAIN);
  const copy = (from: string, to: string) => fs.cpSync(from, path.join(machine.folder, to));
  for (const file of fs.readdirSync(dist)) copy(path.join(dist, file), `root/${file}`);
  copy(path.join(folder, 'certificate.pem'), `${CERTIFICATES}/fullchain.pem`);
  copy(path.join(folder, 'key.pem'), `${CERTIFICATES}/privkey.pem`);
  await run(`chmod -R go+rX /etc/letsencrypt
    cp ${CERTIFICATES}/fullchain.pem /usr/local/share/ca-certificates/preview.crt
    update-ca-certificates
    cp /root/${name} /root/this.deb
    echo '127.0.0.1 localhost ${DOMAIN}' >> /etc/hosts`);

  const install = (file: string) => `apt-get install -y --allow-downgrades /root/${file}.deb`;
  const clicks = async () => JSON.parse(await run('guestlist joins stats --json')).clicks;

  return {
    ...machine,
    base,
    clicks,
    /** The command that installs `this`, the package of dist/, or a variant of it. */
    install,
    /** Makes a package of another version, with a change of the program. */
    variant: (number: string, change: string) =>
      run(`rm -rf /root/tree
        dpkg-deb -R /root/this.deb /root/tree
        sed -i 's/^Version: .*/Version: ${number}/' /root/tree/DEBIAN/control
        cd /root/tree/usr/lib/guestlist
        sed -i 's/"version": ".*"/"version": "${number}"/' package.json
        migration=sql/$(printf %03d $(($(ls sql/0* | wc -l) + 1)))-more.sql
        ${change}
        dpkg-deb -Znone -b /root/tree /root/${number}.deb`),
    /** Runs the commands of a document, with the test's domain and person. */
    follow: (document: string, headings: RegExp) => {
      const blocks = commandsOf(document).filter(({ heading }) => headings.test(heading));
      assert.ok(blocks.length > 0, String(headings));
      const names = `domain=${DOMAIN} admin=${ADMIN}`;
      return run([names, ...blocks.map(script)].join('\n'));
    },
    /** Runs commands while visitors join. @returns what they said, the counts, and stored joins */
    underLoad: async (commands: string) => {
      const before = await clicks();
      const asks = Array.from({ length: 8 }, () => visitor({ https: 443, certificate }));
      const { stop } = await startLoad(asks, ADMIN);
      const said = await run(commands).finally(stop);
      const counts = await stop();
      console.log(JSON.stringify({ ...counts, failed: counts.failed.length }));
      return { said, counts, stored: (await clicks()) - before };
    },
  };
}

/** The administrator logs in, joins, and finds themselves on the administrator page. */
export async function browse(): Promise<void> {
  const map = `--host-resolver-rules=MAP ${DOMAIN} 127.0.0.1`;
  const browser = await launchBrowser([map, '--ignore-certificate-errors']);
  const page = await browser.newPage();
  await page.goto(`https://${DOMAIN}/`);
  await page.getByLabel(/email/i).fill(ADMIN);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/timeline*');
  await page.locator('#join').click();
  await page.goto(`https://${DOMAIN}/svcops`);
  await page.getByRole('link', { name: ADMIN }).first().waitFor();
  await browser.close();
}

/** The commands of a block. Caddy cannot get a certificate here, so it uses that of the test. */
function script({ commands, instead }: Block): string {
  if (instead !== undefined) return '';
  const own = commands.replace(/^domain=.*/m, `domain=${DOMAIN}`).replace('ada@example.com', ADMIN);
  const tls = `tls ${CERTIFICATES}/fullchain.pem ${CERTIFICATES}/privkey.pem`;
  return commands.includes('> /etc/caddy/Caddyfile')
    ? `${own}\nsed -i 's|# tls .*|${tls}|' /etc/caddy/Caddyfile; systemctl restart caddy`
    : own;
}
