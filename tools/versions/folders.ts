/**
 * The installed versions: a folder for each, and the link `current` to the one that serves. They lie
 * beside the folder of this code.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { Refusal } from '../../lib/cli/tool.ts';
import { root } from '../../lib/config.ts';
import { sync } from '../../lib/store/file/private-files.ts';
import { asOwner, dataFolder } from './programs.ts';

export const base = path.dirname(root);

/** A link to the version that comes back if the service fails before the current one is confirmed. */
const former = path.join(base, '.former');

/** The versions that are kept beside the current one. */
const KEPT = 3;

/** Held by whatever changes the installed version. */
export const UPGRADE_LOCK = '.upgrade.lock';

const VERSION = /^\d+\.\d+\.\d+$/;

const current = path.join(base, 'current');

/** A new link, before it takes the place of another. */
const next = path.join(base, '.next');

export const folderOf = (version: string): string => path.join(base, version);

/** The command that runs a tool of a version. */
export const toolOf = (version: string, tool: string): readonly string[] =>
  ['bin/node', `tools/${tool}.js`].map((name) => path.join(folderOf(version), name));

/** Where a version is unpacked and tried out. */
export const partialOf = (version: string): string => path.join(base, `.${version}.partial`);

/** A folder in `data/` for a copy of the store. */
export const trialFolder = (): string => path.join(dataFolder(), 'trial');

export const currentVersion = (): string => path.basename(fs.readlinkSync(current));

/** The newest first. */
export const installedVersions = (): readonly string[] =>
  fs
    .readdirSync(base)
    .filter((name) => VERSION.test(name))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));

/** The newest installed version below another installed one. */
export function versionBefore(version: string): string | undefined {
  const versions = installedVersions();
  return versions[versions.indexOf(version) + 1];
}

/** Puts an unpacked version in its place. */
export function install(version: string): void {
  const partial = partialOf(version);
  const data = path.join(partial, 'data');
  fs.rmSync(data, { force: true });
  fs.symlinkSync(dataFolder(), data);
  fs.rmSync(folderOf(version), { recursive: true, force: true });
  fs.renameSync(partial, folderOf(version));
}

/** Makes a version the current one. */
export const pointTo = (version: string): void => replaceLink(current, version);

/** Until `confirm`, a failure of the service brings a version back: see deploy/guestlist.service. */
export const keepInReserve = (version: string): void => replaceLink(former, version);

/** The version that an interrupted run has kept in reserve. */
export const inReserve = (): string | undefined =>
  fs.existsSync(former) ? fs.readlinkSync(former) : undefined;

export const confirm = (): void => fs.rmSync(former, { force: true });

/** After a power cut it is either done or not. */
function replaceLink(link: string, target: string): void {
  fs.rmSync(next, { force: true });
  fs.symlinkSync(target, next);
  fs.renameSync(next, link);
  sync(base);
}

/** Runs a job unless another one runs, and removes the leftovers of an interrupted one. */
export async function alone(job: () => Promise<void>): Promise<void> {
  const link = fs.lstatSync(current, { throwIfNoEntry: false });
  if (link && !(link.isSymbolicLink() && fs.existsSync(path.join(current, 'server.js'))))
    throw new Refusal(
      `${current} leads to no version; remove it, then: ln -s ${path.basename(root)} ${current}`,
    );
  if (!link || !VERSION.test(currentVersion()))
    throw new Refusal(
      `${root} was not installed from an archive; docs/operations.md tells how to upgrade it`,
    );
  try {
    fs.accessSync(base, fs.constants.W_OK);
  } catch {
    throw new Refusal(`this user may not change ${base}; run it as root`);
  }
  const release = await hold(path.join(base, UPGRADE_LOCK));
  if (!release)
    throw new Refusal('another upgrade or rollback is under way; wait until it is done');
  try {
    removeLeftovers();
    await job().finally(removeLeftovers);
  } finally {
    await release();
  }
}

/**
 * Takes a lock, which is also released when this process ends.
 *
 * @returns releases it; `undefined` if another program has it for longer than these seconds
 */
export async function hold(
  file: string,
  seconds = 1,
): Promise<(() => Promise<unknown>) | undefined> {
  // Whoever can open the file can lock it.
  fs.closeSync(fs.openSync(file, 'a', 0o600));
  const command = ['--timeout', String(seconds), file, 'sh', '-c', 'echo held; cat'];
  const holder = spawn('flock', command, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(holder, 'exit');
  await Promise.race([once(holder.stdout, 'data'), ended]);
  if (holder.exitCode !== null) return undefined;
  return () => {
    holder.stdin.end();
    return ended;
  };
}

function removeLeftovers(): void {
  for (const name of fs.readdirSync(base))
    if (name.endsWith('.partial')) fs.rmSync(path.join(base, name), { recursive: true });
  fs.rmSync(next, { force: true });
  if (inReserve() === currentVersion()) confirm();
  asOwner(() => fs.rmSync(trialFolder(), { recursive: true, force: true }));
}

export function removeOldVersions(): void {
  const others = installedVersions().filter((version) => version !== currentVersion());
  for (const version of others.slice(KEPT)) fs.rmSync(folderOf(version), { recursive: true });
}
