/** Takes, checks and restores snapshots of the store. */
import path from 'node:path';
import { findSnapshot, LIST, readLimit } from '../lib/cli/arguments.ts';
import { Refusal, runFromShell } from '../lib/cli/shell.ts';
import { jsonLines, plural, print, printOutcome, tableLines } from '../lib/cli/terminal.ts';
import { type Call, defineTool } from '../lib/cli/tool.ts';
import { csvLines } from '../lib/csv.ts';
import { inspectStoreFile, type RowCounts } from '../lib/store/file/inspection.ts';
import { previewRestore, restoreSnapshot } from '../lib/store/file/restore.ts';
import { listSnapshots, removeOldSnapshots, takeSnapshot } from '../lib/store/file/snapshots.ts';
import { storeExists } from '../lib/store/open.ts';

export const main = defineTool('backup', [
  {
    name: 'create',
    help: `take a snapshot while the server runs, check it, and put it into data/backups;
      then remove snapshots older than 14 days, except the newest five`,
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
    options: { keep: '<n>' },
    help: 'remove all snapshots except the newest n; without n, the same ones as create',
    run: prune,
  },
  {
    name: 'restore',
    words: ['<file>'],
    options: { yes: '' },
    help: `replace the store by a snapshot, given as a path or a name from the list. The
      replaced store is kept. The server must be stopped. Without --yes, only print
      the rows of both, and whose invite or administration would change, status 1`,
    run: restore,
  },
]);

async function create(call: Call): Promise<void> {
  const { storeFile } = call;
  if (!storeExists(storeFile))
    throw new Refusal(`there is no store at ${storeFile}, so nothing to back up`);
  call.lowerPriority();
  const { file, bytes, rows } = await takeSnapshot(storeFile);
  const removed = removeOldSnapshots(storeFile);
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
  const tables = ['invites', 'sessions', 'project_joins', 'events'] as const;
  const columns = ['file', 'takenAt', 'size', ...tables, 'check'] as const;
  const lines = call.flag('csv') ? csvLines : tableLines;
  print(call, call.json ? jsonLines(snapshots) : lines(columns, shown));
}

function prune(call: Call): void {
  const removed = removeOldSnapshots(call.storeFile, readLimit(call, 'keep'));
  const left = listSnapshots(call.storeFile).length;
  printOutcome(call, `${plural(removed, 'snapshot')} removed; ${left} left`, { removed, left });
}

async function restore(call: Call): Promise<void> {
  const { storeFile } = call;
  const file = findSnapshot(call, call.words[0]);
  const sure = call.flag('yes');
  const { snapshot, store, people, replaced } = sure
    ? await restoreSnapshot(storeFile, file)
    : { ...previewRestore(storeFile, file), replaced: null };
  if (people.length > 0 && !call.json)
    print(call, tableLines(['email', 'inStore', 'inSnapshot'], people));
  const lines = [
    `the snapshot: ${describe(snapshot)}`,
    store ? `the store: ${describe(store)}` : 'the store cannot be read; all sessions end',
    ...(replaced === null ? [] : [`the replaced store is kept as ${replaced}`]),
    ...(sure ? [`restored ${file}; now start the server`] : []),
  ];
  printOutcome(call, lines.join('\n'), { file, snapshot, store, people, replaced });
  if (!sure) throw new Refusal('nothing is changed; to restore, stop the server and add --yes');
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Numbers of rows; 0 without a store. */
function describe(rows: RowCounts): string {
  const { invites = 0, sessions = 0, project_joins: clicks = 0, events = 0 } = rows;
  const people = `${plural(invites, 'invite')}, ${plural(sessions, 'session')}`;
  return `${people}, ${plural(clicks, 'join click')}, ${plural(events, 'event')}`;
}

await runFromShell(import.meta.url, main);
