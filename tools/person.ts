/** Exports or erases all data about a person. */
import { readEmail } from '../lib/cli/arguments.ts';
import { Refusal, runFromShell } from '../lib/cli/shell.ts';
import { readStore, repeatTransaction, TRANSACTION_ROWS, withStore } from '../lib/cli/store.ts';
import { jsonObject, plural, print, printOutcome } from '../lib/cli/terminal.ts';
import { type Call, defineTool } from '../lib/cli/tool.ts';
import type { Person } from '../lib/records.ts';
import { eraseFromSnapshots, snapshotsNaming, truncateWal } from '../lib/store/erase.ts';
import { SNAPSHOT_RETENTION, type Snapshot } from '../lib/store/snapshots.ts';
import { storeExists } from '../lib/store/open.ts';
import { readableEmail } from '../lib/store/normalize.ts';
import { readAllPages } from '../lib/store/paging.ts';
import { ERASED_EMAIL, type TraceCounts } from '../lib/store/personal-data.ts';

const WAL_IN_USE =
  'the WAL still holds it, because another program reads it; stop that program (the standby)';

export const main = defineTool('person', [
  {
    name: 'export',
    words: ['<email>'],
    help: 'everything that is stored about an address, as JSON',
    run: exportPerson,
  },
  {
    name: 'forget',
    words: ['<email>'],
    options: { snapshots: '', yes: '' },
    help: `erase all of it from the store (--snapshots: also inside the snapshots, which
      otherwise hold it until they age out). Without --yes, only print what would be
      erased, status 1. In invites by the address, "erased" replaces it as the inviter.`,
    run: (call) => (call.flag('yes') ? erase(call) : previewErasure(call)),
  },
]);

function exportPerson(call: Call): void {
  const email = readEmail(call);
  readStore(call, ({ invites, people, personalData, events, joins, changes }) => {
    if (isUnknown(personalData.traces(email))) throw new Refusal(nothingAbout(email));
    const person = people.find(email);
    const found = {
      email,
      invite: invites.find(email) ?? null,
      totals: person ? pickTotals(person) : null,
      invited: personalData.invited(email),
      sessions: personalData.sessions(email),
      events: readAllPages(events.list, { email }),
      joinClicks: readAllPages(joins.list, { email }),
      changes: readAllPages(changes.list, { email }),
    };
    print(call, jsonObject(found));
  });
}

function pickTotals(person: Person) {
  const { logins, timelineViews, joinClicks, lastSeenAt, firstJoinAt, lastJoinAt } = person;
  return { logins, timelineViews, joinClicks, lastSeenAt, firstJoinAt, lastJoinAt };
}

function previewErasure(call: Call): never {
  const email = readEmail(call);
  const found = withStore(call, ({ personalData }) => personalData.traces(email));
  // Listed after the store was opened, because a migration takes a snapshot.
  const holding = snapshotsNaming(call.storeFile, email);
  if (isUnknown(found) && holding.length === 0) throw new Refusal(nothingAbout(email));
  const also = call.flag('snapshots')
    ? `, also inside ${plural(holding.length, 'snapshot')}`
    : ageOut(holding);
  throw new Refusal(
    `${readableEmail(email)}: ${describe(found)} would be erased permanently${also}; to erase it, add --yes`,
  );
}

async function erase(call: Call): Promise<void> {
  const { storeFile } = call;
  const email = readEmail(call);
  const found = eraseRows(call, email);
  // Even without a row to erase, because an earlier run may have been interrupted here.
  const isEmpty = !storeExists(storeFile) || (await truncateWal(storeFile));
  const inside = call.flag('snapshots');
  const { erased, failed } = inside
    ? await eraseFromSnapshots(storeFile, email)
    : { erased: 0, failed: [] };
  const left = failed.map((file) => `${file} cannot be changed, or fails the check; delete it`);
  if (!isEmpty) left.unshift(WAL_IN_USE);
  const name = readableEmail(email);
  if (left.length > 0)
    throw new Refusal(`${name} is erased, but ${left.join('; also, ')}; then run this again`);
  const kept = inside ? [] : snapshotsNaming(storeFile, email);
  if (isUnknown(found) && erased === 0) throw new Refusal(nothingAbout(email) + ageOut(kept));
  const also = inside ? `, and its rows inside ${plural(erased, 'snapshot')}` : ageOut(kept);
  const counts = { snapshots: erased, snapshotsKept: kept.length, agesOut: lastDay(kept) };
  const text = `${name} is erased: ${describe(found)}${also}`;
  printOutcome(call, text, { email, erased: found, ...counts });
}

/** Erases an address from the store. @returns the numbers of rows */
function eraseRows(call: Call, email: string): TraceCounts {
  return withStore(call, (store) => {
    const found = store.transaction(({ erasure, recordChange }) => {
      const traces = store.personalData.traces(email);
      erasure.eraseAccess(email);
      if (!isUnknown(traces)) recordChange('erased', ERASED_EMAIL);
      return traces;
    });
    repeatTransaction(store, ({ erasure }) => {
      store.updateTotals();
      return erasure.eraseCounted(email, TRANSACTION_ROWS) > 0;
    });
    return found;
  });
}

/** The day (UTC) on which the newest of these snapshots ages out. */
function lastDay([newest]: readonly Snapshot[]): string | null {
  return newest ? new Date(newest.takenAt + SNAPSHOT_RETENTION).toISOString().slice(0, 10) : null;
}

/** The end of a sentence: how long snapshots hold the address. */
function ageOut(snapshots: readonly Snapshot[]): string {
  if (snapshots.length === 0) return '';
  const count = plural(snapshots.length, 'snapshot');
  const until = `the last until ${lastDay(snapshots)} (--snapshots erases it there)`;
  return `; the address stays in ${count}, ${until}`;
}

const isUnknown = (traces: TraceCounts): boolean =>
  Object.values(traces).every((count) => count === 0);

const nothingAbout = (email: string): string =>
  `the store has nothing about ${readableEmail(email)}`;

function describe(traces: TraceCounts): string {
  const { invites, sessions, events, joinClicks, invited, changes } = traces;
  return (
    `${plural(invites, 'invite')}, ${plural(sessions, 'session')}, ${plural(events, 'event')}, ` +
    `${plural(joinClicks, 'join click')}, and the address in ${plural(invited, 'other invite')} ` +
    `and ${plural(changes, 'logged change')}`
  );
}

await runFromShell(import.meta.url, main);
