/**
 * Reads a list of guests that somebody pasted or has in a file: a table, or any text that has
 * addresses. It proposes columns, and the person decides. Runs in the browser and in the invite tool.
 */
import { readFirstName, readInvitedEmail, unwrapAddress } from './addresses.ts';
import { isFilled, parseTable, type TableRow } from './csv.ts';
import type { NewGuest, Refusal } from './records.ts';

export type Column = {
  /** Its heading, or `Column 2`. */
  readonly name: string;
  /** The starts of the first three different texts in it. */
  readonly samples: readonly string[];
};

/** What the person decides: two columns by their index, and how names are read. */
export type Choice = {
  readonly address: number;
  /** -1 for none. */
  readonly firstName: number;
  /** For columns of full names: `Ada` of `Ada Lovelace`. */
  readonly firstWordOnly: boolean;
};

/** A word of the list that is meant to be an address. */
type Address = {
  readonly row: TableRow;
  readonly column: number;
  /** As it is invited; what cannot be invited, as it is written. */
  readonly email: string;
  readonly isValid: boolean;
  /** Whether its cell has no other: of two, it would be a guess whose name is beside them. */
  readonly isAlone: boolean;
};

export type List = {
  /** A text that is no table has one. */
  readonly columns: readonly Column[];
  /** The column with most addresses, and others with so many that a person has to decide. */
  readonly addressColumns: readonly Column[];
  readonly proposal: Choice;
  /** Those of all columns. */
  readonly addresses: readonly Address[];
  /** The lines of all else but headings: titles, totals, people without an address. */
  readonly withoutAddress: readonly number[];
};

/** What becomes of an address; `elsewhere` is one that only another column has. */
export type Result = 'guest' | 'repeat' | 'elsewhere' | Refusal;

/** An address of the list. What is wrong is as it is written. */
export type Person = NewGuest & { readonly line: number; readonly result: Result };

const SEPARATORS = ['\t', ';', ','];

/** A row with more cells has lost its line breaks. */
const MAX_COLUMNS = 256;

const SAMPLES = 3;
const SAMPLE_LENGTH = 80;
const MOST_LINES = 10;

/** Headings of first names and nothing else: `Vorname`, but not `Name`, which often heads surnames. */
const FIRST_NAMES =
  /^(first[ _]?name|given[ _]?name|forename|vorname|pr[eé]nom|voornaam|förnamn|fornavn|imię|имя)$/i;

/** What is between words, or around an address in a link: `https://x.example/#`, `?subject=`. */
const BETWEEN_WORDS =
  /https?:\/\/[^\s@]*[/?#=]|\?\w+=|[\s<>()[\]"“”„«»‹›|\\,;:，；：、（）【】「」]/iu;

/** What spreadsheets and people write in place of a name: `#N/A`, `NULL`, `-`, `3`; not `Ada`. */
const NO_NAME = /^(#.*|null|NULL|\P{L}*)$/su;

/** `Dr` and `A.`, but not `Ada`: before a surname or after it. */
const NO_FIRST_NAME =
  /^(mr|mrs|ms|miss|dr|prof|sir|herr|frau|mme|señora?|von|van|del?|della|di|la|le|jr|sr|md|phd|.*\.)$/i;

/** @returns `undefined` if the text has no address */
export function readList(text: string): List | undefined {
  const rows = readRows(text);
  const addresses = rows.flatMap(findAddresses);
  const found = findAddressColumns(addresses);
  const [address] = found;
  if (address === undefined) return undefined;
  const withAddress = new Set(addresses.map(({ row }) => row));
  const first = rows.findIndex((row) => withAddress.has(row));
  const [headings] = rows
    .slice(0, first)
    .filter(({ cells }) => areHeadings(cells, address))
    .sort((one, other) => countFilled(other.cells) - countFilled(one.cells));
  const others = rows.filter((row) => row !== headings);
  const columns = describeColumns(others, headings?.cells ?? []);
  const firstName = columns.findIndex(({ name }) => FIRST_NAMES.test(name));
  return {
    columns,
    addressColumns: columns.filter((_, index) => found.includes(index)),
    proposal: { address, firstName, firstWordOnly: false },
    addresses,
    withoutAddress: others.filter((row) => !withAddress.has(row)).map(({ line }) => line),
  };
}

/** Splits by the separator that gives the most table rows, or else into lines. */
function readRows(text: string): readonly TableRow[] {
  const lines = text.split(/\r\n?|\n/).map((cell, index) => ({ line: index + 1, cells: [cell] }));
  let found: readonly TableRow[] = lines.filter(({ cells }) => cells.some(isFilled));
  let most = 0;
  for (const separator of SEPARATORS.filter((each) => text.includes(each))) {
    const rows = parseTable(text, separator);
    const count = countTableRows(rows);
    const isTooWide = rows.some(({ cells }) => cells.length > MAX_COLUMNS);
    if (isTooWide || count <= most) continue;
    found = rows;
    most = count;
  }
  return found;
}

/** The rows with addresses in cells of their own, less those with one in a sentence. */
function countTableRows(rows: readonly TableRow[]): number {
  const [first] = rows;
  const isHeaded = first && !first.cells.some((cell) => cell.includes('@'));
  const headings = isHeaded ? first.cells.length : 0;
  let count = 0;
  for (const { cells } of rows) count += rateRow(cells, headings);
  return count;
}

/**
 * 1 for a row of a table, -1 for a sentence, 0 for what may be either. Of the separator `,`:
 *
 *     Ada,ada@example.com               1
 *     max@example.com,ada@example.com   1 below headings such as `Manager,Email`, else 0
 *     ask ada@example.com, please      -1
 *
 * @param headings how many cells the headings have; 0 without them
 */
function rateRow(cells: readonly string[], headings: number): number {
  const addresses = cells.map(wordsOf).filter((words) => words.some(isAddressLike));
  if (!addresses.flat().every(isAddressLike)) return -1;
  const texts = countFilled(cells) - addresses.length;
  const isBesideText = addresses.length === 1 && texts > 0;
  const isBelowHeadings = addresses.length > 1 && cells.length <= headings;
  return isBesideText || isBelowHeadings ? 1 : 0;
}

/** Each address of a cell once. */
function findAddresses(row: TableRow): readonly Address[] {
  return row.cells.flatMap((cell, column) => {
    const words = new Set(wordsOf(cell).filter(isAddressLike));
    return [...words].map((word) => {
      const address = unwrapAddress(word);
      // Whether `a=b@example.com` is the address of `b`, only the person knows.
      const email = /[/?#=]/.test(address) ? undefined : readInvitedEmail(address);
      const isValid = email !== undefined;
      return { row, column, email: email ?? word, isValid, isAlone: words.size === 1 };
    });
  });
}

function wordsOf(cell: string): readonly string[] {
  // Most cells have no address.
  if (!cell.includes('@')) return [];
  return cell.split(BETWEEN_WORDS).filter((word) => word !== '');
}

/** Whether a word is meant to be an address: `ada@example`, but not `@ada`. */
function isAddressLike(word: string): boolean {
  return /[^@]@/.test(word);
}

/** The column with most different addresses, then those with half as many that it has not. */
function findAddressColumns(addresses: readonly Address[]): readonly number[] {
  const columns = new Map<number, Set<string>>();
  for (const { column, email, isValid } of addresses)
    if (isValid) columns.set(column, (columns.get(column) ?? new Set()).add(email));
  const [most, ...others] = [...columns].sort(([, a], [, b]) => b.size - a.size);
  if (!most) return [];
  const [chosen, emails] = most;
  const rivals = others.filter(([, other]) => {
    const missing = [...other].filter((email) => !emails.has(email));
    return missing.length >= emails.size / 2;
  });
  return [chosen, ...rivals.map(([column]) => column)];
}

/**
 * Headings fill several cells, one of them in the column of addresses: `Name,Email`, but not the
 * title `Guests,`, and neither of the people `Ada,` and `Ada,ada @example.com`.
 */
function areHeadings(cells: readonly string[], address: number): boolean {
  if (cells.some((cell) => cell.includes('@'))) return false;
  return countFilled(cells) > 1 && isFilled(cells[address] ?? '');
}

function countFilled(cells: readonly string[]): number {
  return cells.filter(isFilled).length;
}

function describeColumns(
  rows: readonly TableRow[],
  headings: readonly string[],
): readonly Column[] {
  const samples: Set<string>[] = [];
  for (const { cells } of rows)
    for (const [index, cell] of cells.entries()) {
      samples[index] ??= new Set();
      if (samples[index].size < SAMPLES && isFilled(cell))
        samples[index].add(cell.trim().slice(0, SAMPLE_LENGTH));
    }
  return samples.map((texts, index) => {
    const heading = headings[index]?.trim() ?? '';
    return { name: heading || `Column ${index + 1}`, samples: [...texts] };
  });
}

/** The people of a list by the chosen columns. Of rows with the same address, the first counts. */
export function readPeople({ addresses }: List, choice: Choice): readonly Person[] {
  const people: Person[] = [];
  const guests = new Set<string>();
  for (const { row, column, email, isValid, isAlone } of addresses) {
    if (column !== choice.address) continue;
    const name = isAlone ? findName(row.cells, choice) : '';
    const firstName = readFirstName(name);
    let result: Result = 'guest';
    if (firstName === undefined) result = 'invalid_first_name';
    if (guests.has(email)) result = 'repeat';
    if (!isValid) result = 'invalid_email';
    const shown = firstName === undefined ? name : firstName;
    people.push({ line: row.line, email, firstName: shown, result });
    if (result === 'guest') guests.add(email);
  }
  const known = new Set(people.map(({ email }) => email));
  for (const { row, email } of addresses) {
    if (known.has(email)) continue;
    people.push({ line: row.line, email, firstName: null, result: 'elsewhere' });
    known.add(email);
  }
  return people;
}

/** Of full names, `Ada` of `Ada Lovelace` and `Lovelace, Ada`, and nothing of `Dr Lovelace`. */
function findName(cells: readonly string[], { firstName, firstWordOnly }: Choice): string {
  const name = (cells[firstName] ?? '').trim();
  if (NO_NAME.test(name)) return '';
  if (!firstWordOnly) return name;
  const [, given = name] = name.split(',');
  const [word = ''] = given.trim().split(/\s/);
  return NO_FIRST_NAME.test(word) ? '' : word;
}

/** `line 2 has no address`, or of up to ten lines: `lines 2, 3 and 5 have no address`. */
export function describeWithout(lines: readonly number[]): string {
  if (lines.length === 1) return `line ${lines[0]} has no address`;
  if (lines.length > MOST_LINES) return `${lines.length} lines have no address`;
  const all = new Intl.ListFormat('en-GB').format(lines.map(String));
  return `lines ${all} have no address`;
}
