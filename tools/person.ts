/** The operator's answer to somebody who asks what is stored about them, or to be erased. */

import os from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { existingStore, readEmail, readStore } from '../lib/cli/arguments.ts';
import { plural, printObject, printOutcome } from '../lib/cli/terminal.ts';
import { type Arguments, Refusal, runTool } from '../lib/cli/tool.ts';
import { type Store, storeExists, storeFile } from '../lib/store/open.ts';
import type { Person } from '../lib/store/people.ts';
import type { Traces } from '../lib/store/personal-data.ts';
import { removeResidue } from '../lib/store/residue.ts';
import { eraseFromSnapshots, snapshotsWith } from '../lib/store/snapshot-erasure.ts';
import { listSnapshots } from '../lib/store/snapshots.ts';

/** Log rows of each kind erased in a transaction, and the pause after it, in ms, for the server. */
const STEP = 500;
const PAUSE = 25;

await runTool('person', [
  {
    form: 'export <email>',
    help: 'all that is stored about an address, as JSON',
    run({ words }) {
      const email = readEmail(words[0]);
      return readStore((store) => exportPerson(store, email));
    },
  },
  {
    form: 'forget <email> [--yes] [--keep-snapshots]',
    help:
      'erase all of it, for good, also from the snapshots; without --yes, say\n' +
      'what that would be and exit with status 1. Where the address has invited\n' +
      'others, "erased" takes its place.',
    run: forget,
  },
]);

async function exportPerson(
  { invites, people, personalData, events, joins }: Store,
  email: string,
): Promise<void> {
  if (isUnknown(personalData.traces(email))) throw new Refusal(nothingAbout(email));
  const person = people.find(email);
  await printObject({
    email,
    invite: invites.find(email) ?? null,
    totals: person ? pickTotals(person) : null,
    invited: personalData.invited(email),
    sessions: personalData.sessions(email),
    events: events.iterate({}, { email }),
    joinClicks: joins.iterate({}, email),
  });
}

function pickTotals(person: Person) {
  const { logins, timelineViews, joinClicks, lastSeenAt, firstJoinAt, lastJoinAt } = person;
  return { logins, timelineViews, joinClicks, lastSeenAt, firstJoinAt, lastJoinAt };
}

async function forget({ words, flag, json }: Arguments): Promise<void> {
  const email = readEmail(words[0]);
  const snapshots = listSnapshots(storeFile).length;
  const holding = flag('keep-snapshots') ? [] : snapshotsWith(storeFile, email);
  const { erased, others } = await existingStore(async (store) => {
    const { traces, erasure, containing } = store.personalData;
    const found = store.transaction(() => {
      const found = traces(email);
      if (!flag('yes') && !(isUnknown(found) && holding.length === 0))
        throw new Refusal(
          `${email}: ${describe(found, holding.length)} would be erased for good; to do so, add --yes`,
        );
      erasure.expel(email);
      return found;
    });
    while (store.transaction(() => erasure.eraseLogs(email, STEP)) > 0) await setTimeout(PAUSE);
    return { erased: found, others: containing(email) };
  });
  // Also where nothing is left to erase: an earlier run may have been interrupted before this.
  const left = storeExists() ? await eraseCopies(email, others, holding) : [];
  if (left.length > 0)
    throw new Refusal(`${email} is erased, but ${left.join('; also, ')}; then run this again`);
  if (isUnknown(erased) && holding.length === 0) throw new Refusal(nothingAbout(email));
  const kept = flag('keep-snapshots') ? snapshots : 0;
  await printOutcome(
    `${email} is erased: ${describe(erased, holding.length)}${
      kept === 0 ? '' : `\n${plural(kept, 'snapshot')} in data/backups may still hold the address`
    }`,
    { email, erased, snapshots: holding.length, snapshotsKept: kept },
    json,
  );
}

/** @returns what could not be done, and what to do */
async function eraseCopies(
  email: string,
  others: readonly string[],
  snapshots: readonly string[],
): Promise<string[]> {
  // The server has priority.
  os.setPriority(os.constants.priority.PRIORITY_LOW);
  const failed = await eraseFromSnapshots(storeFile, snapshots, email);
  const residue = await removeResidue(storeFile, email, others);
  return [
    ...(failed.length > 0
      ? [`${failed.join(', ')} cannot be changed, because it does not check out; delete it`]
      : []),
    ...(residue === undefined ? [] : [residue]),
  ];
}

function isUnknown(traces: Traces): boolean {
  return Object.values(traces).every((count) => count === 0);
}

function nothingAbout(email: string): string {
  return `nothing is stored about ${email}`;
}

function describe(
  { invites, sessions, events, joinClicks, invited }: Traces,
  snapshots: number,
): string {
  return [
    plural(invites, 'invite'),
    plural(sessions, 'session'),
    plural(events, 'event'),
    plural(joinClicks, 'join click'),
    ...(invited > 0 ? [`the inviter's name in ${plural(invited, 'other invite')}`] : []),
    ...(snapshots > 0 ? [`and what ${plural(snapshots, 'snapshot')} hold of it`] : []),
  ].join(', ');
}
