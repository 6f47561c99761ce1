/** Faults of a machine that stop the service. */

const LISTEN = 'require("net").createServer().listen(3000, "127.0.0.1")';
const NEWER =
  'require("better-sqlite3")("/var/lib/guestlist/guestlist.db").pragma("user_version=999")';

/** What goes wrong, what apt then says, and how an operator mends it. */
export const FAULTS = {
  'a mistake in the settings': {
    spoil: "sed -i 's/^PORT=.*/PORT=three/' /etc/guestlist.env",
    says: /PORT is "three"/,
    mend: "sed -i 's/^PORT=.*/PORT=3000/' /etc/guestlist.env",
  },
  'a mistake in the site': {
    spoil: 'install -D /dev/null /var/lib/guestlist/site/content.json',
    says: /data\/site\/content\.json/,
    mend: 'rm -r /var/lib/guestlist/site',
  },
  'a port in use': {
    spoil: `systemctl stop guestlist.socket
      systemd-run --unit=other /usr/lib/guestlist/bin/node -e '${LISTEN}'
      until (: < /dev/tcp/127.0.0.1/3000) 2>/dev/null; do sleep 0.1; done`,
    says: /Address already in use/,
    mend: 'systemctl stop other',
  },
  'a newer store': {
    spoil: `systemctl stop guestlist.socket
      cp -a /var/lib/guestlist/guestlist.db /root/kept
      cd /usr/lib/guestlist; bin/node -e '${NEWER}'`,
    says: /written by a newer Guestlist/,
    mend: 'systemctl stop guestlist.socket; cp -a /root/kept /var/lib/guestlist/guestlist.db',
  },
};
