/**
 * Installs Guestlist on a clean Debian by the commands of docs/install.md, behind Caddy and then
 * behind nginx, runs those of docs/operations.md, and moves to a second Debian. It takes a quarter
 * of an hour and needs root, so it is not part of npm test: npm run test:install
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Block, commandsOf } from './document.ts';
import { limitsConnections } from './firewall.ts';
import { bootDebian, type Machine, obstacle } from './machine.ts';
import {
  AUTHORITIES,
  CERTIFICATES,
  DOMAIN,
  FAULTS_PORT,
  NEXT_DOMAIN,
  SSH_PORT,
  standIns,
} from './stand-ins.ts';

const PUBLIC = `--cacert ${AUTHORITIES} https://${DOMAIN}/`;

/** The values that an operator replaces in a document. */
const OWN = [
  ['admin=ada@example.com', 'admin=ada@guestlist.test'],
  ['https://ntfy.example.com/guestlist', `http://127.0.0.1:${FAULTS_PORT}/`],
] as const;

/** Shows the content of the owner, and whether the new version is installed. */
const LOOK = `cd /srv/guestlist
  grep tagline data/site/content.json
  ls data/site/images/own.svg
  ls | grep NEWS || true`;

const why = obstacle([80, 443, 3000, SSH_PORT, FAULTS_PORT]);
if (why) {
  console.log(`skipped: ${why}`);
  process.exit(0);
}

const install = commandsOf('docs/install.md');
const operations = commandsOf('docs/operations.md');
const section = (blocks: readonly Block[], headings: RegExp) =>
  blocks.filter(({ heading }) => headings.test(heading));
const before = (heading: string) => operations.findIndex((block) => block.heading === heading);

const copies = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-copies-'));
let machine = await bootDebian();
try {
  standIns(machine);
  follow(section(install, /^(?!nginx)/));
  refusesExamples(machine);
  restartsByItself(machine);
  limitsConnections(machine);
  tellsOfFaults(machine);
  comesBack('caddy', PUBLIC);
  assert.match(machine.read('systemctl show --property MemoryMax caddy'), /=\d+$/m);
  machine.run('systemctl disable --now caddy');
  follow(section(install, /^(nginx|8\.)/));
  comesBack('nginx', PUBLIC);

  follow(operations.slice(0, before('Upgrading')));
  ownContentAndNewVersion(machine);
  follow(operations.slice(before('Upgrading'), before('The way back')));
  assert.match(machine.read(LOOK), /Our own.*\n.*own\.svg\n.*NEWS/);
  follow(
    section(
      operations.slice(before('The way back'), before('On the old machine, if it still runs')),
      /^(?!Caddy)/,
    ),
  );
  assert.match(machine.read(LOOK), /Our own.*\n.*own\.svg\n$/);
  servesNextDomain(machine);
  follow(section(operations, /^(On the old|The disk)/));
  fs.cpSync(path.join(machine.folder, 'home/copies/guestlist'), copies, { recursive: true });
  await machine.remove();

  machine = await bootDebian();
  standIns(machine);
  machine.copy(copies, '/home/copies/guestlist');
  machine.run('chown -R copies /home/copies/guestlist');
  follow(section(install, /^(Installing|[123]\.)/));
  follow(section(operations, /^On the new machine/));
  follow(section(install, /^([478]\.|Caddy)/));
  assert.match(machine.read(LOOK), /Our own.*\n.*own\.svg\n$/);
  assert.match(machine.read('guestlist invite admin list'), /ada@guestlist\.test/);
  follow(section(operations, /^(Another domain|Caddy)/));
  servesNextDomain(machine);
  console.log('docs/install.md and docs/operations.md: every command works as written');
} catch (error) {
  machine.run("journalctl --no-pager -n 60 -u 'guestlist*' -u caddy -u nginx -u ssh");
  throw error;
} finally {
  await machine.remove();
  fs.rmSync(copies, { recursive: true });
}

/** Runs blocks in one shell and prints each command. `standIns` replaces the others. */
function follow(blocks: readonly Block[]): void {
  const script = blocks.map(({ heading, line, commands, instead }) => {
    const title = `echo; echo '## ${heading} (line ${line})'`;
    return instead === undefined
      ? `${title}; set -x\n${owned(commands)}\n{ set +x; } 2>/dev/null\n${after(commands)}`
      : `${title}': instead, ${instead.replaceAll("'", '')}'`;
  });
  // The firewall gets its own network, because this machine shares that of its host.
  machine.run(`domain=${DOMAIN}
    nft() { unshare --net nft "$@"; }
    export NODE_EXTRA_CA_CERTS=${AUTHORITIES}
    cd /root
    ${script.join('\n')}`);
}

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

/** The main process of a unit. */
function mainPid(unit: string): string {
  return machine.read(`systemctl show --value --property MainPID ${unit}`).trim();
}

/** Checks that a unit restarts after a crash. @param url arguments of curl to reach it */
function comesBack(unit: string, url: string): void {
  const before = mainPid(unit);
  machine.run(`kill -KILL ${before}
    sleep 0.5
    for i in $(seq 100); do
      systemctl is-active -q ${unit} && curl -fs ${url} >/dev/null && break
      sleep 0.2
    done
    curl -fs ${url} >/dev/null`);
  assert.notEqual(mainPid(unit), before);
}

/** The documents with their example addresses make no administrator. Tools run with cron's PATH. */
function refusesExamples({ run, read }: Machine): void {
  const [invitation] = section(install, /^6\./);
  for (const admin of ['ada@example.com', 'Ada@Example.COM'])
    assert.throws(() => run(`admin=${admin}\n${invitation?.commands}`));
  const list = read('env -i PATH=/usr/bin:/bin /usr/local/bin/guestlist invite list');
  assert.match(list, /ada@guestlist\.test/);
  assert.doesNotMatch(list, /example\.com/);
}

/** Checks the first message, the message of a fault, and the doctor in its sandbox. */
function tellsOfFaults({ run, read }: Machine): void {
  assert.match(read('cat /root/faults'), /^test failed on /);
  run(`systemctl stop guestlist
    ! systemctl start guestlist-doctor
    for i in $(seq 300); do grep -q 'nothing answers' /root/faults && break; sleep 0.2; done
    systemctl start guestlist
    for i in $(seq 300); do curl -fs http://127.0.0.1:3000/ >/dev/null && break; sleep 0.2; done
    systemctl start guestlist-doctor`);
  assert.match(
    read('cat /root/faults'),
    /^guestlist-doctor\.service failed on .*\n(.*\n)*FAULT +service +nothing answers on /m,
  );
}

/** The owner's site, and a new version that changes the same line of the sample. */
function ownContentAndNewVersion({ run }: Machine): void {
  run(`git clone -q /root/guestlist.git /root/upstream
    cd /root/upstream
    sed -i 's/"tagline": ".*"/"tagline": "The new sample."/' pages/sample/content.json
    echo > NEWS
    git add --all
    git -c user.name=test -c user.email=test@localhost commit -qm 'Change the sample'
    git push -q origin HEAD
    cd /srv/guestlist/data/site
    sed -i 's/"tagline": ".*"/"tagline": "Our own."/' content.json
    cp images/01-window.svg images/own.svg
    guestlist site check
    systemctl reload guestlist
    for i in $(seq 300); do
      journalctl -u guestlist | grep 'reloaded from data/site' && break
      sleep 0.2
    done
    journalctl -u guestlist | grep 'reloaded from data/site'`);
}

/** Checks that the site is at its new domain, and the old one redirects there. */
function servesNextDomain({ run, read }: Machine): void {
  const seen = (url: string) =>
    read(`curl -s --cacert ${AUTHORITIES} -o /dev/null -w '%{http_code} %{redirect_url}' ${url}`);
  // A reload ends before the new configuration answers.
  run(`for i in $(seq 300); do
      curl -s --cacert ${AUTHORITIES} -o /dev/null -w '%{http_code}' https://${DOMAIN}/ | grep -q 308 && break
      sleep 0.2
    done`);
  assert.equal(seen(`https://${DOMAIN}/x?y`), `308 https://${NEXT_DOMAIN}/x?y`);
  assert.equal(seen(`https://${NEXT_DOMAIN}/`), '200 ');
  run(`export NODE_EXTRA_CA_CERTS=${AUTHORITIES}; guestlist doctor`);
}

/** Checks the restart after a crash, the sandbox of the service, and its rating below 2.0. */
function restartsByItself({ run, read }: Machine): void {
  comesBack('guestlist', 'http://127.0.0.1:3000/');
  // In the sandbox, not even root can.
  run(`inside="nsenter --target ${mainPid('guestlist')} --mount"
    $inside rm "$($inside mktemp /srv/guestlist/data/written.XXXX)"
    for folder in / /etc /var /srv/guestlist; do
      ! $inside mktemp $folder/written.XXXX 2>/dev/null || exit 1
    done`);
  for (const unit of ['guestlist', 'guestlist-backup', 'guestlist-doctor'])
    run(`systemd-analyze security --threshold=20 ${unit}.service | tail -1`);
  const timers = read('systemctl list-timers --no-pager');
  assert.match(timers, /guestlist-backup\.timer/);
  assert.match(timers, /guestlist-doctor\.timer/);
  assert.match(read('ls /srv/guestlist/data/backups'), /^guestlist-.*Z\.db$/m);
}
