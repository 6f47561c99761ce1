/** `backup restore`: shows what a restore would change, then does it. */
import fs from 'node:fs';
import path from 'node:path';
import { Refusal } from '../../cli/shell.ts';
import { plural, printOutcome, toTable } from '../../cli/terminal.ts';
import type { Call, Command } from '../../cli/tool.ts';
import { COLUMNS } from '../../lists.ts';
import { findSnapshot } from '../../store/snapshots.ts';
import { compareWithStore, restoreSnapshot } from './restore.ts';

const NO_SITE = 'A snapshot never contains the site. Copy data/site/ back.';

export const restoreCommand: Command = {
  usage: 'restore <file> [--yes]',
  help: `replace the store by a snapshot, given as a path or a name from the list. The
    server must be stopped. The replaced store is kept, and all sessions end.
    Without --yes, only print what both contain and which changes would be undone;
    the exit status is then 1`,
  run: restore,
};

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
  const lines: string[] = [];
  if (undone.length > 0)
    lines.push(`changes that are undone:\n${toTable('', COLUMNS.changes, undone).trimEnd()}`);
  lines.push(toTable('', ['file', 'rows', 'newestDay'], contents).trimEnd());
  if (erased > 0)
    lines.push(`the snapshot still has the data of ${plural(erased, 'erased person')}`);
  if (replaced !== null) lines.push(`the replaced store is kept as ${replaced}`);
  if (sure) {
    lines.push(`restored ${file}; everybody must log in again`);
    if (!fs.existsSync(path.join(path.dirname(storeFile), 'site'))) lines.push(NO_SITE);
  }
  const text = lines.join('\n');
  printOutcome(call, text, { file, snapshot, store, undone, replaced });
  if (!sure)
    throw new Refusal(
      'nothing is changed; to restore, stop the server and add --yes; all sessions will end',
    );
}
