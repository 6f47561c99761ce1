/** The archive as it is unpacked, without any other program, network or settings. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../lib/config.ts';
import type { Machine } from './machine.ts';

/** systemd gives it a loopback interface of its own. */
const ALONE = 'systemd-run --quiet --wait --pipe -p PrivateNetwork=yes -p User=nobody sh -euc';

/** The unpacked archive serves, and invites a visitor. It prints how long its start takes. */
export function runsAlone({ copy, run }: Machine): void {
  const dist = path.join(root, 'dist');
  for (const name of fs.readdirSync(dist)) copy(path.join(dist, name), path.join('/srv', name));
  run(`cd /srv
    ! command -v node
    tar -xzf guestlist-*-linux-x64.tar.gz
    chown -R nobody guestlist-*/
    ${ALONE} 'cd /srv/guestlist-*/
      ./guestlist invite add ada@guestlist.test
      began=$(date +%s%N)
      PORT=0 ./guestlist serve > log &
      until grep -q listening log; do :; done
      echo "it listens after $((($(date +%s%N) - began) / 1000000)) ms"
      page=$(curl -fs $(grep -o http.* log))
      test -n "$page"
      kill $!
      wait $!'
    rm -r /srv/*`);
}
