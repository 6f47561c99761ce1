/** Exports or erases all data about a person. */
import path from 'node:path';
import { readEmail, readEmails } from '../lib/cli/arguments.ts';
import { Refusal, runFromShell } from '../lib/cli/shell.ts';
import { countAndRead, readLogs, withStore } from '../lib/cli/store.ts';
import { plural, printOutcome } from '../lib/cli/terminal.ts';
import { type Call, defineTool } from '../lib/cli/tool.ts';
import { commandFor } from '../lib/config.ts';
import type { Person } from '../lib/records.ts';
import { removeDeletedBytes, snapshotsWith } from '../lib/store/erase.ts';
import { readableEmail } from '../lib/store/normalize.ts';
import { storeExists } from '../lib/store/open.ts';
import { ERASED_EMAIL, isUnknown, type TraceCounts } from '../lib/store/personal-data.ts';
import { SNAPSHOT_RETENTION, type Snapshot } from '../lib/store/snapshots.ts';

export const main = defineTool('person', [
  {
    name: 'export',
    words: ['<email>'],
    help: 'everything that is stored about an address, as JSON',
    run: exportPerson,
  },
  {
    name: 'forget',
    words: ['<email>', '[email…]'],
    options: { yes: '' },
    help: `erase all of it from the store, and list the snapshots that still hold it. Without
      --yes, only print what would be erased, status 1. In invites by the address,
      "erased" replaces it as the inviter. Visitors wait meanwhile: 0.2 s with
      100,000 events, 1.5 s with a million.`,
    run: (call) => (call.flag('yes') ? erase(call) : previewErasure(call)),
  },
]);

function exportPerson(call: Call): void {
  const email = readEmail(call);
  const limit = Number.MAX_SAFE_INTEGER - 1;
  countAndRead(call, ({ invites, people, personalData, events, clicks, changes }) => {
    if (isUnknown(personalData.traces(email))) throw new Refusal(nothingAbout([email]));
    const person = people.find(email);
    const found = {
      email,
      invite: invites.find(email) ?? null,
      totals: person ? pickTotals(person) : null,
      invited: personalData.invited(email),
      sessions: personalData.sessions(email),
      events: events.list({ email, limit }).rows,
      joinClicks: clicks.list({ email, limit }).rows,
      changes: changes.list({ email, limit }).rows,
    };
    call.write(`${JSON.stringify(found, null, 2)}\n`);
  });
}

function pickTotals(person: Person) {
  const { logins, timelineViews, joinClicks, lastSeenAt, firstJoinAt, lastJoinAt } = person;
  return { logins, timelineViews, joinClicks, lastSeenAt, firstJoinAt, lastJoinAt };
}

/** The numbers of rows about each address. */
type Found = Readonly<Record<string, TraceCounts>>;

const readTraces = (call: Call, emails: readonly string[]): Found =>
  readLogs(call, ({ personalData }) =>
    Object.fromEntries(emails.map((email) => [email, personalData.traces(email)])),
  );

function previewErasure(call: Call): never {
  const emails = readEmails(call);
  const found = readTraces(call, emails);
  const holding = snapshotsWith(call.storeFile, emails);
  if (Object.values(found).every(isUnknown) && holding.length === 0)
    throw new Refusal(nothingAbout(emails));
  throw new Refusal(
    `${describe(found, 'would be erased permanently')}\nto erase it, add --yes${heldBy(holding)}`,
  );
}

async function erase(call: Call): Promise<void> {
  const emails = readEmails(call);
  const found = readTraces(call, emails);
  const known = Object.values(found).filter((traces) => !isUnknown(traces));
  withStore(call, ({ transaction }) =>
    transaction(({ erase, recordChange }) => {
      erase(emails);
      for (const _ of known) recordChange('erased', ERASED_EMAIL);
    }),
  );
  // Even without a row to erase, because an earlier run may have been interrupted here.
  if (storeExists(call.storeFile)) await removeDeletedBytes(call.storeFile);
  const holding = snapshotsWith(call.storeFile, emails);
  const again = `${nothingAbout(emails)}, nor bytes of deleted rows`;
  if (known.length === 0) throw new Refusal(again + heldBy(holding));
  const snapshots = holding.map((each) => ({ file: each.file, goesOn: goesOn(each) }));
  const text = describe(found, 'erased') + heldBy(holding);
  printOutcome(call, text, { erased: found, snapshots });
}

/** The day (UTC) on which a snapshot goes; `null` if it is kept. */
const goesOn = ({ label, takenAt }: Snapshot): string | null =>
  label === '' ? new Date(takenAt + SNAPSHOT_RETENTION).toISOString().slice(0, 10) : null;

/** The end of a message: the snapshots that hold an address, and how that ends. */
function heldBy(snapshots: readonly Snapshot[]): string {
  const [first] = snapshots;
  if (!first) return '';
  const folder = path.dirname(first.file);
  const lines = snapshots.map((each) => {
    const day = goesOn(each);
    const end = day ? `goes on ${day}` : 'kept until you delete it';
    return `\n  ${path.basename(each.file)}: ${end}`;
  });
  const hold = snapshots.length === 1 ? 'holds' : 'hold';
  const names = snapshots.map(({ file }) => `${path.basename(file)}*`).join(' ');
  return (
    `\n${plural(snapshots.length, 'snapshot')} in ${folder} still ${hold} it:${lines.join('')}\n` +
    `to delete all of them today: ${commandFor('backup create')}, then: cd '${folder}' && rm ${names}`
  );
}

const nothingAbout = (emails: readonly string[]): string =>
  `the store has nothing about ${emails.map(readableEmail).join(', ')}`;

/** A line for each address. */
const describe = (found: Found, outcome: string): string =>
  Object.entries(found)
    .map(([email, { invites, sessions, events, joinClicks, invited, changes }]) => {
      const rows = [
        plural(invites, 'invite'),
        plural(sessions, 'session'),
        plural(events, 'event'),
        plural(joinClicks, 'join'),
      ].join(', ');
      const others = `${plural(invited, 'other invite')} and ${plural(changes, 'logged change')}`;
      return `${readableEmail(email)} ${outcome}: ${rows}, and the address in ${others}`;
    })
    .join('\n');

await runFromShell(import.meta.url, main);
