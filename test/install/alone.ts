/** The archive as it is unpacked, without any other program, network or settings. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../lib/config.ts';
import type { Machine } from './machine.ts';

const NOBODY = 'setpriv --reuid=65534 --regid=65534 --clear-groups';

const VISIT = `cd /srv/guestlist-*/
  ! command -v node
  ./guestlist invite add ada@guestlist.test
  for start in 1 2 3 4 5; do
    began=$(date +%s%N)
    PORT=0 ./guestlist serve > log & server=$!
    trap 'kill $server' EXIT
    until grep -q listening log; do sleep 0.01; done
    wall=$((($(date +%s%N) - began) / 1000000))
    awk -v wall=$wall '{ print "it listens after " wall " ms, " ($14 + $15) * 10 " ms of them processor time" }' \\
      /proc/$server/stat
    curl -fsS -o page $(grep -o http.* log)
    test -s page
    kill $server
    trap - EXIT
    wait $server
    rm log page
  done`;

/** The unpacked archive invites somebody and serves, in a network that has only the loopback interface. */
export function runsAlone({ folder, run }: Machine): void {
  const dist = path.join(root, 'dist');
  const [archive = ''] = fs.readdirSync(dist).filter((name) => name.endsWith('x64.tar.gz'));
  execFileSync('tar', ['-xzf', path.join(dist, archive), '-C', path.join(folder, 'srv')]);
  run('chown -R 65534:65534 /srv/guestlist-*/');
  const inside =
    'ip link set lo up; mount -t proc proc "$1/proc"; exec chroot "$1" env -i $2 sh -euc "$3"';
  const args = ['--net', '--mount', 'sh', '-euc', inside, 'sh', folder, NOBODY, VISIT];
  execFileSync('unshare', args, { stdio: 'inherit' });
  run('rm -r /srv/guestlist-*/');
}
