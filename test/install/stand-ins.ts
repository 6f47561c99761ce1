/**
 * Replaces the outside world for the installation test: the archive, the address of the repository,
 * two domains with a certificate, the machine for copies, and the receiver of faults.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../../lib/config.ts';
import type { Machine } from './machine.ts';

export const DOMAIN = 'preview.example.com';
export const NEXT_DOMAIN = 'launch.example.com';
export const CERTIFICATES = '/etc/letsencrypt/live';
export const AUTHORITIES = '/etc/ssl/test.pem';
export const SSH_PORT = 2222;
export const FAULTS_PORT = 8025;

/** A Node for the test's own programs, which the commands of the documents do not find. */
export const NODE = '/root/node';

/** Prepares a machine for an installation from git. @param commit the newest in the repository */
export function gitStandIns({ folder, run, copy }: Machine, commit = 'HEAD'): void {
  const node = path.resolve(process.execPath, '..', '..');
  for (const part of ['bin/node', 'include/node', 'lib/node_modules/npm'])
    copy(path.join(node, part), path.join('/usr/local', part));
  run('ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm');
  const npmrc = path.join(os.homedir(), '.npmrc');
  if (fs.existsSync(npmrc)) copy(npmrc, '/root/.npmrc');
  fs.appendFileSync(path.join(folder, 'root/.npmrc'), '\nnodedir=/usr/local\n');

  const repository = path.join(folder, 'root/guestlist.git');
  execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', repository]);
  execFileSync('git', ['-C', root, 'push', '-q', repository, `${commit}:refs/heads/main`]);
  fs.writeFileSync(
    path.join(folder, 'root/.gitconfig'),
    '[url "/root/guestlist.git"]\n\tinsteadOf = https://git.example.com/guestlist.git\n',
  );
  // Each npm ci compiles better-sqlite3 again.
  run(`apt-get update
    apt-get install -y --no-install-recommends ccache
    for compiler in cc c++ gcc g++; do ln -s /usr/bin/ccache /usr/local/bin/$compiler; done`);
}

/** Gives a machine the archive, two domains with certificates, and a Node for the test. */
export function standIns({ folder, run, copy }: Machine): void {
  copy(process.execPath, NODE);
  const dist = path.join(root, 'dist');
  for (const name of fs.readdirSync(dist)) copy(path.join(dist, name), path.join('/root', name));
  fs.appendFileSync(
    path.join(folder, 'etc/hosts'),
    `127.0.0.1 localhost ${DOMAIN} ${NEXT_DOMAIN}\n`,
  );

  // One for each name: Caddy does not accept one certificate for two sites.
  const certificates = [DOMAIN, NEXT_DOMAIN].map((name) => {
    const live = path.join(folder, CERTIFICATES, name);
    fs.mkdirSync(live, { recursive: true });
    execFileSync('openssl', [
      ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30'.split(' '),
      ...`-subj /CN=${name} -addext subjectAltName=DNS:${name}`.split(' '),
      ...['-keyout', path.join(live, 'privkey.pem')],
      ...['-out', path.join(live, 'fullchain.pem')],
    ]);
    return path.join(live, 'fullchain.pem');
  });
  run('chmod -R go+rX /etc/letsencrypt');
  // More certificate authorities for Node: those of this machine and of the test.
  const extra = process.env.NODE_EXTRA_CA_CERTS;
  const trusted = [...(extra ? [extra] : []), ...certificates];
  fs.writeFileSync(
    path.join(folder, AUTHORITIES),
    trusted.map((file) => fs.readFileSync(file, 'utf8')).join('\n'),
  );
  const doctor = path.join(folder, 'etc/systemd/system/guestlist-doctor.service.d');
  fs.mkdirSync(doctor);
  fs.writeFileSync(
    path.join(doctor, 'test.conf'),
    `[Service]\nEnvironment=NODE_EXTRA_CA_CERTS=${AUTHORITIES}\n`,
  );
}

/** Gives a machine what the other documents need: a machine for copies, and a receiver of faults. */
export function neighbours({ folder, run }: Machine): void {
  // backup.example.com, the machine for the copies, is this one, with a login for root.
  fs.mkdirSync(path.join(folder, 'etc/ssh/sshd_config.d'), { recursive: true });
  fs.writeFileSync(
    path.join(folder, 'etc/ssh/sshd_config.d/test.conf'),
    `Port ${SSH_PORT}\nListenAddress 127.0.0.1\n`,
  );
  run(`apt-get update
    apt-get install -y --no-install-recommends openssh-server openssh-client rsync iproute2
    useradd --create-home --shell /bin/sh copies
    install -d -m 0700 /root/.ssh
    printf 'Host backup.example.com\\nHostName 127.0.0.1\\nPort ${SSH_PORT}\\n' > /root/.ssh/config
    ssh-keygen -q -t ed25519 -N '' -f /root/.ssh/id_ed25519
    install -D -m 0644 /root/.ssh/id_ed25519.pub /home/copies/.ssh/authorized_keys
    ssh -o StrictHostKeyChecking=accept-new copies@backup.example.com true`);
  // Writes each message to a file.
  run(`systemd-run --unit=faults ${NODE} -e "require('http').createServer((request, response) => {
      const file = require('fs').createWriteStream('/root/faults', { flags: 'a' });
      request.pipe(file).on('finish', () => response.end());
    }).listen(${FAULTS_PORT}, '127.0.0.1')"`);
}
