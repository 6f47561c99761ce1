/** What an installation from git needs of the outside world. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../../lib/config.ts';
import type { Machine } from './machine.ts';

const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt';

/** Brings this machine's Node and npm, and the last commit. */
export async function bringGit({ folder, run }: Machine): Promise<void> {
  const node = path.resolve(process.execPath, '../..');
  for (const part of ['bin/node', 'include/node', 'lib/node_modules/npm'])
    fs.cpSync(path.join(node, part), path.join(folder, 'usr/local', part), { recursive: true });
  const npmrc = path.join(os.homedir(), '.npmrc');
  const settings = fs.existsSync(npmrc) ? fs.readFileSync(npmrc, 'utf8') : '';
  // Compiling fetches no headers, and npm trusts what this machine trusts.
  const own = `nodedir=/usr/local\ncafile=${AUTHORITIES}\n`;
  fs.writeFileSync(path.join(folder, 'root/.npmrc'), `${settings}\n${own}`);
  fs.cpSync(AUTHORITIES, path.join(folder, AUTHORITIES));
  const repository = path.join(folder, 'root/guestlist.git');
  execFileSync('git', ['init', '-q', '--bare', '--initial-branch=main', repository]);
  execFileSync('git', ['-C', root, 'push', '-q', repository, 'HEAD:refs/heads/main']);
  await run(`ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm
    printf '[url "/root/guestlist.git"]\\n\\tinsteadOf = https://git.example.com/guestlist.git\\n' > /root/.gitconfig`);
}
