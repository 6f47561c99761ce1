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
import type { Difference } from '../lib/store/file/comparison.ts';
import { type Inspection, inspectFile } from '../lib/store/file/inspection.ts';
import { previewRestore, restoreSnapshot } from '../lib/store/file/restore.ts';
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

const COLUMNS: readonly Column<Checked>[] = [
  ['file', ({ file }) => path.basename(file)],
  ['taken at', ({ takenAt }) => utc(takenAt)],
  ['size', ({ bytes }) => megabytes(bytes)],
  ['invites', ({ rows }) => rows.invites ?? ''],
  ['sessions', ({ rows }) => rows.sessions ?? ''],
  ['join clicks', ({ rows }) => rows.project_joins ?? ''],
  ['events', ({ rows }) => rows.events ?? ''],
  ['check', ({ fault }) => fault ?? 'ok'],
];

const DIFFERENCES: readonly Column<Difference>[] = [
  ['email', ({ email }) => readableEmail(email)],
  ['what', ({ what }) => what],
  ['returns', ({ returns }) => returns],
  ['is lost', ({ loses }) => loses],
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
    form: 'restore <file> [--list] [--yes]',
    help:
      'replace the store by a snapshot, given as a path or a name from the list. The\n' +
      'replaced store is kept. The server must be stopped. Without --yes, only print\n' +
      'what would return and what would be lost (--list: for each person), status 1',
    run: restore,
  },
]);

async function create({ json }: Arguments): Promise<void> {
  if (!storeExists()) throw new Refusal(`there is no store at ${storeFile}, so nothing to back up`);
  // The server has priority.
  os.setPriority(os.constants.priority.PRIORITY_LOW);
  const { file, bytes, rows } = await takeSnapshot(storeFile, (done, total) =>
    showProgress('copying', done, total),
  );
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

async function restore({ words, flag, json }: Arguments): Promise<void> {
  const file = findSnapshot(words[0] ?? '');
  const sure = flag('yes');
  const { rows, differences, replaced } = sure
    ? await restoreSnapshot(storeFile, file)
    : { ...(await previewRestore(storeFile, file)), replaced: null };
  const [returns, loses] = [sumUp(differences, 'returns'), sumUp(differences, 'loses')];
  if (flag('list') && !json) printRows(differences ?? [], DIFFERENCES, false);
  const people = flag('list') ? { people: differences } : {};
  const changes =
    differences === undefined
      ? ['the replaced store cannot be read, so the changes are unknown; everybody is logged out']
      : [`returns: ${describe(returns) || 'nothing'}`, `is lost: ${describe(loses) || 'nothing'}`];
  const lines = [
    `${sure ? 'restored' : 'would restore'} ${file}: ${describe(rows)}`,
    ...changes,
    ...(replaced === null ? [] : [`the replaced store is kept as ${replaced}`]),
    ...(sure ? ['now start the server'] : []),
  ];
  printOutcome(lines.join('\n'), { file, rows, replaced, returns, loses, ...people }, json);
  if (!sure)
    throw new Refusal(
      'nothing is changed; --list names the people; to restore, stop the server and add --yes',
    );
}

function prune({ option, json }: Arguments): void {
  const kept = readLimit(option('keep'), 'keep');
  const removed = removeOldSnapshots(storeFile, kept);
  const left = listSnapshots(storeFile).length;
  printOutcome(`${plural(removed, 'snapshot')} removed; ${left} left`, { removed, left }, json);
}

/** Sums of rows that return or are lost, by kind. */
function sumUp(
  differences: readonly Difference[] | undefined,
  direction: 'returns' | 'loses',
): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const { what, [direction]: count } of differences ?? [])
    if (count > 0) sums[what] = (sums[what] ?? 0) + count;
  return sums;
}

function describe(rows: Readonly<Record<string, number>>): string {
  return Object.entries(rows)
    .map(([table, count]) => plural(count, table.replace('_', ' ').replace(/s$/, '')))
    .join(', ');
}
