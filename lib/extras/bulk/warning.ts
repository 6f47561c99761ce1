/** The sentences about a list, for the page and the tool: how it was read, and what to check. */
import { COLUMNS } from '../../lists.ts';
import { NONE } from './address-column.ts';
import type { Header } from './columns.ts';
import type { Notes } from './people.ts';

/** A person who will be greeted by a name. */
export type NamedPerson = {
  readonly firstName: string;
  readonly isDoubtful: boolean;
};

type Findings = {
  readonly header: Header | undefined;
  readonly hasPipes: boolean;
  readonly notes: Notes;
  readonly named: readonly NamedPerson[];
  /** The addresses of the people in the list. */
  readonly addresses: readonly string[];
};

/** `|`, `=`, `/` and other signs that may have separated a name: `ada=ada@example.com`. */
const UNUSUAL_SIGN = /[^\p{L}\p{M}\p{Nd}.+_'-][^@]*@/u;

/** How many names are shown. */
const SHOWN = 12;

/** Our own lists that also hold people who were removed. */
const OWN_LISTS: ReadonlyMap<string, string> = new Map([
  [COLUMNS.changes.join(), 'audit log'],
  [COLUMNS.events.join(), 'event log'],
  [COLUMNS.joinClicks.join(), 'join log'],
  [COLUMNS.joinSummary.join(), 'list of joins'],
  [COLUMNS.peopleSeen.join(), 'list of visitors'],
]);

/** @returns `null` if there is nothing to look at */
export function writeWarning(findings: Findings): string | null {
  const sentences = [...ofNames(findings), ...ofAddresses(findings), ...ofColumns(findings)];
  return sentences.length > 0 ? sentences.join(' ') : null;
}

function ofNames({ header, notes, named, addresses }: Findings): readonly string[] {
  const sentences: string[] = [];
  const people = addresses.length;
  const repeated = findRepeated(named, people);
  if (repeated) sentences.push(repeated);

  const headingOf = (column: number) => header?.headings[column]?.text ?? '';
  const full = notes.fromFullName > 0 ? headingOf(header?.fullName ?? NONE) : '';
  const first = headingOf(header?.firstName ?? NONE);
  const where = first === '' ? '' : ` where “${first}” is empty`;
  const source = full === '' ? '' : `First names are the first words of “${full}”${where}.`;
  const doubtful = named.filter(({ isDoubtful }) => isDoubtful);
  if (doubtful.length > 0) {
    const names = quoteAll([...new Set(doubtful.map(({ firstName }) => firstName))]);
    const intro = source || 'First names may be wrong.';
    sentences.push(`${intro} Before you send invitations, check these: ${names}.`);
  } else if (source) sentences.push(`${source} Check them before you send invitations.`);

  if (notes.severalNames > 0)
    sentences.push(
      'Some rows have several cells that may be a name. Add a header row to use names.',
    );
  else if (header && named.length === 0 && people > 0) sentences.push(adviseOnNames(header));
  return sentences;
}

/** If more than a quarter of the people have one name, it is probably that of a group. */
function findRepeated(named: readonly NamedPerson[], people: number): string | undefined {
  const counts = new Map<string, number>();
  for (const { firstName } of named) counts.set(firstName, (counts.get(firstName) ?? 0) + 1);
  for (const [name, count] of counts)
    if (count > Math.max(1, people / 4))
      return `“${name}” is the first name of ${count} people out of ${people}.`;
  return undefined;
}

/** Which heading would provide names. */
function adviseOnNames(header: Header): string {
  const first = header.headings[header.firstName];
  if (first) return `No first names: “${first.text}” is empty.`;
  const familyFirst = header.headings.find(({ kind }) => kind === 'familyFirst');
  const why = familyFirst ? ` “${familyFirst.text}” begins with the family name.` : '';
  return `No first names.${why} Add a column with the heading “First name” to use names.`;
}

function ofAddresses({ addresses, hasPipes }: Findings): readonly string[] {
  const sentences: string[] = [];
  if (hasPipes) sentences.push('The list was read as a table, with “|” between its columns.');
  const unusual = addresses.filter((address) => UNUSUAL_SIGN.test(address));
  if (unusual.length > 0)
    sentences.push(`Check these addresses, which have unusual signs: ${quoteAll(unusual)}.`);
  return sentences;
}

function ofColumns({ header, notes }: Findings): readonly string[] {
  if (!header) return [];
  const sentences: string[] = [];
  const { headings, address, rivals } = header;
  const nameOf = (column: number) => {
    const text = headings[column]?.text ?? '';
    return text === '' ? `column ${column + 1}` : `“${text}”`;
  };
  const own = OWN_LISTS.get(headings.map(({ text }) => text).join());
  if (own)
    sentences.push(`This is Guestlist’s ${own}. It also has people who are no longer invited.`);
  if (rivals.length > 0) {
    const names = joinWords([address, ...rivals].map(nameOf));
    sentences.push(`${names} hold addresses; ${nameOf(address)} was read.`);
  }
  for (const [column, count] of notes.filledIn)
    sentences.push(
      `${countRows(count)} no address in ${nameOf(address)}, so the one in ${nameOf(column)} was read.`,
    );
  for (const [column, count] of notes.elsewhere) {
    const rows = countRows(count);
    if (address === NONE)
      sentences.push(
        `${rows} an address only in ${nameOf(column)}, which may not be that of a guest. ` +
          'To invite these people, change the heading to “Email”.',
      );
    else sentences.push(`${rows} no address in ${nameOf(address)}, but one in ${nameOf(column)}.`);
  }
  if (notes.above.length > 0) {
    const first = notes.above[0];
    const last = notes.above.at(-1);
    const which = first === last ? `Row ${first}` : `Rows ${first}–${last}`;
    sentences.push(`${which}, above the headings, ${first === last ? 'is' : 'are'} ignored.`);
  }
  for (const line of notes.mentionedAbove)
    sentences.push(
      `Row ${line}, above the headings, has an address in its text, which is ignored.`,
    );
  return sentences;
}

const countRows = (count: number): string => (count === 1 ? '1 row has' : `${count} rows have`);

function quoteAll(names: readonly string[]): string {
  const quoted = names.slice(0, SHOWN).map((name) => `“${name}”`);
  const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  return quoted.join(', ') + more;
}

function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}
