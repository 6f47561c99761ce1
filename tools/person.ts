/** Exports or erases all data about a person. */
import path from 'node:path';
import { readEmail } from '../lib/cli/arguments.ts';
import { progress, Refusal, runFromShell } from '../lib/cli/shell.ts';
import { readStore, withStore } from '../lib/cli/store.ts';
import { plural, printOutcome, takeRows } from '../lib/cli/terminal.ts';
import { type Call, defineTool } from '../lib/cli/tool.ts';
import { commandFor } from '../lib/config.ts';
import type { Person } from '../lib/records.ts';
import { removeDeletedBytes, snapshotsNaming } from '../lib/store/erase.ts';
import { readableEmail } from '../lib/store/normalize.ts';
import { readAllPages } from '../lib/store/paging.ts';
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
    words: ['<email>'],
    options: { yes: '' },
    help: `erase all of it from the store, and list the snapshots that still hold it. Without
      --yes, only print what would be erased, status 1. In invites by the address,
      "erased" replaces it as the inviter.`,
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
      events: [...takeRows(events.rows({ email }))],
      joinClicks: [...readAllPages(joins.list, { email })],
      changes: [...readAllPages(changes.list, { email })],
    };
    call.write(`${JSON.stringify(found, null, 2)}\n`);
  });
}

function pickTotals(person: Person) {
  const { logins, timelineViews, joinClicks, lastSeenAt, firstJoinAt, lastJoinAt } = person;
  return { logins, timelineViews, joinClicks, lastSeenAt, firstJoinAt, lastJoinAt };
}

function previewErasure(call: Call): never {
  const email = readEmail(call);
  const found = readStore(call, ({ personalData }) => personalData.traces(email));
  const holding = snapshotsNaming(call.storeFile, email);
  if (isUnknown(found) && holding.length === 0) throw new Refusal(nothingAbout(email));
  throw new Refusal(
    `${readableEmail(email)}: ${describe(found)} would be erased permanently; to erase it, ` +
      `add --yes${heldBy(holding)}`,
  );
}

async function erase(call: Call): Promise<void> {
  const email = readEmail(call);
  const found = eraseRows(call, email);
  // Even without a row to erase, because an earlier run may have been interrupted here.
  const inUse = await removeDeletedBytes(call.storeFile);
  const name = readableEmail(email);
  if (inUse.length > 0)
    throw new Refusal(
      `${name} is erased, but ${inUse.join(' and ')} may still hold it, because another program ` +
        'reads it; stop that program (the standby), then run this again',
    );
  const holding = snapshotsNaming(call.storeFile, email);
  if (isUnknown(found)) throw new Refusal(nothingAbout(email) + heldBy(holding));
  const text = `${name} is erased: ${describe(found)}${heldBy(holding)}`;
  const snapshots = holding.map(({ file }) => file);
  printOutcome(call, text, { email, erased: found, snapshots, agesOut: lastDay(holding) });
}

/** Erases an address from the store and the counts. @returns the numbers of rows */
function eraseRows(call: Call, email: string): TraceCounts {
  const found = readStore(call, ({ personalData }) => personalData.traces(email));
  withStore(call, ({ transaction, read }) => {
    transaction(({ erasure, recordChange }) => {
      erasure.eraseAccess(email);
      if (!isUnknown(found)) recordChange('erased', ERASED_EMAIL);
    });
    const show = progress('events to search');
    for (let after = -Infinity; ; ) {
      const { last, left } = transaction(({ erasure }) => erasure.eraseEvents(email, after));
      show(left);
      if (last === null) break;
      after = last;
    }
    read(() => undefined, progress('rows to count'));
  });
  return found;
}

/** The day (UTC) on which the last of these snapshots ages out. */
function lastDay(snapshots: readonly Snapshot[]): string | null {
  if (snapshots.length === 0) return null;
  const newest = Math.max(...snapshots.map(({ takenAt }) => takenAt));
  return new Date(newest + SNAPSHOT_RETENTION).toISOString().slice(0, 10);
}

/** The end of a message: the snapshots that hold an address, and how that ends. */
function heldBy(snapshots: readonly Snapshot[]): string {
  if (snapshots.length === 0) return '';
  const names = snapshots.map(({ file }) => `\n  ${path.basename(file)}`).join('');
  return (
    `\n${plural(snapshots.length, 'snapshot')} in ${path.dirname(snapshots[0]?.file ?? '')} still ` +
    `hold the address, the last until ${lastDay(snapshots)}:${names}\n` +
    `to end that today: ${commandFor('backup create')}, then ${commandFor('backup prune --keep 1 --all')}`
  );
}

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
