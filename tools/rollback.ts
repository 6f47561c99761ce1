/** The operator's way back to an installed version. */
import fs from 'node:fs';
import { printOutcome } from '../lib/cli/terminal.ts';
import { type Arguments, Refusal, runTool } from '../lib/cli/tool.ts';
import {
  alone,
  currentVersion,
  folderOf,
  inReserve,
  installedVersions,
  keepInReserve,
  toolOf,
  versionBefore,
} from './versions/folders.ts';
import { attempt, owner, run, takeSnapshot } from './versions/programs.ts';
import { describe, olderStoreFor, takeOver } from './versions/takeover.ts';

await runTool('rollback', [
  {
    form: '[version] [--yes] [--if-unconfirmed]',
    help: `let the version before the current one, or the one that is named, take over the
service. Run it as root. If the schema is the same, every row is kept. If not, the
newest snapshot that the version can read replaces the store, which is kept in
data/backups. If rows would be lost, it says how many, and acts only with --yes. If
the version does not serve, the current one comes back, and the exit status is 1.
With --if-unconfirmed, which systemd adds, it acts only after an interrupted run.`,
    run: (args) => alone(() => rollback(args)),
  },
]);

async function rollback({ words: [wanted], flag, json }: Arguments): Promise<void> {
  const current = currentVersion();
  const versions = installedVersions();
  const former = inReserve();
  // A way back was interrupted after its switch, so it is finished.
  const isUnfinished = former !== undefined && versions.indexOf(former) < versions.indexOf(current);
  const version = wanted ?? (isUnfinished ? current : versionBefore(current));
  const isHealing = version !== undefined && version === former;
  // The run that seemed to be interrupted may have been completed meanwhile.
  if (flag('if-unconfirmed') && !isHealing) return;
  const before = version === current ? former : current;
  if (before === undefined) throw new Refusal(`${current} is the current version`);
  if (version === undefined || !versions.includes(version))
    throw new Refusal(
      `there is no ${wanted ?? `version before ${current}`} to go to; installed: ${versions.join(', ')}`,
    );
  run([...toolOf(version, 'site'), 'check'], owner());
  const snapshot = olderStoreFor(version);
  if (snapshot !== undefined && !flag('yes')) {
    const { stdout } = attempt([...toolOf(current, 'backup'), 'restore', snapshot], owner());
    if (!stdout.includes('\nis lost: nothing\n'))
      throw new Refusal(
        `${stdout}${version} cannot read the store of ${current}, so that snapshot would come back; to do so, add --yes`,
      );
  }
  takeSnapshot();
  if (!isHealing) keepInReserve(before);
  const restored = await takeOver(version, before);
  // After an upgrade. After a way back, the current version is the older one, and stays.
  if (isHealing && versions.indexOf(current) < versions.indexOf(version))
    fs.rmSync(folderOf(current), { recursive: true });
  printOutcome(
    `${version} serves, ${describe(restored)}`,
    { version, former: before, restored: restored ?? null },
    json,
  );
}
