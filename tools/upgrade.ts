/** The operator's way to a new version, from its archive. */
import fs from 'node:fs';
import path from 'node:path';
import { printOutcome } from '../lib/cli/terminal.ts';
import { type Arguments, Refusal, runTool } from '../lib/cli/tool.ts';
import { checkArchive, unpack } from './versions/archive.ts';
import {
  alone,
  currentVersion,
  folderOf,
  inReserve,
  install,
  keepInReserve,
  removeOldVersions,
  versionBefore,
} from './versions/folders.ts';
import { takeSnapshot } from './versions/programs.ts';
import { describe, takeOver } from './versions/takeover.ts';
import { tryOut } from './versions/trial.ts';

await runTool('upgrade', [
  {
    form: '<archive> [--sha256 <sum>]',
    help: `install a version from its archive and let it take over the service. Run it as
root. Without --sha256, SHA256SUMS beside the archive tells whether it is whole. The
steps: check the archive, take a snapshot, unpack beside the other versions, start
the new version with a copy of the store, let it take over the service, ask it for a
page. If a step fails, the former version serves, and the exit status is 1. To finish
an interrupted upgrade, run it again.`,
    run: (args) => alone(() => upgrade(args)),
  },
]);

async function upgrade({ words: [archive = ''], option, json }: Arguments): Promise<void> {
  const say = (step: string) => json || console.log(step);
  const version = await checkArchive(archive, option('sha256'));
  say(`${path.basename(archive)} is whole`);
  const current = currentVersion();
  const isNew = version !== current;
  const former = isNew ? current : (inReserve() ?? versionBefore(version));
  let migration = 0;
  if (isNew) {
    const snapshot = takeSnapshot();
    say(`the snapshot is ${snapshot ?? 'not needed: there is no store yet'}`);
    const folder = unpack(archive, version);
    migration = await tryOut(folder, snapshot).catch((error) => {
      throw new Refusal(
        `${version} does not start with a copy of the store: ${error.message}; ${current} goes on serving`,
      );
    });
    say(`${version} starts with a copy of the store`);
    install(version);
  }
  if (former !== undefined) keepInReserve(former);
  try {
    await takeOver(version, former, 3 * migration);
  } catch (error) {
    if (currentVersion() !== version) fs.rmSync(folderOf(version), { recursive: true });
    throw error;
  }
  removeOldVersions();
  const serves = isNew ? 'serves' : 'was installed before, so it was not unpacked again; it serves';
  const text =
    `${version} ${serves}, ${describe(undefined)}` +
    (former ? `; back to ${former}: guestlist rollback` : '');
  printOutcome(text, { version, former }, json);
}
