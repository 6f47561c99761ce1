/**
 * What the installation test has instead of the world outside: the archive, the repository's address,
 * two domains with a certificate, a machine for the copies, and an address to which faults are sent.
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

/** A Node for the test's own programs, which the commands of the documents do not find. */
export const NODE = '/root/node';

/** Prepares a machine for the commands of docs/install-from-git.md. */
export function gitStandIns({ folder, run, copy }: Machine): void {
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
}

/** Prepares a machine for the commands of the other documents. */
export function standIns({ folder, run, copy }: Machine): void {
  copy(process.execPath, NODE);
  const dist = path.join(root, 'dist');
  for (const name of fs.readdirSync(dist)) copy(path.join(dist, name), path.join('/root', name));
  fs.appendFileSync(
    path.join(folder, 'etc/hosts'),
    `127.0.0.1 localhost ${DOMAIN} ${NEXT_DOMAIN}\n`,
  );

  // One for each name: Caddy does not take the same certificate for two sites.
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
  // Authorities beside Node's own: those of this machine, as behind a company's proxy, and the test's.
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

  // The machine for the copies, backup.example.com, is this one; it lets root in.
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
  // Keeps in a file what is sent to it.
  run(`systemd-run --unit=faults ${NODE} -e "require('http').createServer((request, response) => {
      const file = require('fs').createWriteStream('/root/faults', { flags: 'a' });
      request.pipe(file).on('finish', () => response.end());
    }).listen(${FAULTS_PORT}, '127.0.0.1')"`);
}
