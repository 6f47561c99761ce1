/** Takes, checks and restores snapshots of the store. */
import path from 'node:path';
import { FLAG, findSnapshot, readLimit, valued } from '../lib/cli/arguments.ts';
import { runFromShell } from '../lib/cli/shell.ts';
import {
  type Column,
  plural,
  printOutcome,
  printRows,
  showProgress,
  utc,
} from '../lib/cli/terminal.ts';
import { type Call, Refusal, tool } from '../lib/cli/tool.ts';
import { type Inspection, inspectFile, type Rows } from '../lib/store/file/inspection.ts';
import { type Difference, previewRestore, restoreSnapshot } from '../lib/store/file/restore.ts';
import {
  listSnapshots,
  removeOldSnapshots,
  type Snapshot,
  takeSnapshot,
} from '../lib/store/file/snapshots.ts';
import { storeExists } from '../lib/store/open.ts';
import { readableEmail } from '../lib/store/rows/normalize.ts';

type Checked = Snapshot & Inspection;

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

const ROWS: readonly (readonly [heading: string, table: keyof Rows])[] = [
  ['invites', 'invites'],
  ['sessions', 'sessions'],
  ['join clicks', 'project_joins'],
  ['events', 'events'],
];

const COLUMNS: readonly Column<Checked>[] = [
  ['file', ({ file }) => path.basename(file)],
  ['taken at', ({ takenAt }) => utc(takenAt)],
  ['size', ({ bytes }) => megabytes(bytes)],
  ...ROWS.map(([heading, table]): Column<Checked> => [heading, ({ rows }) => rows[table] ?? null]),
  ['check', ({ fault }) => fault ?? 'ok'],
];

const DIFFERENCES: readonly Column<Difference>[] = [
  ['email', ({ email }) => readableEmail(email)],
  ['in the store', ({ inStore }) => inStore],
  ['in the snapshot', ({ inSnapshot }) => inSnapshot],
];

export const main = tool('backup', [
  {
    name: 'create',
    help:
      'take a snapshot while the server runs, check it, and put it into data/backups;\n' +
      'then remove snapshots older than 14 days, except the newest five',
    run: create,
  },
  {
    name: 'list',
    help: 'all snapshots, newest first, with the result of a check',
    run: list,
  },
  {
    name: 'prune',
    options: { keep: valued('n') },
    help: 'remove all snapshots except the newest n; without n, the same ones as create',
    run: prune,
  },
  {
    name: 'restore',
    words: ['<file>'],
    options: { yes: FLAG },
    help:
      'replace the store by a snapshot, given as a path or a name from the list. The\n' +
      'replaced store is kept. The server must be stopped. Without --yes, only print\n' +
      'the rows of both, and whose invite or administration would change, status 1',
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
  const snapshots = listSnapshots(call.storeFile);
  const checked = snapshots.map((snapshot, i): Checked => {
    const inspection = inspectFile(snapshot.file);
    showProgress('checking', i + 1, snapshots.length);
    return { ...snapshot, ...inspection };
  });
  printRows(call, checked, COLUMNS);
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
  if (people.length > 0 && !call.json) printRows(call, people, DIFFERENCES);
  const lines = [
    `the snapshot: ${describe(snapshot)}`,
    store === null
      ? 'the store cannot be read; all sessions end'
      : `the store: ${describe(store) || 'none yet'}`,
    ...(replaced === null ? [] : [`the replaced store is kept as ${replaced}`]),
    ...(sure ? [`restored ${file}; now start the server`] : []),
  ];
  printOutcome(call, lines.join('\n'), { file, snapshot, store, people, replaced });
  if (!sure) throw new Refusal('nothing is changed; to restore, stop the server and add --yes');
}

function describe(rows: Rows): string {
  return ROWS.filter(([, table]) => rows[table] !== undefined)
    .map(([heading, table]) => plural(rows[table] ?? 0, heading.replace(/s$/, '')))
    .join(', ');
}

await runFromShell(import.meta.url, main);
