/** Takes, checks and restores snapshots of the store. */
import path from 'node:path';
import { LIST, readLimit } from '../lib/cli/arguments.ts';
import { Refusal, runFromShell, UsageError } from '../lib/cli/shell.ts';
import { jsonLines, plural, print, printOutcome, tableLines } from '../lib/cli/terminal.ts';
import { type Call, defineTool } from '../lib/cli/tool.ts';
import { csvLines } from '../lib/csv.ts';
import { inspectStoreFile, type RowCounts, TABLES } from '../lib/store/inspection.ts';
import { storeExists } from '../lib/store/open.ts';
import { previewRestore, restoreSnapshot } from '../lib/store/restore.ts';
import {
  findSnapshot,
  listSnapshots,
  removeOldSnapshots,
  removeSnapshots,
  takeSnapshot,
} from '../lib/store/snapshots.ts';

export const main = defineTool('backup', [
  {
    name: 'create',
    help: `take a snapshot while the server runs, check it, and put it into data/backups;
      before and after that, remove snapshots older than 14 days, except the newest
      five nightly ones`,
    run: create,
  },
  {
    name: 'list',
    options: LIST,
    help: 'all snapshots, newest first, with the result of a check',
    run: list,
  },
  {
    name: 'prune',
    options: { keep: '<n>', all: '' },
    help: `remove the same snapshots as create; with --keep, also all nightly ones except the
      newest n; with --keep and --all, all of every kind except the newest n`,
    run: prune,
  },
  {
    name: 'restore',
    words: ['<file>'],
    options: { yes: '' },
    help: `replace the store by a snapshot, given as a path or a name from the list, also
      while the server runs. The replaced store is kept, and all sessions end. Without
      --yes, only print the rows of both, whose invite or administration would
      change, and how many people were erased since, status 1`,
    run: restore,
  },
]);

async function create(call: Call): Promise<void> {
  const { storeFile } = call;
  if (!storeExists(storeFile))
    throw new Refusal(`there is no store at ${storeFile}, so nothing to back up`);
  // First, because old snapshots may fill the disk.
  const before = removeOldSnapshots(storeFile);
  const { file, bytes, rows } = await takeSnapshot(storeFile);
  const removed = before + removeOldSnapshots(storeFile);
  const pruned = removed === 0 ? '' : `; ${removed} older than 14 days removed`;
  const text = `${file}: ${megabytes(bytes)}, ${describe(rows)}; checked${pruned}`;
  printOutcome(call, text, { file, bytes, rows, removed });
}

function list(call: Call): void {
  const newest = listSnapshots(call.storeFile).slice(0, readLimit(call));
  const snapshots = newest.map((snapshot) => ({
    ...snapshot,
    ...inspectStoreFile(snapshot.file),
  }));
  const shown = snapshots.map(({ file, takenAt, bytes, rows, fault }) => ({
    file: path.basename(file),
    takenAt,
    size: megabytes(bytes),
    ...rows,
    check: fault ?? 'ok',
  }));
  const columns = ['file', 'takenAt', 'size', ...TABLES, 'check'] as const;
  const lines = call.flag('csv') ? csvLines : tableLines;
  print(call, call.json ? jsonLines(snapshots) : lines(columns, shown));
}

function prune(call: Call): void {
  const { storeFile } = call;
  const keep = readLimit(call, 'keep');
  if (keep === undefined && call.flag('all')) throw new UsageError('--all needs --keep');
  const removed = call.flag('all')
    ? removeSnapshots(listSnapshots(storeFile).slice(keep))
    : removeOldSnapshots(storeFile, keep);
  const left = listSnapshots(storeFile).length;
  printOutcome(call, `${plural(removed, 'snapshot')} removed; ${left} left`, { removed, left });
}

async function restore(call: Call): Promise<void> {
  const { storeFile } = call;
  const file = findSnapshot(storeFile, call.words[0] ?? '');
  const sure = call.flag('yes');
  const { replaced, ...comparison } = sure
    ? await restoreSnapshot(storeFile, file)
    : { ...previewRestore(storeFile, file), replaced: null };
  const { snapshot, store, people, erased } = comparison;
  if (people.length > 0 && !call.json)
    print(call, tableLines(['email', 'inStore', 'inSnapshot'], people));
  const again = sure ? 'are in the store again' : 'would be in the store again';
  const lines = [
    `the snapshot: ${describe(snapshot)}`,
    store ? `the store: ${describe(store)}` : 'the store cannot be read; stop the server',
    ...(erased > 0 ? [`erased since the snapshot: ${erased}; these people ${again}`] : []),
    ...(replaced === null ? [] : [`the replaced store is kept as ${replaced}`]),
    ...(sure ? [`restored ${file}; everybody must log in again`] : []),
  ];
  printOutcome(call, lines.join('\n'), { file, ...comparison, replaced });
  if (!sure) throw new Refusal('nothing is changed; to restore, add --yes; all sessions will end');
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Numbers of rows; 0 without a store. */
function describe(rows: RowCounts): string {
  const { invites = 0, sessions = 0, project_joins: clicks = 0, events = 0 } = rows;
  const people = `${plural(invites, 'invite')}, ${plural(sessions, 'session')}`;
  return `${people}, ${plural(clicks, 'join click')}, ${plural(events, 'event')}`;
}

await runFromShell(import.meta.url, main);
