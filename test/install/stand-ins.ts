/**
 * Replaces the outside world for the installation test: Node, the address of the repository, two
 * domains with a certificate, the machine for copies, and the receiver of faults.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
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

/** Prepares a machine for the commands of the documents. */
export function standIns({ folder, run, copy }: Machine): void {
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
  fs.appendFileSync(
    path.join(folder, 'etc/hosts'),
    `127.0.0.1 localhost ${DOMAIN} ${NEXT_DOMAIN}\n`,
  );

  // One for each name: Caddy does not accept one certificate for two sites.
  const certificates = [DOMAIN, NEXT_DOMAIN].map((name) => {
    const live = path.join(folder, CERTIFICATES, name);
    fs.mkdirSync(live, { recursive: true });
    const made = spawnSync('openssl', [
      ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30'.split(' '),
      ...`-subj /CN=${name} -addext subjectAltName=DNS:${name}`.split(' '),
      ...['-keyout', path.join(live, 'privkey.pem')],
      ...['-out', path.join(live, 'fullchain.pem')],
    ]);
    assert.equal(made.status, 0);
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
  run(`systemd-run --unit=faults node -e "require('http').createServer((request, response) => {
      const file = require('fs').createWriteStream('/root/faults', { flags: 'a' });
      request.pipe(file).on('finish', () => response.end());
    }).listen(${FAULTS_PORT}, '127.0.0.1')"`);
}
