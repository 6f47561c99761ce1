/**
 * Installs Guestlist on clean Debians by the commands of the documents: from the archive, behind Caddy
 * and then behind nginx; from git, where the first machine moves to; and over 1.0.0. It takes half an
 * hour and needs root: npm run test:install. With `short`, only the archive behind Caddy and its
 * upgrades under load, as the checks of a change do.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fromArchive, shortly } from './from-archive.ts';
import { overFirstRelease } from './from-first-release.ts';
import { fromGit } from './from-git.ts';
import { bootDebian, type Machine, makeDebian, obstacle } from './machine.ts';
import { FAULTS_PORT, SSH_PORT, standIns } from './stand-ins.ts';

const scenes = process.argv[2] === 'short' ? [shortly] : [fromArchive, fromGit, overFirstRelease];

const why = obstacle([80, 443, 3000, SSH_PORT, FAULTS_PORT]);
if (why) skip(why);
const folders: string[] = [];
process.on('exit', () => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});
const copies = fs.mkdtempSync(path.join(os.tmpdir(), 'guestlist-copies-'));
folders.push(copies);
// Nothing of Guestlist is on it yet, so what fails here is no fault of Guestlist's.
const base = await makeDebian().catch(skip);
folders.push(base);
let first: Machine | undefined = await bootDebian(base).catch(skip);
for (const scene of scenes) {
  const machine = first ?? (await bootDebian(base));
  first = undefined;
  try {
    standIns(machine);
    scene(machine, copies);
  } catch (error) {
    machine.run("journalctl --no-pager -n 60 -u 'guestlist*' -u caddy -u nginx -u ssh");
    throw error;
  } finally {
    await machine.remove();
  }
}
const done = scenes.map(({ name }) => name).join(', ');
console.log(`test:install: ${done}: every command works as written`);

function skip(reason: unknown): never {
  console.log(
    `test:install: skipped, because ${reason instanceof Error ? reason.message : reason}`,
  );
  process.exit(0);
}
