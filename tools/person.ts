/** Exports or erases all data about a person. */
import path from 'node:path';
import { readableEmail } from '../lib/addresses/normalize.ts';
import { readEmail } from '../lib/cli/arguments.ts';
import { Refusal, runFromShell } from '../lib/cli/shell.ts';
import { knownForm, readStore, withStore } from '../lib/cli/store.ts';
import { printOutcome, toTable } from '../lib/cli/terminal.ts';
import { type Call, defineTool } from '../lib/cli/tool.ts';
import { commandFor, quoteForShell } from '../lib/config.ts';
import {
  copiesWith,
  ERASED_EMAIL,
  erasureWriter,
  personalDataReader,
  removeDeletedBytes,
} from '../lib/extras/erasure/personal-data.ts';
import { SNAPSHOT_RETENTION, type Snapshot } from '../lib/store/snapshots.ts';

export const main = defineTool('person', [
  {
    usage: 'export <email>',
    help: 'everything that is stored about an address, as JSON',
    run: exportPerson,
  },
  {
    usage: 'forget <email> [email…] [--yes]',
    help: `erase all data about these addresses from the store, and list the copies that still
      have them. Without --yes, nothing changes, and the exit status is 1. If the person
      invited others, "erased" replaces the address there. The service waits during the
      erasure: 0.3 s with 100,000 events, 1.5 s with a million.`,
    run: erasePeople,
  },
]);

function exportPerson(call: Call): void {
  const typed = readEmail(call.words[0] ?? '');
  const limit = Number.MAX_SAFE_INTEGER - 1;
  const found = withStore(call, ({ db, read }) => {
    const personalData = personalDataReader(db);
    return read((readers) => {
      const { people, events, joins, changes } = readers;
      const email = knownForm(readers, typed);
      if (!personalData.isKnown(email)) throw new Refusal(nothingAbout([email]));
      return {
        email,
        person: people.find(email) ?? null,
        invited: personalData.invited(email),
        sessions: personalData.sessions(email),
        events: events.list({ email, limit }).rows,
        joinClicks: joins.list({ email, limit }).rows,
        changes: changes.list({ email, limit }).rows,
      };
    });
  });
  call.write(`${JSON.stringify(found, null, 2)}\n`);
}

function erasePeople(call: Call): void {
  const typed = call.words.map(readEmail);
  const forms = readStore(call, (readers) => typed.map((email) => knownForm(readers, email)));
  const emails = [...new Set(forms)];
  const known = withStore(call, ({ db }) => emails.filter(personalDataReader(db).isKnown));
  const unknown = emails.filter((email) => !known.includes(email));
  const sure = call.flag('yes');
  if (sure) eraseNow(call, emails, known.length);
  const holding = copiesWith(call.storeFile, emails);
  const lines: string[] = [];
  const names = known.map(readableEmail).join(', ');
  if (known.length > 0 && sure) lines.push(`erased: ${names}`);
  if (known.length > 0 && !sure)
    lines.push(`nothing is erased yet; to erase ${names} for good, add --yes`);
  if (unknown.length > 0)
    lines.push(nothingAbout(unknown) + (sure ? ', nor bytes of deleted rows' : ''));
  if (holding.length > 0) lines.push(describeCopies(call, holding));
  const text = lines.join('\n');
  if (!sure || known.length === 0) throw new Refusal(text);
  const snapshots = holding.map((each) => ({ file: each.file, deletedOn: deletedOn(each) }));
  printOutcome(call, text, { erased: known, snapshots });
}

/** @param known how many of the addresses have data; the audit log gets a row for each */
function eraseNow(call: Call, emails: readonly string[], known: number): void {
  withStore(call, ({ db, transaction }) => {
    const eraseRows = erasureWriter(db);
    transaction(({ recordChange }) => {
      eraseRows(emails);
      for (let i = 0; i < known; i += 1) recordChange('erased', ERASED_EMAIL);
    });
  });
  // Do this even if no row was erased now: an earlier run may have been interrupted before it.
  removeDeletedBytes(call.storeFile);
}

/** The day (UTC) on which a snapshot is deleted; `null` if its age does not delete it. */
function deletedOn({ label, takenAt }: Snapshot): string | null {
  const end = takenAt + SNAPSHOT_RETENTION;
  const isNightly = label === '';
  // An older one is kept, because it is among the newest five.
  if (!isNightly || end <= Date.now()) return null;
  return new Date(end).toISOString().slice(0, 10);
}

/** The end of a message: the copies that have an address, and when each is deleted. */
function describeCopies({ storeFile }: Call, copies: readonly Snapshot[]): string {
  const folder = path.dirname(storeFile);
  const rows = copies.map((each) => ({
    file: path.relative(folder, each.file),
    deletedOn: deletedOn(each) ?? 'kept until you delete it',
  }));
  const names = rows.map(({ file }) => `${file}*`).join(' ');
  return (
    `copies in ${folder} that still have the data:\n${toTable('', ['file', 'deletedOn'], rows)}` +
    `to delete all of them today: ${commandFor('backup create')}, then: ` +
    `cd ${quoteForShell(folder)} && rm ${names}`
  );
}

const nothingAbout = (emails: readonly string[]): string =>
  `the store has nothing about ${emails.map(readableEmail).join(', ')}`;

await runFromShell(import.meta.url, main);
