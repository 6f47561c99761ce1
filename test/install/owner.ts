/** What an owner changes: the site, and the version in the repository. */
import type { Machine } from './machine.ts';

/** Shows the content of the owner, and whether the new version is there. */
export const LOOK = `grep tagline /var/lib/guestlist/site/content.json
  ls /var/lib/guestlist/site/images/own.svg
  ls /opt/guestlist/current/ | grep NEWS || true`;

/** A site of the owner's own, which the service has read. */
export function ownContent({ run }: Machine): void {
  run(`cd /var/lib/guestlist/site
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

/** A version in the repository that changes the same line of the sample as the owner. */
export function newVersion({ run }: Machine): void {
  run(`git clone -q /root/guestlist.git /root/upstream
    cd /root/upstream
    sed -i 's/"tagline": ".*"/"tagline": "The new sample."/' pages/sample/content.json
    echo > NEWS
    git add --all
    git -c user.name=test -c user.email=test@localhost commit -qm 'Change the sample'
    git push -q origin HEAD`);
}
