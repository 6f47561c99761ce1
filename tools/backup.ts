/** Takes, checks and restores snapshots of the store. */
import fs from 'node:fs';
import path from 'node:path';
import { LIST, readFilter } from '../lib/cli/arguments.ts';
import { Refusal, runFromShell } from '../lib/cli/shell.ts';
import { plural, printList, printOutcome, toTable } from '../lib/cli/terminal.ts';
import { type Call, defineTool } from '../lib/cli/tool.ts';
import { compareWithStore, restoreSnapshot } from '../lib/extras/restore/restore.ts';
import { COLUMNS } from '../lib/lists.ts';
import { sizeOf } from '../lib/store/files.ts';
import { inspectStoreFile } from '../lib/store/inspection.ts';
import { requireStore } from '../lib/store/open.ts';
import {
  findSnapshot,
  listSnapshots,
  removeOldSnapshots,
  takeSnapshot,
} from '../lib/store/snapshots.ts';

const NO_SITE = 'A snapshot never contains the site. Copy data/site/ back.';

export const main = defineTool('backup', [
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
  {
    usage: 'restore <file> [--yes]',
    help: `replace the store by a snapshot, given as a path or a name from the list. The
      server must be stopped. The replaced store is kept, and all sessions end.
      Without --yes, only print what both hold, and the changes to the invite list
      that would be undone, status 1`,
    run: restore,
  },
]);

function create(call: Call): void {
  const { storeFile } = call;
  requireStore(storeFile);
  // First, because old snapshots may fill the disk.
  const before = removeOldSnapshots(storeFile);
  const { file, bytes, rows } = takeSnapshot(storeFile);
  const removed = before + removeOldSnapshots(storeFile);
  const old = removed === 0 ? '' : `; ${removed} older than 14 days removed`;
  printOutcome(call, `${file}: checked${old}`, { file, bytes, rows, removed });
}

function list(call: Call): void {
  const newest = listSnapshots(call.storeFile).slice(0, readFilter(call).limit);
  const rows = newest.map((snapshot) => {
    const inspection = inspectStoreFile(snapshot.file);
    const name = path.basename(snapshot.file);
    const bytes = sizeOf(snapshot.file) + sizeOf(`${snapshot.file}-wal`);
    return { name, ...snapshot, bytes, ...inspection, check: inspection.fault ?? 'ok' };
  });
  printList(call, ['name', 'takenAt', 'bytes', 'rows', 'check'], rows);
}

function restore(call: Call): void {
  const { storeFile } = call;
  const file = findSnapshot(storeFile, call.words[0] ?? '');
  const { snapshot, store, undone } = compareWithStore(storeFile, file);
  const sure = call.flag('yes');
  const replaced = sure ? restoreSnapshot(storeFile, file) : null;
  const erased = undone.filter(({ what }) => what === 'erased').length;
  const unread = { rows: 'missing, or it cannot be read', newestDay: null };
  const contents = [
    { file: 'snapshot', ...snapshot },
    { file: 'store', ...(store ?? unread) },
  ];
  const lines = [
    undone.length > 0 && `changes that are undone:\n${toTable(COLUMNS.changes, undone)}`,
    toTable(['file', 'rows', 'newestDay'], contents),
    erased > 0 && `${plural(erased, 'erased person')}: what the snapshot holds comes back\n`,
    replaced && `the replaced store is kept as ${replaced}\n`,
    sure && `restored ${file}; everybody must log in again\n`,
    sure && !fs.existsSync(path.join(path.dirname(storeFile), 'site')) && NO_SITE,
  ];
  const text = lines.filter(Boolean).join('').trimEnd();
  printOutcome(call, text, { file, snapshot, store, undone, replaced });
  if (!sure)
    throw new Refusal(
      'nothing is changed; to restore, stop the server and add --yes; all sessions will end',
    );
}

await runFromShell(import.meta.url, main);
