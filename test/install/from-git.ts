/** The second machine: the first one moves there, where Guestlist is installed from git. */
import assert from 'node:assert/strict';
import { servesNextDomain } from './checks.ts';
import { follow } from './commands.ts';
import { commandsOf, section } from './document.ts';
import type { Machine } from './machine.ts';
import { LOOK, newVersion } from './owner.ts';
import { gitStandIns, neighbours } from './stand-ins.ts';

const install = commandsOf('docs/install.md');
const fromSource = commandsOf('docs/install-from-git.md');
const operations = commandsOf('docs/operations.md');

/** All of docs/install-from-git.md. @param copies of the first machine's snapshots and site */
export function fromGit(machine: Machine, copies: string): void {
  gitStandIns(machine);
  neighbours(machine);
  machine.copy(copies, '/home/copies/guestlist');
  machine.run('chown -R copies /home/copies/guestlist');
  follow(machine, [
    ...section(install, /^Installing/),
    ...section(fromSource, /^(Node|The service)/),
  ]);
  follow(machine, section(operations, /^On the new machine/));
  follow(machine, section(install, /^(2\.|Caddy|[45]\.)/));
  assert.match(machine.read('guestlist invite admin list'), /ada@guestlist\.test/);
  newVersion(machine);
  follow(machine, section(fromSource, /^Upgrading/));
  assert.match(machine.read(LOOK), /Our own.*\n.*own\.svg\n.*NEWS/);
  follow(machine, section(fromSource, /^The way back/));
  assert.match(machine.read(LOOK), /Our own.*\n.*own\.svg\n$/);
  follow(machine, section(operations, /^(Another domain|Caddy)/));
  servesNextDomain(machine);
}
