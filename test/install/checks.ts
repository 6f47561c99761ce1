/** Checks of an installed machine, beside the commands of the documents. */
import assert from 'node:assert/strict';
import { commandsOf, section } from './document.ts';
import type { Machine } from './machine.ts';
import { AUTHORITIES, DOMAIN, NEXT_DOMAIN } from './stand-ins.ts';

/** The main process of a unit. */
function mainPid({ read }: Machine, unit: string): string {
  return read(`systemctl show --value --property MainPID ${unit}`).trim();
}

/** Checks that a unit restarts after a crash. @param url arguments of curl to reach it */
export function comesBack(machine: Machine, unit: string, url: string): void {
  const before = mainPid(machine, unit);
  machine.run(`kill -KILL ${before}
    sleep 0.5
    for i in $(seq 600); do
      systemctl is-active -q ${unit} && curl -fs ${url} >/dev/null && break
      sleep 0.2
    done
    curl -fs ${url} >/dev/null`);
  assert.notEqual(mainPid(machine, unit), before);
}

/** The documents with their example addresses make no administrator. Tools run with cron's PATH. */
export function refusesExamples({ run, read }: Machine): void {
  const [invitation] = section(commandsOf('docs/install.md'), /^3\./);
  assert.ok(invitation);
  for (const admin of ['ada@example.com', 'Ada@Example.COM'])
    assert.throws(() => run(`admin=${admin}\n${invitation.commands}`));
  const list = read('env -i PATH=/usr/bin:/bin /usr/local/bin/guestlist invite list');
  assert.match(list, /ada@guestlist\.test/);
  assert.doesNotMatch(list, /example\.com/);
}

/** Run again, setup changes nothing; during an upgrade, it does not run. */
export function setsUpAgain({ run, read }: Machine): void {
  assert.match(read('guestlist setup'), /^(found .*\n)+next: .*\n$/);
  run(`! flock /opt/guestlist/.upgrade.lock guestlist setup 2> said
    grep -x 'an upgrade or rollback is under way; wait until it is done' said
    rm said`);
}

/** Checks the first message, the message of a fault, and the doctor in its sandbox. */
export function tellsOfFaults({ run, read }: Machine): void {
  assert.match(read('cat /root/faults'), /^test failed on /);
  run(`systemctl stop guestlist.socket
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

/** Checks that the site is at its new domain, and the old one redirects there. */
export function servesNextDomain({ run, read }: Machine): void {
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
export function restartsByItself(machine: Machine): void {
  const { run, read } = machine;
  comesBack(machine, 'guestlist', 'http://127.0.0.1:3000/');
  // In the sandbox, not even root can.
  run(`inside="nsenter --target ${mainPid(machine, 'guestlist')} --mount"
    $inside rm "$($inside mktemp /var/lib/guestlist/written.XXXX)"
    for folder in / /etc /var /opt/guestlist/current; do
      ! $inside mktemp $folder/written.XXXX 2>/dev/null || exit 1
    done`);
  for (const unit of ['guestlist', 'guestlist-backup', 'guestlist-doctor'])
    run(`systemd-analyze security --threshold=20 ${unit}.service | tail -1`);
  const timers = read('systemctl list-timers --no-pager');
  assert.match(timers, /guestlist-backup\.timer/);
  assert.match(timers, /guestlist-doctor\.timer/);
  assert.match(read('ls /var/lib/guestlist/backups'), /^guestlist-.*Z\.db$/m);
}
