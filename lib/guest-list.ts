/**
 * Reads a list of guests that somebody pasted or has in a file: a table, or any text that has
 * addresses. It proposes columns, and the person decides. Runs in the browser and in the invite tool.
 */
import { readFirstName, readInvitedEmail, unwrapAddress } from './addresses.ts';
import { isFilled, parseTable, type TableRow } from './csv.ts';
import type { NewGuest, Refusal } from './records.ts';

export type Column = {
  readonly index: number;
  /** Empty in a list without headings. */
  readonly heading: string;
  /** The starts of the first three different texts in it. */
  readonly samples: readonly string[];
};

export type List = {
  /** A text that is no table has one column. */
  readonly columns: readonly Column[];
  /** `null` if there is no address in the list. */
  readonly addressColumn: number | null;
  /** Another column with so many addresses that a person has to decide; `null` if there is none. */
  readonly otherAddressColumn: number | null;
  /** The column whose heading says that it has first names; `null` if none does. */
  readonly firstNameColumn: number | null;
  /** All but the headings. */
  readonly rows: readonly TableRow[];
};

/** What the person decides: two columns by their index, and how names are read. */
export type Choice = {
  readonly address: number;
  readonly firstName: number | null;
  /** For columns of full names: `Ada` of `Ada Lovelace`. */
  readonly firstWordOnly: boolean;
};

/** What becomes of an address; `elsewhere` is one that only another column has. */
export type Result = 'guest' | 'repeat' | 'elsewhere' | Refusal;

/** An address of the list. What is wrong is shown by its start. */
export type Person = NewGuest & { readonly line: number; readonly result: Result };

export type Reading = {
  /** Every address of the list. */
  readonly people: readonly Person[];
  /** The lines of all else: titles, totals, people without an address. */
  readonly withoutAddress: readonly number[];
};

const SEPARATORS = ['\t', ';', ','];

/** A row with more cells has lost a line break. */
const MAX_COLUMNS = 256;

const SAMPLES = 3;
const MOST_LINES = 10;

/** Characters of a cell that are shown. */
const MAX_SHOWN = 80;

/** Headings of first names and nothing else: `Vorname`, but not `Name`, which often heads surnames. */
const FIRST_NAMES =
  /^(first[ _]?name|given[ _]?name|forename|vorname|pr[eé]nom|voornaam|förnamn|fornavn|imię|имя)$/i;

/** `ada@example.com` in `mail=ada@example.com,` and in a link: hardly any address has the rest. */
const WORD = /[^\s<>()[\]"“”„«»‹›|\\,;:/?#=，；：、（）【】「」]+/gu;

/** What spreadsheets and people write in place of a name: `#N/A`, `NULL`, `-`, `3`; not `Ada`. */
const NO_NAME = /^(#.*|null|NULL|\P{L}*)$/su;

/** Before a surname, or after one: no name is better than a wrong greeting. */
const NO_FIRST_NAMES =
  'mr mrs ms miss dr prof sir herr frau mme señor señora von van de del della di la le jr sr md phd';

export function readList(text: string): List {
  const rows = readTable(text) ?? readLines(text);
  const emails = findEmails(rows);
  const [addressColumn, otherAddressColumn] = chooseColumns(emails);
  const headings = addressColumn === null ? undefined : findHeadings(rows, addressColumn);
  const people = rows.filter((row) => row !== headings);
  const columns = describeColumns(people, headings?.cells ?? []);
  const firstNameColumn = columns.find(isOfFirstNames)?.index ?? null;
  return { columns, addressColumn, otherAddressColumn, firstNameColumn, rows: people };
}

/** Splits by the separator that gives the most table rows; `undefined` if none gives any. */
function readTable(text: string): readonly TableRow[] | undefined {
  let found: readonly TableRow[] | undefined;
  let most = 0;
  for (const separator of SEPARATORS) {
    const rows = text.includes(separator) ? parseTable(text, separator) : undefined;
    const count = rows ? countTableRows(rows) : 0;
    if (count <= most) continue;
    found = rows;
    most = count;
  }
  return found;
}

/**
 * The rows with an address in a cell of its own, less those with one in a sentence. Of the separator
 * `,`, the row `Ada,ada@example.com` counts 1, `ask ada@example.com, please` counts -1. A row of
 * addresses alone counts 1 below headings, such as `Manager,Email`, else 0.
 */
function countTableRows(rows: readonly TableRow[]): number {
  const [first] = rows;
  const headings = first && !first.cells.some(hasAddress) ? first.cells.length : 0;
  let count = 0;
  for (const { cells } of rows) {
    if (cells.length > MAX_COLUMNS) return 0;
    const addresses = cells.filter(hasAddress);
    const hasOtherCells = cells.filter(isFilled).length > addresses.length;
    const isBelowHeadings = addresses.length > 1 && cells.length <= headings;
    const isBesideOthers = addresses.length === 1 && hasOtherCells;
    const words = addresses.flatMap((cell) => cell.match(WORD) ?? []);
    const isSentence = !words.every(hasAddress);
    if (isSentence) count -= 1;
    else if (isBelowHeadings || isBesideOthers) count += 1;
  }
  return count;
}

/** A URL with an @ is no address. */
function hasAddress(cell: string): boolean {
  return /[^\s@]@/.test(cell) && !cell.includes('://');
}

function readLines(text: string): readonly TableRow[] {
  const rows = text.split(/\r\n?|\n/).map((cell, index) => ({ line: index + 1, cells: [cell] }));
  return rows.filter(({ cells }) => cells.some(isFilled));
}

/** The words of a cell that are meant to be addresses, each once. */
function findAddresses(cell: string): readonly string[] {
  // Most cells have none.
  if (!cell.includes('@')) return [];
  const words = cell.match(WORD) ?? [];
  return [...new Set(words.filter(hasAddress))];
}

function toEmail(word: string): string | undefined {
  return readInvitedEmail(unwrapAddress(word));
}

/** The different addresses of each column. */
function findEmails(rows: readonly TableRow[]): readonly ReadonlySet<string>[] {
  const columns: Set<string>[] = [];
  for (const { cells } of rows)
    for (const [index, cell] of cells.entries()) {
      columns[index] ??= new Set();
      for (const word of findAddresses(cell)) columns[index].add(toEmail(word) ?? '');
      columns[index].delete('');
    }
  return columns;
}

/** The column with most addresses, and one with half as many or more that the first has not. */
function chooseColumns(columns: readonly ReadonlySet<string>[]): [number | null, number | null] {
  const most = Math.max(0, ...columns.map(({ size }) => size));
  const chosen = columns.find(({ size }) => size === most);
  if (most === 0 || !chosen) return [null, null];
  const other = columns.findIndex((emails) => {
    const missing = [...emails].filter((email) => !chosen.has(email));
    return missing.length >= most / 2;
  });
  return [columns.indexOf(chosen), other === -1 ? null : other];
}

/** Of the rows above the first address, the fullest with a text in the column of addresses. */
function findHeadings(rows: readonly TableRow[], addressColumn: number): TableRow | undefined {
  const first = rows.findIndex(({ cells }) => cells.some((cell) => cell.includes('@')));
  const above = rows
    .slice(0, first)
    .filter(({ cells }) => cells.length > 1 && isFilled(cells[addressColumn] ?? ''));
  const filledOf = ({ cells }: TableRow) => cells.filter(isFilled).length;
  const [headings] = above.sort((one, other) => filledOf(other) - filledOf(one));
  return headings;
}

function describeColumns(
  rows: readonly TableRow[],
  headings: readonly string[],
): readonly Column[] {
  const samples = headings.map(() => new Set<string>());
  for (const { cells } of rows)
    for (const [index, cell] of cells.entries()) {
      samples[index] ??= new Set();
      if (samples[index].size < SAMPLES && isFilled(cell)) samples[index].add(shorten(cell));
    }
  return samples.map((texts, index) => {
    return { index, heading: headings[index]?.trim() ?? '', samples: [...texts] };
  });
}

function shorten(cell: string): string {
  return cell.trim().slice(0, MAX_SHOWN);
}

export function isOfFirstNames({ heading }: Column): boolean {
  return FIRST_NAMES.test(heading);
}

/** The people of a list by the chosen columns. Of rows with the same address, the first counts. */
export function readPeople({ rows }: List, choice: Choice): Reading {
  const people: Person[] = [];
  const withoutAddress: number[] = [];
  const guests = new Set<string>();
  for (const { line, cells } of rows) {
    const words = findAddresses(cells[choice.address] ?? '');
    // With two addresses it would be a guess whose name it is.
    const name = words.length === 1 ? findName(cells, choice) : '';
    const firstName = readFirstName(name);
    for (const word of words) {
      const email = toEmail(word);
      const result = resultOf(email, firstName, guests);
      const shown = {
        email: email ?? shorten(word),
        firstName: firstName === undefined ? shorten(name) : firstName,
      };
      people.push({ line, ...shown, result });
      if (result === 'guest') guests.add(shown.email);
    }
    if (!cells.some((cell) => findAddresses(cell).length > 0)) withoutAddress.push(line);
  }
  const known = new Set(people.map(({ email }) => email));
  for (const { line, cells } of rows)
    for (const word of cells.flatMap(findAddresses)) {
      const email = toEmail(word) ?? shorten(word);
      if (known.has(email)) continue;
      people.push({ line, email, firstName: null, result: 'elsewhere' });
      known.add(email);
    }
  return { people, withoutAddress };
}

function resultOf(
  email: string | undefined,
  firstName: string | null | undefined,
  guests: ReadonlySet<string>,
): Result {
  if (email === undefined) return 'invalid_email';
  if (guests.has(email)) return 'repeat';
  return firstName === undefined ? 'invalid_first_name' : 'guest';
}

function findName(cells: readonly string[], { firstName, firstWordOnly }: Choice): string {
  const name = firstName === null ? '' : (cells[firstName] ?? '').trim();
  if (NO_NAME.test(name)) return '';
  return firstWordOnly ? firstWord(name) : name;
}

/** `Ada` of `Ada Lovelace` and `Lovelace, Ada`; nothing of `A. Lovelace` and `Dr Lovelace`. */
function firstWord(name: string): string {
  const [before = '', after = ''] = name.split(',', 2);
  const [word = ''] = (isFilled(after) ? after : before).trim().split(/\s/, 1);
  const isTitle = NO_FIRST_NAMES.split(' ').includes(word.toLowerCase());
  return isTitle || word.endsWith('.') ? '' : word;
}

/** `line 2 has no address`, or `lines 2, 3 and 5 have no address`: at most ten of them. */
export function describeWithout(lines: readonly number[]): string {
  if (lines.length === 1) return `line ${lines[0]} has no address`;
  const more = lines.length - MOST_LINES;
  const shown = more > 0 ? lines.slice(0, MOST_LINES) : lines.slice(0, -1);
  const last = more > 0 ? `${more} more` : lines.at(-1);
  return `lines ${shown.join(', ')} and ${last} have no address`;
}
