/** The operator's way to snapshots of the store: taking, checking and restoring them. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  type Column,
  printRows,
  Refusal,
  runTool,
  showProgress,
  UsageError,
  utc,
} from '../lib/cli/terminal.ts';
import { type Inspection, inspectFile, type Rows } from '../lib/store/inspection.ts';
import { storeExists, storeFile } from '../lib/store/open.ts';
import { restoreSnapshot } from '../lib/store/restore.ts';
import {
  listSnapshots,
  removeOldSnapshots,
  type Snapshot,
  snapshotFolder,
  takeSnapshot,
} from '../lib/store/snapshots.ts';

const USAGE = `usage: backup create|list|restore …

  backup create           take a snapshot while the server runs, check it, put it into data/backups;
                          then remove those older than 14 days
  backup list             all snapshots, newest first, and whether each checks out
  backup restore <file>   put a snapshot, a path or a name from the list, in the place of the store,
                          which is kept; the server must be stopped

  --json  print for programs     --help  print this`;

type Checked = Snapshot & Inspection;

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const COLUMNS: readonly Column<Checked>[] = [
  ['file', ({ file }) => path.basename(file)],
  ['taken at', ({ takenAt }) => utc(takenAt)],
  ['size', ({ bytes }) => megabytes(bytes)],
  ['invites', ({ rows }) => rows.invites ?? ''],
  ['sessions', ({ rows }) => rows.sessions ?? ''],
  ['join clicks', ({ rows }) => rows.project_joins ?? ''],
  ['events', ({ rows }) => rows.events ?? ''],
  ['checks out', ({ fault }) => fault ?? 'yes'],
];

await runTool(USAGE, {}, async (args) => {
  const [command, ...words] = args.words;
  const json = args.flag('json');
  if (command === 'create' && words.length === 0) return create(json);
  if (command === 'list' && words.length === 0) return list(json);
  if (command === 'restore') return restore(words, json);
  throw new UsageError(
    command ? `backup does not know "${args.words.join(' ')}"` : 'backup needs a command',
  );
});

async function create(json: boolean): Promise<void> {
  if (!storeExists()) throw new Refusal(`there is no store at ${storeFile}, so nothing to back up`);
  // The server goes first.
  os.setPriority(os.constants.priority.PRIORITY_LOW);
  const { file, bytes, rows } = await takeSnapshot(storeFile, (done, total) =>
    showProgress('copying', done, total),
  );
  const removed = removeOldSnapshots(storeFile, file);
  if (json) console.log(JSON.stringify({ file, bytes, rows, removed }));
  else
    console.log(
      `${file}: ${megabytes(bytes)}, ${describe(rows)}; it checks out` +
        (removed === 0 ? '' : `; ${removed} older than 14 days removed`),
    );
}

function list(json: boolean): void {
  const snapshots = listSnapshots(storeFile);
  const checked = snapshots.map((snapshot, i): Checked => {
    const inspection = inspectFile(snapshot.file);
    showProgress('checking', i + 1, snapshots.length);
    return { ...snapshot, ...inspection };
  });
  printRows(checked, COLUMNS, json);
}

async function restore([name, ...rest]: readonly string[], json: boolean): Promise<void> {
  if (name === undefined) throw new UsageError('the snapshot to restore is missing');
  if (rest.length > 0) throw new UsageError(`one snapshot is enough; what is "${rest.join(' ')}"?`);
  const file = findSnapshot(name);
  const { rows, replaced } = await restoreSnapshot(storeFile, file);
  if (json) console.log(JSON.stringify({ file, rows, replaced }));
  else
    console.log(
      `restored ${file}: ${describe(rows)}; ` +
        `${replaced === null ? 'there was no store before' : `what it replaces is ${replaced}`}; start the server now`,
    );
}

/** A path as it is given, else a name in the folder of snapshots. */
function findSnapshot(name: string): string {
  const found = [path.resolve(name), path.join(snapshotFolder(storeFile), name)].find((file) =>
    fs.existsSync(file),
  );
  if (found === undefined)
    throw new Refusal(`there is no ${name}, here or in data/backups; see: backup list`);
  return found;
}

function describe(rows: Rows): string {
  return Object.entries(rows)
    .map(([table, count]) => `${count} ${table.replace('_', ' ')}`)
    .join(', ');
}
