/** The third machine: 1.0.0, installed by the commands of its own document, becomes the archive. */
import assert from 'node:assert/strict';
import { follow, PUBLIC } from './commands.ts';
import { commandsOf, section } from './document.ts';
import type { Machine } from './machine.ts';
import { gitStandIns, neighbours } from './stand-ins.ts';

/** The last commit of 1.0.0. */
const COMMIT = 'd92c8b50de3e828463936c0b3f58f93b29eec3b7';

/** A visitor's session, in the form of curl. */
const VISITOR = '--cookie /root/visitor --cookie-jar /root/visitor';

/** The section "From 1.0.0" of docs/operations.md, behind nginx: sessions, people and content stay. */
export function overFirstRelease(machine: Machine): void {
  gitStandIns(machine, COMMIT);
  neighbours(machine);
  follow(machine, section(commandsOf('docs/install.md', COMMIT), /^(?!Caddy)/));
  const post = `curl -fsS ${VISITOR} -H 'Content-Type: application/json'`;
  machine.run(`${post} -d '{"email":"ada@guestlist.test"}' ${PUBLIC}auth/login
    ${post} -X POST ${PUBLIC}api/project-join
    sed -i 's/"tagline": ".*"/"tagline": "Our own."/' /srv/guestlist/pages/content.json`);
  follow(machine, section(commandsOf('docs/operations.md'), /^From 1\.0\.0/));
  follow(machine, section(commandsOf('docs/install.md'), /^(Installing|[125]\.|nginx)/));
  assert.match(machine.read(`curl -fsS ${VISITOR} ${PUBLIC}auth/me`), /ada@guestlist\.test/);
  assert.equal(JSON.parse(machine.read('guestlist joins stats --json')).clicks, 1);
  assert.match(machine.read(`curl -fsS ${VISITOR} ${PUBLIC}timeline`), /Our own\./);
  assert.match(machine.read('cat /etc/guestlist.env'), /^PORT=3000$/m);
}
