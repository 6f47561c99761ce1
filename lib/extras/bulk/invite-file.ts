/** `invite add --file`: invites the people of a file. A bad line refuses the whole file. */
import fs from 'node:fs';
import { meantDomain } from '../../addresses/address.ts';
import { invitePerson } from '../../cli/invite-person.ts';
import { Refusal } from '../../cli/shell.ts';
import { withNewStore } from '../../cli/store.ts';
import { printOutcome, toTable } from '../../cli/terminal.ts';
import type { Call } from '../../cli/tool.ts';
import { readSettings } from '../../config.ts';
import { readAddressList } from './address-list.ts';
import { decodeText, LINE_MISTAKES } from './mistakes.ts';

/**
 * @param file a path, or `-` for standard input
 * @throws {Refusal} if the file is empty or has bad lines, which are all named
 */
export function readInviteFile(readInput: () => Buffer, file: string) {
  const name = file === '-' ? 'standard input' : file;
  const text = decodeText(file === '-' ? readInput() : fs.readFileSync(file));
  if (text === undefined)
    throw new Refusal(`${name} is not UTF-8; no one was invited: save it as CSV UTF-8, try again`);
  const list = readAddressList(text);
  const { entries } = list;
  const mistakes = entries.flatMap(({ line, text, reason }) => {
    const mistake = LINE_MISTAKES[reason ?? ''];
    return mistake ? `line ${line}: ${JSON.stringify(text.slice(0, 200))}: ${mistake}` : [];
  });
  if (mistakes.length > 0) {
    const remedy = 'no one was invited: correct these lines, and try again';
    throw new Refusal([...mistakes, remedy].join('\n'));
  }
  if (entries.length === 0) throw new Refusal(`${name} contains no addresses`);
  return list;
}

/** Of several lines about one person, the first counts. Prints who is new or has a new name. */
export function inviteFile(call: Call, file: string): void {
  const { entries, ignored, warning } = readInviteFile(call.readInput, file);
  const listed = entries.filter(({ reason }) => reason === null);
  const { publicOrigin } = readSettings(call.env);
  const people = withNewStore(call, ({ transaction }) =>
    transaction((writer) =>
      listed.map(({ email, firstName }) => invitePerson(writer, email, firstName, publicOrigin)),
    ),
  );
  const counts = { invited: 0, renamed: 0, known: 0, twice: entries.length - people.length };
  for (const { outcome } of people) counts[outcome] += 1;
  const { invited, renamed, known, twice } = counts;
  const before = `${renamed + known} already invited, ${renamed} of them with a new first name`;
  const greeted = people.filter(({ outcome }) => outcome !== 'known');
  const lines = [
    greeted.length > 0 && toTable(['email', 'firstName', 'link'], greeted).trimEnd(),
    !call.env.PUBLIC_ORIGIN &&
      'the links lead to this computer; set PUBLIC_ORIGIN to get those to send',
    ...greeted.map(
      ({ email }) => meantDomain(email) && `${email}: did you mean ${meantDomain(email)}?`,
    ),
    warning,
    ignored.length > 0 && `ignored: ${ignored.join(', ')}`,
    `${invited} invited; ${before}; ${twice} duplicate`,
  ];
  printOutcome(call, lines.filter(Boolean).join('\n'), { ...counts, ignored, warning, people });
}
