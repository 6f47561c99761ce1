/** Takes, checks and restores snapshots of the store. */
import os from 'node:os';
import path from 'node:path';
import { findSnapshot, readLimit } from '../lib/cli/arguments.ts';
import {
  type Column,
  plural,
  printOutcome,
  printRows,
  showProgress,
  utc,
} from '../lib/cli/terminal.ts';
import { type Arguments, Refusal, runTool } from '../lib/cli/tool.ts';
import { type Difference, previewRestore } from '../lib/store/file/comparison.ts';
import { type Inspection, inspectFile, type Rows } from '../lib/store/file/inspection.ts';
import { restoreSnapshot } from '../lib/store/file/restore.ts';
import {
  listSnapshots,
  removeOldSnapshots,
  type Snapshot,
  takeSnapshot,
} from '../lib/store/file/snapshots.ts';
import { storeExists, storeFile } from '../lib/store/open.ts';
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

await runTool('backup', [
  {
    form: 'create',
    help:
      'take a snapshot while the server runs, check it, and put it into data/backups;\n' +
      'then remove snapshots older than 14 days, except the newest five',
    run: create,
  },
  {
    form: 'list',
    help: 'all snapshots, newest first, with the result of a check',
    run: list,
  },
  {
    form: 'prune [--keep <n>]',
    help: 'remove all snapshots except the newest n; without n, the same ones as create',
    run: prune,
  },
  {
    form: 'restore <file> [--yes]',
    help:
      'replace the store by a snapshot, given as a path or a name from the list. The\n' +
      'replaced store is kept. The server must be stopped. Without --yes, only print\n' +
      'the rows of both, and whose invite or administration would change, status 1',
    run: restore,
  },
]);

async function create({ json }: Arguments): Promise<void> {
  if (!storeExists()) throw new Refusal(`there is no store at ${storeFile}, so nothing to back up`);
  // The server has priority.
  os.setPriority(os.constants.priority.PRIORITY_LOW);
  const { file, bytes, rows } = await takeSnapshot(storeFile);
  const removed = removeOldSnapshots(storeFile);
  printOutcome(
    `${file}: ${megabytes(bytes)}, ${describe(rows)}; checked` +
      (removed === 0 ? '' : `; ${removed} older than 14 days removed`),
    { file, bytes, rows, removed },
    json,
  );
}

function list({ json }: Arguments): void {
  const snapshots = listSnapshots(storeFile);
  const checked = snapshots.map((snapshot, i): Checked => {
    const inspection = inspectFile(snapshot.file);
    showProgress('checking', i + 1, snapshots.length);
    return { ...snapshot, ...inspection };
  });
  printRows(checked, COLUMNS, json);
}

function prune({ option, json }: Arguments): void {
  const kept = readLimit(option('keep'), 'keep');
  const removed = removeOldSnapshots(storeFile, kept);
  const left = listSnapshots(storeFile).length;
  printOutcome(`${plural(removed, 'snapshot')} removed; ${left} left`, { removed, left }, json);
}

async function restore({ words, flag, json }: Arguments): Promise<void> {
  const file = findSnapshot(words[0] ?? '');
  const sure = flag('yes');
  const { snapshot, store, people, replaced } = sure
    ? await restoreSnapshot(storeFile, file)
    : { ...previewRestore(storeFile, file), replaced: null };
  if (people.length > 0 && !json) printRows(people, DIFFERENCES, false);
  const lines = [
    `the snapshot: ${describe(snapshot)}`,
    store === null
      ? 'the store cannot be read; all sessions end'
      : `the store: ${describe(store) || 'none yet'}`,
    ...(replaced === null ? [] : [`the replaced store is kept as ${replaced}`]),
    ...(sure ? [`restored ${file}; now start the server`] : []),
  ];
  printOutcome(lines.join('\n'), { file, snapshot, store, people, replaced }, json);
  if (!sure) throw new Refusal('nothing is changed; to restore, stop the server and add --yes');
}

function describe(rows: Rows): string {
  return ROWS.filter(([, table]) => rows[table] !== undefined)
    .map(([heading, table]) => plural(rows[table] ?? 0, heading.replace(/s$/, '')))
    .join(', ');
}
