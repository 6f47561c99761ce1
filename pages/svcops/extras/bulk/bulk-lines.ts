/** What the rows of a list are, in words. */
import { LINE_MISTAKES } from '../../../../lib/extras/bulk/reading.ts';
import type { InviteLine } from '../../../../lib/extras/bulk/reply.ts';
import type { WithReadable } from '../../../../lib/records.ts';
import { formatCount } from '../../parts.ts';

export type Line = WithReadable<InviteLine>;

/** The kinds of rows, in the order of the summary. */
const WORDS: Readonly<Record<string, string>> = {
  new: 'new',
  invited: 'already invited',
  renames: 'already invited with another first name',
  twice: 'duplicate',
  ...LINE_MISTAKES,
};

/** The words for several rows, where they differ. */
const PLURALS: Readonly<Record<string, string>> = {
  twice: 'duplicates',
  invalid_email: 'invalid addresses',
  mixed_alphabets: 'with letters of two alphabets',
  invalid_first_name: 'first names over 100 characters, or with unreadable characters',
  lost_characters: 'have lost characters (\uFFFD)',
  several_addresses: 'with more than one address',
  extra_cells: 'with more cells than the header row',
};

const kindOf = ({ status, reason }: Line): string => reason ?? status;

/** What a line is. */
export const wordsOf = (line: Line): string => WORDS[kindOf(line)] ?? kindOf(line);

/** Whether a line has to be corrected. */
export const isWrong = ({ status, reason }: Line): boolean =>
  status === 'refused' && reason !== 'twice';

/** `78 new, 3 already invited` */
export function count(lines: readonly Line[]): string {
  const parts: string[] = [];
  for (const [kind, words] of Object.entries(WORDS)) {
    const of = lines.filter((line) => kindOf(line) === kind).length;
    const plural = PLURALS[kind] ?? words;
    if (of > 0) parts.push(`${formatCount(of)} ${of === 1 ? words : plural}`);
  }
  return parts.join(', ');
}
