/** The operator's answer to somebody who asks what is stored about them, or to be erased. */

import { changeStore, readEmail, readStore } from '../lib/cli/arguments.ts';
import { plural, printObject, printOutcome, utc } from '../lib/cli/terminal.ts';
import { Refusal, runTool } from '../lib/cli/tool.ts';
import type { Event } from '../lib/store/events.ts';
import type { JoinClick } from '../lib/store/joins.ts';
import { type Store, storeExists, storeFile } from '../lib/store/open.ts';
import { walk } from '../lib/store/page.ts';
import type { Traces } from '../lib/store/personal-data.ts';
import { removeResidue } from '../lib/store/residue.ts';
import { listSnapshots, RETENTION } from '../lib/store/snapshots.ts';

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
    form: 'forget <email> [--yes]',
    help:
      'erase all of it, for good; without --yes, say what that would be\n' +
      'and exit with status 1. Where the address has invited others,\n' +
      '"erased" takes its place.',
    run: ({ words, flag, json }) => forget(readEmail(words[0]), flag('yes'), json),
  },
]);

async function exportPerson(
  { invites, personalData, events, joins }: Store,
  email: string,
): Promise<void> {
  if (isUnknown(personalData.traces(email))) throw new Refusal(nothingAbout(email));
  await printObject({
    email,
    invite: invites.find(email) ?? null,
    totals: personalData.activity(email) ?? null,
    invited: personalData.invited(email),
    sessions: personalData.sessions(email),
    events: walk<Event>((limit, last) => events.list({ limit, before: last?.id }, { email })),
    joinClicks: walk<JoinClick>((limit, last) => joins.list({ limit, before: last?.id }, email)),
  });
}

async function forget(email: string, sure: boolean, json: boolean): Promise<void> {
  const erased = await changeStore(({ personalData }) => {
    const traces = personalData.traces(email);
    if (!sure && !isUnknown(traces))
      throw new Refusal(
        `${email}: ${describe(traces)} would be erased for good; to do so, add --yes`,
      );
    personalData.erase(email);
    return traces;
  });
  // Also where nothing was left to erase: an earlier run may have been cut short before this.
  const clean = !storeExists() || (await removeResidue(storeFile, email));
  if (!clean)
    throw new Refusal(
      `${email} is erased, but the write-ahead log of the store still holds it, because another program reads it all ` +
        `the time; stop that program (the standby, say), then run this again`,
    );
  if (isUnknown(erased)) throw new Refusal(nothingAbout(email));
  const snapshots = listSnapshots(storeFile);
  const newest = snapshots[0] ? snapshots[0].takenAt + RETENTION : null;
  await printOutcome(
    `${email} is erased: ${describe(erased)}${aboutSnapshots(snapshots.length, newest)}`,
    { email, erased, snapshots: snapshots.length, snapshotsUntil: newest },
    json,
  );
}

function isUnknown(traces: Traces): boolean {
  return Object.values(traces).every((count) => count === 0);
}

function nothingAbout(email: string): string {
  return `nothing is stored about ${email}`;
}

function describe({ invites, sessions, events, joinClicks, invited }: Traces): string {
  return [
    plural(invites, 'invite'),
    plural(sessions, 'session'),
    plural(events, 'event'),
    plural(joinClicks, 'join click'),
    ...(invited > 0 ? [`the inviter's name in ${plural(invited, 'other invite')}`] : []),
  ].join(', ');
}

function aboutSnapshots(count: number, until: number | null): string {
  if (count === 0) return '';
  return (
    `\n${plural(count, 'snapshot')} in data/backups, and any standby copy, may still hold the address; ` +
    `the last of them is removed by the first "backup create" after ${utc(until)}`
  );
}
