/** Exports or erases everything that is stored about a person. */

import os from 'node:os';
import { readEmail } from '../lib/cli/arguments.ts';
import { readStore, TRANSACTION_ROWS, withStore } from '../lib/cli/store.ts';
import { plural, printObject, printOutcome, sleep } from '../lib/cli/terminal.ts';
import { type Arguments, Refusal, runTool } from '../lib/cli/tool.ts';
import type { Person } from '../lib/records.ts';
import { removeResidue } from '../lib/store/file/residue.ts';
import { eraseFromSnapshots, snapshotsWith } from '../lib/store/file/snapshot-erasure.ts';
import { listSnapshots } from '../lib/store/file/snapshots.ts';
import { type Store, storeExists, storeFile } from '../lib/store/open.ts';
import { readableEmail } from '../lib/store/rows/normalize.ts';
import { readAll } from '../lib/store/rows/page.ts';
import { ERASED, type Traces } from '../lib/store/rows/personal-data.ts';

/** Pause between two transactions, in ms, so that the server can write. */
const TRANSACTION_PAUSE = 25;

await runTool('person', [
  {
    form: 'export <email>',
    help: 'everything that is stored about an address, as JSON',
    run({ words }) {
      const email = readEmail(words[0]);
      return readStore((store) => exportPerson(store, email));
    },
  },
  {
    form: 'forget <email> [--yes] [--keep-snapshots]',
    help:
      'erase all of it permanently, also from the snapshots. Without --yes, only\n' +
      'print what would be erased, status 1. In invites by the address, "erased"\n' +
      'replaces it as the inviter.',
    run: forget,
  },
]);

function exportPerson(
  { invites, people, personalData, events, joins, changes }: Store,
  email: string,
): void {
  if (isUnknown(personalData.traces(email))) throw new Refusal(nothingAbout(email));
  const person = people.find(email);
  printObject({
    email,
    invite: invites.find(email) ?? null,
    totals: person ? pickTotals(person) : null,
    invited: personalData.invited(email),
    sessions: personalData.sessions(email),
    events: readAll(events.list, { email }),
    joinClicks: readAll(joins.list, { email }),
    changes: readAll(changes.list, { email }),
  });
}

function pickTotals(person: Person) {
  const { logins, timelineViews, joinClicks, lastSeenAt, firstJoinAt, lastJoinAt } = person;
  return { logins, timelineViews, joinClicks, lastSeenAt, firstJoinAt, lastJoinAt };
}

async function forget({ words, flag, json }: Arguments): Promise<void> {
  const email = readEmail(words[0]);
  const keep = flag('keep-snapshots');
  const holding = keep ? 0 : snapshotsWith(storeFile, email).length;
  const { found, others } = withStore((store) => {
    const { traces, containing } = store.personalData;
    const found = store.transaction(({ erasure, log }) => {
      const found = traces(email);
      if (!flag('yes') && !(isUnknown(found) && holding === 0))
        throw new Refusal(
          `${readableEmail(email)}: ${describe(found, holding)} would be erased permanently; to erase it, add --yes`,
        );
      erasure.expel(email);
      if (!isUnknown(found)) log('erased', ERASED);
      return found;
    });
    const eraseSome = () =>
      store.transaction(({ erasure, count }) => {
        count();
        return erasure.eraseCounted(email, TRANSACTION_ROWS);
      });
    while (eraseSome() > 0) sleep(TRANSACTION_PAUSE);
    return { found, others: containing(email) };
  });
  // Also if no row is left to erase: an earlier run may have been interrupted before this.
  const { left, erased } = storeExists()
    ? await eraseCopies(email, others, keep)
    : { left: [], erased: 0 };
  if (left.length > 0)
    throw new Refusal(
      `${readableEmail(email)} is erased, but ${left.join('; also, ')}; then run this again`,
    );
  if (isUnknown(found) && erased === 0) throw new Refusal(nothingAbout(email));
  const kept = keep ? listSnapshots(storeFile).length : 0;
  printOutcome(
    `${readableEmail(email)} is erased: ${describe(found, erased)}${
      kept === 0 ? '' : `\n${plural(kept, 'snapshot')} in data/backups may still hold the address`
    }`,
    { email, erased: found, snapshots: erased, snapshotsKept: kept },
    json,
  );
}

/** @returns what is left to do, and how many snapshots were changed */
async function eraseCopies(
  email: string,
  others: readonly string[],
  keepSnapshots: boolean,
): Promise<{ left: readonly string[]; erased: number }> {
  // The server has priority.
  os.setPriority(os.constants.priority.PRIORITY_LOW);
  const { erased, failed } = await eraseFromSnapshots(storeFile, email, keepSnapshots);
  const residue = await removeResidue(storeFile, email, others);
  const left = [
    ...(failed.length > 0
      ? [`${failed.join(', ')} cannot be changed, because it fails the check; delete it`]
      : []),
    ...(residue === undefined ? [] : [residue]),
  ];
  return { left, erased };
}

function isUnknown(traces: Traces): boolean {
  return Object.values(traces).every((count) => count === 0);
}

function nothingAbout(email: string): string {
  return `nothing is stored about ${readableEmail(email)}`;
}

function describe(
  { invites, sessions, events, joinClicks, invited, changes }: Traces,
  snapshots: number,
): string {
  return [
    plural(invites, 'invite'),
    plural(sessions, 'session'),
    plural(events, 'event'),
    plural(joinClicks, 'join click'),
    ...(invited > 0 ? [`the inviter's name in ${plural(invited, 'other invite')}`] : []),
    ...(changes > 0 ? [`the address in ${plural(changes, 'logged change')}`] : []),
    ...(snapshots > 0 ? [`and its rows in ${plural(snapshots, 'snapshot')}`] : []),
  ].join(', ');
}
