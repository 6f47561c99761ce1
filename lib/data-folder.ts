/** Creates `data/`, and refuses where using it would lose data or lock out the service. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { shellCommand } from './commands.ts';
import { dataFolder, ExpectedError } from './config.ts';

/** Creates `data/` where it is missing, readable by its owner only. @throws as `checkDataFolder` */
export function createDataFolder(): void {
  checkDataFolder();
  fs.mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
}

/** @throws {ExpectedError} if `data/` is a link into nothing, or not for this user to work in */
export function checkDataFolder(): void {
  const data = fs.statSync(dataFolder, { throwIfNoEntry: false });
  if (data === undefined) refuseLinkIntoNothing();
  else if (process.getuid?.() === 0 && data.uid !== 0) refuseRoot(data.uid);
}

/** A disk that is not mounted must not look like an empty store. */
function refuseLinkIntoNothing(): void {
  const isLink = fs.lstatSync(dataFolder, { throwIfNoEntry: false })?.isSymbolicLink();
  if (!isLink) return;
  const target = fs.readlinkSync(dataFolder);
  throw new ExpectedError(
    `${target}, which ${dataFolder} links to, does not exist. Is its disk mounted?`,
  );
}

/** The service could not open files that root creates in `data/`. @param owner a user id */
function refuseRoot(owner: number): never {
  const { stdout } = spawnSync('id', ['-nu', String(owner)], { encoding: 'utf8' });
  const user = stdout.trim() || String(owner);
  const node = ['node', ...process.execArgv, ...process.argv.slice(1)];
  const command = shellCommand('runuser', '-u', user, '--', ...node);
  throw new ExpectedError(`${dataFolder} belongs to ${user}, so run: ${command}`);
}
