/** The operator's way to snapshots of the store: taking, checking and restoring them. */
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
  ['checks out', ({ fault }) => fault ?? 'yes'],
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
    form: 'restore <file> [--list] [--yes]',
    help:
      'put a snapshot, a path or a name from the list, in the place of the store,\n' +
      'which is kept; the server must be stopped. Without --yes, say what would return\n' +
      'and what would be lost, and exit with status 1; --list says it by name',
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

async function restore({ words, flag, json }: Arguments): Promise<void> {
  const file = findSnapshot(words[0] ?? '');
  const sure = flag('yes');
  const { rows, differences, replaced } = sure
    ? await restoreSnapshot(storeFile, file)
    : { ...(await previewRestore(storeFile, file)), replaced: null };
  const [returns, loses] = [sumUp(differences, 'returns'), sumUp(differences, 'loses')];
  if (flag('list') && !json) await printRows(differences ?? [], DIFFERENCES, false);
  const people = flag('list') ? { people: differences } : {};
  const changes =
    differences === undefined
      ? [
          'the store before it cannot be read, so what returns and what is lost is unknown; everybody is logged out',
        ]
      : [`returns: ${describe(returns) || 'nothing'}`, `is lost: ${describe(loses) || 'nothing'}`];
  const lines = [
    `${sure ? 'restored' : 'would restore'} ${file}: ${describe(rows)}`,
    ...changes,
    ...(replaced === null ? [] : [`the replaced store is kept as ${replaced}`]),
    ...(sure ? ['start the server now'] : []),
  ];
  await printOutcome(lines.join('\n'), { file, rows, replaced, returns, loses, ...people }, json);
  if (!sure)
    throw new Refusal(
      'nothing is changed; --list names the people; to restore, stop the server and add --yes',
    );
}

async function prune({ option, json }: Arguments): Promise<void> {
  const kept = readLimit(option('keep'), 'keep');
  const removed = removeOldSnapshots(storeFile, kept);
  const left = listSnapshots(storeFile).length;
  await printOutcome(
    `${plural(removed, 'snapshot')} removed; ${left} left`,
    { removed, left },
    json,
  );
}

/** Rows that come back or are lost, by kind. */
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
