/**
 * Installs Guestlist on a clean Debian by the commands of docs/install.md, behind Caddy and then behind nginx, and runs
 * those of docs/operations.md. It takes some minutes and needs root, so it is not part of npm test: npm run test:install
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../../lib/root.ts';
import { type Block, commandsOf } from './document.ts';
import { bootDebian, type Machine, obstacle } from './machine.ts';

const DOMAIN = 'preview.example.com';
const CERTIFICATE = `/etc/letsencrypt/live/${DOMAIN}`;
const AUTHORITIES = '/etc/ssl/test.pem';
const PUBLIC = `--cacert ${AUTHORITIES} https://${DOMAIN}/`;

const why = obstacle([80, 443, 3000]);
if (why) {
  console.log(`skipped: ${why}`);
  process.exit(0);
}

const machine = await bootDebian();
try {
  standIns(machine);
  const install = commandsOf('docs/install.md');
  const isNginx = ({ heading }: Block) => heading === 'nginx';
  follow(install.filter((block) => !isNginx(block)));
  restartsByItself(machine);
  comesBack('caddy', PUBLIC);
  assert.match(machine.read('systemctl show --property MemoryMax caddy'), /=\d+$/m);
  machine.run('systemctl disable --now caddy');
  follow([
    ...install.filter(isNginx),
    ...install.filter(({ commands }) => /doctor/.test(commands)),
  ]);
  comesBack('nginx', PUBLIC);
  follow(commandsOf('docs/operations.md'));
  machine.run(`export NODE_EXTRA_CA_CERTS=${AUTHORITIES}; guestlist doctor`);
  console.log('docs/install.md and docs/operations.md: every command works as written');
} catch (error) {
  machine.run("journalctl --no-pager -n 40 -u 'guestlist*' -u caddy -u nginx");
  throw error;
} finally {
  await machine.remove();
}

/** What the test has instead of the world outside: a Node, the repository's address, a domain and its certificate. */
function standIns({ folder, run, copy }: Machine): void {
  const node = path.resolve(process.execPath, '..', '..');
  for (const part of ['bin/node', 'include/node', 'lib/node_modules/npm'])
    copy(path.join(node, part), path.join('/usr/local', part));
  run('ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm');
  const npmrc = path.join(os.homedir(), '.npmrc');
  if (fs.existsSync(npmrc)) copy(npmrc, '/root/.npmrc');
  fs.appendFileSync(path.join(folder, 'root/.npmrc'), '\nnodedir=/usr/local\n');

  const { status } = spawnSync('git', [
    'clone',
    '-q',
    '--bare',
    root,
    `${folder}/root/guestlist.git`,
  ]);
  assert.equal(status, 0);
  fs.writeFileSync(
    path.join(folder, 'root/.gitconfig'),
    '[url "/root/guestlist.git"]\n\tinsteadOf = https://git.example.com/guestlist.git\n',
  );
  fs.appendFileSync(path.join(folder, 'etc/hosts'), `127.0.0.1 localhost ${DOMAIN}\n`);

  fs.mkdirSync(path.join(folder, CERTIFICATE), { recursive: true });
  const files = ['-keyout', `${folder}${CERTIFICATE}/privkey.pem`];
  files.push('-out', `${folder}${CERTIFICATE}/fullchain.pem`);
  const made = spawnSync('openssl', [
    ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30'.split(' '),
    ...`-subj /CN=${DOMAIN} -addext subjectAltName=DNS:${DOMAIN}`.split(' '),
    ...files,
  ]);
  assert.equal(made.status, 0);
  run('chmod -R go+rX /etc/letsencrypt');
  // The authorities that this machine trusts beside Node's own, as behind a company's proxy, and the test's.
  const extra = process.env.NODE_EXTRA_CA_CERTS;
  const trusted = [...(extra ? [extra] : []), `${folder}${CERTIFICATE}/fullchain.pem`];
  fs.writeFileSync(
    path.join(folder, AUTHORITIES),
    trusted.map((file) => fs.readFileSync(file, 'utf8')).join('\n'),
  );
}

/** Runs blocks in one shell, printing each command; what is in another's stead comes from `standIns`. */
function follow(blocks: readonly Block[]): void {
  const script = blocks.map(({ heading, line, commands, instead }) =>
    instead === undefined
      ? `echo; echo '## ${heading} (line ${line})'; set -x\n${commands}\n{ set +x; } 2>/dev/null\n${after(commands)}`
      : `echo; echo '## ${heading} (line ${line}): instead, ${instead.replaceAll("'", '')}'`,
  );
  machine.run(
    `domain=${DOMAIN}\nexport NODE_EXTRA_CA_CERTS=${AUTHORITIES}\ncd /root\n${script.join('\n')}`,
  );
}

/** Caddy cannot fetch a certificate here: it takes the one of the test, where its file says that one may. */
function after(commands: string): string {
  if (!commands.includes('/etc/caddy/Caddyfile')) return '';
  return `sed -i 's|# tls .*|tls ${CERTIFICATE}/fullchain.pem ${CERTIFICATE}/privkey.pem|' /etc/caddy/Caddyfile
    systemctl restart caddy`;
}

/** The main process of a unit. */
function mainPid(unit: string): string {
  return machine.read(`systemctl show --value --property MainPID ${unit}`).trim();
}

/** A unit is started again after a crash. @param url where it answers, as arguments of curl */
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

/** The service comes back after a crash; it cannot write outside data/; it is rated below 2.0. */
function restartsByItself({ run, read }: Machine): void {
  comesBack('guestlist', 'http://127.0.0.1:3000/');
  // Not even root can, where the service is.
  run(`inside="nsenter --target ${mainPid('guestlist')} --mount"
    $inside rm "$($inside mktemp /srv/guestlist/data/written.XXXX)"
    for folder in / /etc /var /srv/guestlist; do
      ! $inside mktemp $folder/written.XXXX 2>/dev/null || exit 1
    done`);
  run('systemd-analyze security --threshold=20 guestlist.service | tail -1');
  run('systemd-analyze security --threshold=20 guestlist-backup.service | tail -1');
  assert.match(read('systemctl list-timers --no-pager'), /guestlist-backup\.timer/);
  assert.match(read('ls /srv/guestlist/data/backups'), /^guestlist-.*Z\.db$/m);
}
