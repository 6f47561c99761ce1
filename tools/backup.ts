/** Takes, checks and lists snapshots of the store. */
import path from 'node:path';
import { LIST, readLimit } from '../lib/cli/arguments.ts';
import { runFromShell } from '../lib/cli/shell.ts';
import { printList, printOutcome } from '../lib/cli/terminal.ts';
import { type Call, type Command, defineTool } from '../lib/cli/tool.ts';
import { toCsv } from '../lib/extras/export/csv.ts'; // extra: export
import { restoreCommand } from '../lib/extras/restore/restore-command.ts'; // extra: restore
import { messageOf } from '../lib/store/errors.ts';
import { sizeOf } from '../lib/store/files.ts';
import { type Inspection, inspectStoreFile } from '../lib/store/inspection.ts';
import { currentSchema } from '../lib/store/migrate.ts';
import { withReadableCopy } from '../lib/store/readable-copy.ts';
import { listSnapshots, removeOldSnapshots, takeSnapshot } from '../lib/store/snapshots.ts';
import { requireStore } from '../lib/store/store-file.ts';

const COMMANDS: readonly Command[] = [
  {
    usage: 'create',
    help: `take a snapshot while the server runs, check it, and put it into data/backups;
      before and after that, remove nightly snapshots older than 14 days, except the
      newest five`,
    run: create,
  },
  {
    usage: `list ${LIST}`,
    help: 'all snapshots, newest first, with the result of a check',
    run: list,
  },
  restoreCommand, // extra: restore
];

export const main = defineTool('backup', COMMANDS, {
  csv: toCsv, // extra: export
});

function create(call: Call): void {
  const { storeFile } = call;
  requireStore(storeFile);
  // Done before the new snapshot, because old snapshots may have filled the disk.
  const before = removeOldSnapshots(storeFile);
  const { file, bytes, rows } = takeSnapshot(storeFile);
  const removed = before + removeOldSnapshots(storeFile);
  const old = removed === 0 ? '' : `; ${removed} older than 14 days removed`;
  printOutcome(call, `${file}: checked${old}`, { file, bytes, rows, removed });
}

function list(call: Call): void {
  const newest = listSnapshots(call.storeFile).slice(0, readLimit(call));
  const rows = newest.map((snapshot) => {
    const name = path.basename(snapshot.file);
    const bytes = sizeOf(snapshot.file) + sizeOf(`${snapshot.file}-wal`);
    return { name, ...snapshot, bytes, ...checkSnapshot(call.storeFile, snapshot.file) };
  });
  printList(call, 'no snapshots yet', ['name', 'takenAt', 'bytes', 'rows', 'check'], rows);
}

type Check = Inspection & {
  /** `ok`, or the fault. */
  readonly check: string;
};

function checkSnapshot(store: string, file: string): Check {
  try {
    const inspection = withReadableCopy(store, file, inspectStoreFile);
    const unknown = inspection.version > currentSchema ? 'by a newer Guestlist' : 'ok';
    return { ...inspection, check: inspection.fault ?? unknown };
  } catch (error) {
    // One unreadable snapshot must not end the list.
    const fault = messageOf(error);
    return { version: 0, rows: {}, fault, check: fault };
  }
}

await runFromShell(import.meta.url, main);
