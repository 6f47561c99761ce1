/** Reads a list of people to invite, from a file or from the administrator page. */
import { normalizeFirstName, trimInvisible, trimTo } from './address.ts';
import type { InviteLine } from './replies.ts';
import { normalizeInvitedEmail } from './store/normalize.ts';

/** A person in the list, or a line with a mistake. */
export type ListEntry = Pick<InviteLine, 'line' | 'text' | 'email'> & {
  readonly firstName: string;
  /** `twice`, or one of `LINE_MISTAKES`. */
  readonly reason: string | null;
};

/** Headings, reduced to their letters, in order of preference. */
const EMAIL_HEADINGS =
  'email emailaddress emailadresse mail courriel correo epost address adresse'.split(' ');
const FIRST_NAME_HEADINGS =
  'firstname givenname forename vorname first prénom nombre nome voornaam'.split(' ');

/** Before a last name, or before first and last name. */
const TITLES = new Set(
  (
    'mr mrs ms miss mx dr prof sir madam herr herrn frau fräulein monsieur madame mme mlle ' +
    'señor señora sr sra signor signora sig dott dhr mevr mw ing'
  ).split(' '),
);

/** At the start of the name of a group. */
const GROUPS = new Set('the team family familie firma'.split(' '));

/** What a cell has of a person. `address` is as typed, without surrounding characters. */
type Found = Pick<ListEntry, 'text' | 'firstName'> & {
  readonly address: string;
  readonly reason?: string;
};

/**
 * Reads one address per line, columns separated by tabs, semicolons or commas, and
 * `Ada Lovelace <ada@example.com>`, also several on a line. A first line without an address and
 * with a known heading is the line of headings. Empty lines and Excel's `sep=;` are ignored.
 *
 * Without headings, each cell with an `@` is a person. The first name of one person is in the cell
 * of the address: the first word, or the one after a comma. Or it is the only name in a cell before
 * the address, or else the first name in a cell after it.
 */
export function readAddressList(text: string): readonly ListEntry[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((line, i) => ({ number: i + 1, line }))
    .filter(({ line }) => /[^\s\p{Cf},;"]/u.test(line) && !/^"?sep=.?"?$/i.test(line));
  const columns = readHeadings(lines[0]?.line ?? '');
  const known = new Set<string>();
  return lines.slice(columns ? 1 : 0).flatMap(({ number, line }) =>
    readLine(line, columns).map((found): ListEntry => {
      const email = normalizeInvitedEmail(found.address) ?? '';
      const reason = findMistake(found, email) ?? (known.has(email) ? 'twice' : null);
      if (reason === null) known.add(email);
      return { line: number, text: found.text, email, firstName: found.firstName, reason };
    }),
  );
}

function findMistake({ text, firstName, reason }: Found, email: string): string | undefined {
  if (text.includes('\uFFFD')) return 'lost_characters';
  if (email === '') return 'invalid_email';
  return normalizeFirstName(firstName) === undefined ? 'invalid_first_name' : reason;
}

type Columns = ReturnType<typeof readHeadings>;

/** The delimiter, and the index of each column or -1; `undefined` if these are no headings. */
function readHeadings(line: string) {
  if (line.includes('@')) return undefined;
  const delimiter = delimiterOf(line);
  const found = split(line, delimiter).map((cell) => cell.toLowerCase().replace(/[^\p{L}]/gu, ''));
  const column = (headings: readonly string[]) =>
    headings.map((heading) => found.indexOf(heading)).find((i) => i >= 0) ?? -1;
  const email = column(EMAIL_HEADINGS);
  const firstName = column(FIRST_NAME_HEADINGS);
  const name = found.indexOf('name');
  if (Math.max(email, firstName, name) < 0) return undefined;
  // Below a single heading, any cell may have the address.
  if (found.length === 1) return { delimiter, email: -1, firstName, name };
  // Of two columns the other one has the name, under any heading.
  return { delimiter, email, firstName, name: name < 0 && found.length === 2 ? 1 - email : name };
}

function readLine(line: string, columns: Columns): readonly Found[] {
  const text = line.trim();
  const hasDelimiter = columns && line.includes(columns.delimiter);
  const cells = split(line, hasDelimiter ? columns.delimiter : delimiterOf(line));
  const address = columns && cells[columns.email];
  const people = (address === undefined ? cells : [address]).flatMap(readCell);
  if (people.length > 1) return people;
  if (!people[0]) return [{ text, address: '', firstName: '' }];
  const person = { ...people[0], text };
  if (columns) return [{ ...person, firstName: inColumn(cells, columns) || person.firstName }];
  if (person.firstName !== '') return [person];
  const names = cells.map(nameOf);
  const at = cells.findIndex((cell) => cell.includes('@'));
  const [before, second] = names.slice(0, at).filter(Boolean);
  if (second) return [{ ...person, reason: 'unclear_name' }];
  return [{ ...person, firstName: before ?? names.find(Boolean) ?? '' }];
}

/** The cell of the first name, unchecked. A cell with an `@` is never a name. */
function inColumn(cells: readonly string[], { firstName, name }: NonNullable<Columns>): string {
  const cell = cells[firstName] ?? nameOf(cells[name] ?? '');
  return cell.includes('@') ? '' : cell;
}

/** The name in a cell, after its comma if there is one; empty if punctuation surrounds it. */
function nameOf(cell: string): string {
  const comma = cell.indexOf(',');
  const name = trimInvisible(cell.slice(comma + 1));
  if (!/^\p{L}/u.test(name) || cell.includes('@')) return '';
  return trimTo(name, /[\p{L}\p{M}\p{N}]/u) === name ? withoutTitles(name, comma < 0) : '';
}

/** `Ada Lovelace <ada@example.com>`, or several addresses between spaces. */
function readCell(cell: string): readonly Found[] {
  const words = cell.split(/[\s<>()[\]",;]+/).filter((word) => word.includes('@'));
  const [first = '', ...others] = words;
  if (others.length > 0)
    return words.map((word) => ({ text: word, address: unwrap(word), firstName: '' }));
  const firstName = firstWord(cell.replace(first, ' '));
  return first === '' ? [] : [{ text: cell, address: unwrap(first), firstName }];
}

/** The address without surrounding punctuation and without `mailto:`. */
function unwrap(word: string): string {
  const address = trimTo(word, /[^\s\p{Cf}\p{Ps}\p{Pe}\p{Pi}\p{Pf}'.:!?]/u);
  return address.replace(/^mailto:([^?]*).*/is, '$1').replace(/^.*:/s, '');
}

/** The first word of a name, after its comma or `To:` if there is one. */
function firstWord(text: string): string {
  const comma = text.indexOf(',');
  const name = trimTo(text.slice(Math.max(comma, text.lastIndexOf(':')) + 1), /[\p{L}\p{M}]/u);
  const [word = ''] = withoutTitles(name, comma < 0).split(/\s+/);
  return /^\p{L}(?:[\p{L}\p{M}\p{Cf}'’.-]*[\p{L}\p{M}])?$/u.test(word) ? word : '';
}

/** A name without its titles; empty for a group, and for a last name alone after a title. */
function withoutTitles(name: string, mayEndInLastName: boolean): string {
  const words = name.split(/\s+/);
  const plain = words.map((word) => word.toLowerCase().replace(/\.$/, ''));
  const titles = plain.findIndex((word) => !TITLES.has(word));
  if (titles < 0 || GROUPS.has(plain[0] ?? '')) return '';
  const isLastName = mayEndInLastName && titles > 0 && words.length === titles + 1;
  return titles === 0 ? name : isLastName ? '' : words.slice(titles).join(' ');
}

/** The separator of a line's cells. */
function delimiterOf(line: string): string {
  const plain = line.replace(/"[^"]*"/g, '');
  return ['\t', ';'].find((each) => plain.includes(each)) ?? ',';
}

/** Splits a line into cells, which may be quoted as in CSV. */
function split(line: string, delimiter: string): readonly string[] {
  const quoted = ` *"([^"]*(?:""[^"]*)*)" *(?=${delimiter}|$)`;
  const cells = new RegExp(`${delimiter}(?:${quoted}|([^${delimiter}]*))`, 'g');
  return [...(delimiter + line).matchAll(cells)].map(([, text, plain = '']) =>
    (text?.replaceAll('""', '"') ?? plain).trim(),
  );
}
