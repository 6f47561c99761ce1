/** The operator's way to snapshots of the store: taking, checking and restoring them. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readLimit } from '../lib/cli/arguments.ts';
import {
  type Column,
  plural,
  printOutcome,
  printRows,
  showProgress,
  utc,
} from '../lib/cli/terminal.ts';
import { type Arguments, Refusal, runTool } from '../lib/cli/tool.ts';
import { type Inspection, inspectFile, type Rows } from '../lib/store/inspection.ts';
import { storeExists, storeFile } from '../lib/store/open.ts';
import { restoreSnapshot } from '../lib/store/restore.ts';
import {
  listSnapshots,
  removeAllSnapshotsBut,
  removeOldSnapshots,
  type Snapshot,
  snapshotFolder,
  takeSnapshot,
} from '../lib/store/snapshots.ts';

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

await runTool('backup', [
  {
    form: 'create',
    help:
      'take a snapshot while the server runs, check it, put it into data/backups;\n' +
      'then remove those older than 14 days, but for the newest five',
    run: create,
  },
  {
    form: 'list',
    help: 'all snapshots, newest first, and whether each checks out',
    run: list,
  },
  {
    form: 'prune [--keep <n>]',
    help: 'remove all snapshots but the newest n; without n, as create does',
    run: prune,
  },
  {
    form: 'restore <file>',
    help:
      'put a snapshot, a path or a name from the list, in the place of the store,\n' +
      'which is kept; the server must be stopped',
    run: restore,
  },
]);

async function create({ json }: Arguments): Promise<void> {
  if (!storeExists()) throw new Refusal(`there is no store at ${storeFile}, so nothing to back up`);
  // The server goes first.
  os.setPriority(os.constants.priority.PRIORITY_LOW);
  const { file, bytes, rows } = await takeSnapshot(storeFile, (done, total) =>
    showProgress('copying', done, total),
  );
  const removed = removeOldSnapshots(storeFile);
  await printOutcome(
    `${file}: ${megabytes(bytes)}, ${describe(rows)}; it checks out` +
      (removed === 0 ? '' : `; ${removed} older than 14 days removed`),
    { file, bytes, rows, removed },
    json,
  );
}

async function list({ json }: Arguments): Promise<void> {
  const snapshots = listSnapshots(storeFile);
  const checked = snapshots.map((snapshot, i): Checked => {
    const inspection = inspectFile(snapshot.file);
    showProgress('checking', i + 1, snapshots.length);
    return { ...snapshot, ...inspection };
  });
  await printRows(checked, COLUMNS, json);
}

async function restore({ words, json }: Arguments): Promise<void> {
  const file = findSnapshot(words[0] ?? '');
  const { rows, replaced } = await restoreSnapshot(storeFile, file);
  await printOutcome(
    `restored ${file}: ${describe(rows)}; ` +
      `${replaced === null ? 'there was no store before' : `what it replaces is ${replaced}`}; start the server now`,
    { file, rows, replaced },
    json,
  );
}

async function prune({ option, json }: Arguments): Promise<void> {
  const kept = readLimit(option('keep'), 'keep');
  const removed =
    kept === undefined ? removeOldSnapshots(storeFile) : removeAllSnapshotsBut(storeFile, kept);
  const left = listSnapshots(storeFile).length;
  await printOutcome(
    `${plural(removed, 'snapshot')} removed; ${left} left`,
    { removed, left },
    json,
  );
}

/** A path as it is given, else a name in the folder of snapshots. */
function findSnapshot(name: string): string {
  const found = [path.resolve(name), path.join(snapshotFolder(storeFile), name)].find((file) =>
    fs.existsSync(file),
  );
  if (found === undefined)
    throw new Refusal(
      `there is no ${name} that this user may read, here or in data/backups; see: backup list`,
    );
  return found;
}

function describe(rows: Rows): string {
  return Object.entries(rows)
    .map(([table, count]) => `${count} ${table.replace('_', ' ')}`)
    .join(', ');
}
