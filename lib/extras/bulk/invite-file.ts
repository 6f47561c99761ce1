/** `invite add --file`: invites the people of a file. */
import { suggestDomain } from '../../addresses/address.ts';
import { readChoice } from '../../cli/arguments.ts';
import { type Invited, invitePerson } from '../../cli/invite-person.ts';
import { withNewStore } from '../../cli/store.ts';
import { plural, printOutcome, toTable } from '../../cli/terminal.ts';
import type { Call } from '../../cli/tool.ts';
import { LOCAL_LINKS, readSettings } from '../../config.ts';
import { ENCODINGS, readInviteFile } from './read-file.ts';
import { describeReading } from './reading.ts';

/** If several lines are about one person, the first counts. Prints who is new or has a new name. */
export function inviteFile(call: Call, file: string): void {
  const asked = readChoice(call, 'encoding', ENCODINGS) ?? 'utf-8';
  const { list, encoding } = readInviteFile(call.readInput, file, asked);
  const { entries, read, ignored, withoutAddress, warning } = list;
  const listed = entries.filter(({ reason }) => reason === null);
  const { publicOrigin } = readSettings(call.env);
  const people = withNewStore(call, (store) =>
    store.transaction((writer) => {
      const moment = writer.invites.newMoment();
      return listed.map((person) => invitePerson(store, writer, person, publicOrigin, moment));
    }),
  );
  const counts = { invited: 0, renamed: 0, known: 0, twice: entries.length - people.length };
  for (const { outcome } of people) counts[outcome] += 1;
  const greeted = people.filter(({ outcome }) => outcome !== 'known');
  const lines: string[] = [];
  if (greeted.length > 0)
    lines.push(toTable('', ['email', 'firstName', 'link'], greeted).trimEnd());
  if (greeted.length > 0 && !call.env.PUBLIC_ORIGIN) lines.push(LOCAL_LINKS);
  for (const { email } of greeted) {
    const meant = suggestDomain(email);
    if (meant) lines.push(`${email}: did you mean ${meant}?`);
  }
  if (warning !== null) lines.push(warning);
  if (encoding === 'windows-1252') lines.push(...adviseOnEncoding(greeted));
  const reading = describeReading(list);
  if (reading) lines.push(reading);
  if (ignored.length > 0) lines.push(`ignored: ${ignored.join(', ')}`);
  lines.push(describeCounts(counts));
  const outcome = { ...counts, read, ignored, withoutAddress, warning, people };
  printOutcome(call, lines.join('\n'), outcome);
}

type Counts = Record<Invited['outcome'] | 'twice', number>;

/** `2 invited; 1 was already invited and has a new first name; 1 duplicate` */
function describeCounts({ invited, renamed, known, twice }: Counts): string {
  const parts = [`${invited} invited`];
  if (renamed === 1) parts.push('1 was already invited and has a new first name');
  if (renamed > 1) parts.push(`${renamed} were already invited and have new first names`);
  if (known > 0) parts.push(`${known} ${known === 1 ? 'was' : 'were'} already invited`);
  if (twice > 0) parts.push(plural(twice, 'duplicate'));
  return parts.join('; ');
}

/** If the encoding is wrong, letters beyond ASCII are wrong. */
function adviseOnEncoding(people: readonly Invited[]): readonly string[] {
  const names = new Set<string>();
  for (const { firstName } of people)
    if (firstName !== null && /[^ -~]/.test(firstName)) names.add(`“${firstName}”`);
  if (names.size === 0) return [];
  return [`Read as Windows-1252. Check these names: ${[...names].join(', ')}.`];
}
