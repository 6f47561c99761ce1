/** The words for the kinds of rows in a list. */
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

/** The words for several rows, if they differ. */
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

/** The kind of a line. */
export const wordsOf = (line: Line): string => WORDS[kindOf(line)] ?? kindOf(line);

/** Whether a line has to be corrected. */
export const isWrong = ({ status, reason }: Line): boolean =>
  status === 'refused' && reason !== 'twice';

/** How many lines of a kind there are: `3 invalid addresses`. */
export type Count = {
  readonly words: string;
  /** The class of a line of this kind. */
  readonly className: string;
};

/** Green for people who will be invited, red for what has to be corrected. */
export function classOf(line: Line): string {
  if (isWrong(line)) return 'failed';
  return line.status === 'new' ? 'done' : '';
}

export function countKinds(lines: readonly Line[]): readonly Count[] {
  const counts: Count[] = [];
  for (const [kind, one] of Object.entries(WORDS)) {
    const ofKind = lines.filter((line) => kindOf(line) === kind);
    const [first] = ofKind;
    if (!first) continue;
    const words = ofKind.length === 1 ? one : (PLURALS[kind] ?? one);
    counts.push({
      words: `${formatCount(ofKind.length)} ${words}`,
      className: classOf(first),
    });
  }
  return counts;
}

/**
 * Sorts what somebody should check first: new people with a misspelt domain, rows with a mistake,
 * new people with a doubtful first name. Then come all other new people, then the rest. Only the
 * first rows of a long list are shown.
 */
export function inOrder(lines: readonly Line[]): readonly Line[] {
  return [...lines].sort((one, other) => rankOf(one) - rankOf(other));
}

function rankOf(line: Line): number {
  if (isWrong(line)) return 1;
  if (line.status !== 'new') return 4;
  if (line.suggestion) return 0;
  return line.isDoubtful ? 2 : 3;
}
