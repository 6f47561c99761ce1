/** The first machine: installed from the archive, behind Caddy and then behind nginx, and operated. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { runsAlone } from './alone.ts';
import {
  comesBack,
  refusesExamples,
  restartsByItself,
  servesNextDomain,
  setsUpAgain,
  tellsOfFaults,
} from './checks.ts';
import { follow, followToSite, PUBLIC } from './commands.ts';
import { commandsOf, section } from './document.ts';
import { limitsConnections } from './firewall.ts';
import type { Machine } from './machine.ts';
import { LOOK, ownContent } from './owner.ts';
import { neighbours } from './stand-ins.ts';
import { upgradesUnderLoad } from './upgrades.ts';

const install = commandsOf('docs/install.md');
const operations = commandsOf('docs/operations.md');
const before = (heading: string) => operations.findIndex((block) => block.heading === heading);

/** The archive behind Caddy, then upgrades. */
export function shortly(machine: Machine): void {
  runsAlone(machine);
  tell('Caddy', followToSite(machine, section(install, /^(Installing|[12]\.|Caddy)/)));
  follow(machine, section(install, /^3\./));
  setsUpAgain(machine);
  upgradesUnderLoad(machine);
}

/** All of docs/install.md and docs/operations.md. @param copies for what it copies to another machine */
export function fromArchive(machine: Machine, copies: string): void {
  neighbours(machine);
  runsAlone(machine);
  const service = followToService(machine);
  tell('Caddy', service + followToSite(machine, section(install, /^(2\.|Caddy)/)));
  follow(machine, section(install, /^[345]\./));
  refusesExamples(machine);
  setsUpAgain(machine);
  restartsByItself(machine);
  limitsConnections(machine);
  tellsOfFaults(machine);
  comesBack(machine, 'caddy', PUBLIC);
  assert.match(machine.read('systemctl show --property MemoryMax caddy'), /=\d+$/m);
  upgradesUnderLoad(machine);
  machine.run('systemctl disable --now caddy');
  tell('nginx', service + followToSite(machine, section(install, /^(2\.|nginx)/)));
  follow(machine, section(install, /^5\./));
  comesBack(machine, 'nginx', PUBLIC);
  upgradesUnderLoad(machine);

  const [site, move] = ['Keeping the site', 'On the old machine, if it still runs'].map(before);
  follow(machine, section(operations.slice(0, site), /^(?!From 1)/));
  ownContent(machine);
  follow(machine, section(operations.slice(site, move), /^(?!Caddy|From 1)/));
  assert.match(machine.read(LOOK), /Our own.*\n.*own\.svg\n$/);
  servesNextDomain(machine);
  follow(machine, section(operations, /^(On the old|The disk)/));
  fs.cpSync(path.join(machine.folder, 'home/copies/guestlist'), copies, { recursive: true });
}

function followToService(machine: Machine): number {
  const began = performance.now();
  follow(machine, section(install, /^(Installing|1\.)/));
  return performance.now() - began;
}

const tell = (proxy: string, ms: number) =>
  console.log(`from the archive to the site behind ${proxy}: ${Math.round(ms / 1000)} s`);
