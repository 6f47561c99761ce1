/**
 * Reads a list of guests that somebody pasted or has in a file: addresses, `Name <address>`, or a
 * table. It proposes columns, and the person decides. Runs in the browser and in the invite tool.
 */
import { readFirstName, readInvitedEmail, unwrapAddress } from './addresses.ts';
import { isFilled, parseTable, type Table, type TableRow } from './csv.ts';
import type { NewGuest, Refusal } from './records.ts';

export type Column = {
  readonly index: number;
  /** Empty in a list without headings. */
  readonly heading: string;
  /** The starts of the first three different texts in it. */
  readonly samples: readonly string[];
};

export type List = {
  readonly columns: readonly Column[];
  /** `null` if there is no address in the list. */
  readonly addressColumn: number | null;
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

export type Problem = {
  readonly line: number;
  /** The start of the cell that is wrong. */
  readonly text: string;
  readonly reason: Refusal;
};

export type Guests = {
  readonly guests: readonly (NewGuest & { readonly line: number })[];
  readonly problems: readonly Problem[];
  /** Repeats of an address from an earlier line. */
  readonly duplicates: readonly { readonly line: number; readonly email: string }[];
  /** The lines of all else: titles, totals, people without an address. */
  readonly withoutAddress: readonly number[];
};

/** The text cannot be read as a list: the message says why, and where. */
export class ListError extends Error {}

const MAX_COLUMNS = 256;
const SAMPLES = 3;
const MOST_LINES = 10;

/** Characters of a cell that are shown. */
const MAX_SHOWN = 80;

/** Headings that mean first names and nothing else: `Name` and `Nombre` often head full names. */
const FIRST_NAME_HEADINGS = [
  'first name',
  'first_name',
  'firstname',
  'given name',
  'forename',
  'vorname',
  'prénom',
  'prenom',
  'voornaam',
  'förnamn',
  'fornavn',
  'imię',
  'имя',
];

/** The comma in `Lovelace,ada@example.com`, but not in `Lovelace, Ada <ada@example.com>`. */
const BETWEEN_CELLS = /\t|,(?! [^,]*<)/;

/** @throws {ListError} if a quotation mark is not closed, or the table has over 256 columns */
export function readList(text: string): List {
  const rows = readPeople(text) ?? readTable(text);
  const addressColumn = findAddresses(rows);
  const headings = findHeadings(rows, addressColumn);
  const people = rows.filter((row) => row !== headings);
  const columns = describeColumns(people, headings?.cells ?? []);
  return { columns, addressColumn, firstNameColumn: findFirstNames(columns), rows: people };
}

/**
 * A list where each line has only people, or one text such as a title. Its columns are addresses
 * and names.
 *
 * @returns `undefined` if it is a table
 */
function readPeople(text: string): readonly TableRow[] | undefined {
  const people = parseTable(text, ',;\t');
  if (hasOnlyPeople(people)) return people.rows.flatMap(toPeople);
  if (BETWEEN_CELLS.test(text)) return undefined;
  // Outlook separates people by semicolons, and writes a comma inside a name without quotes.
  const outlook = parseTable(text, ';');
  return hasOnlyPeople(outlook) ? outlook.rows.flatMap(toPeople) : undefined;
}

function hasOnlyPeople({ rows, openQuote }: Table): boolean {
  return openQuote === null && rows.every(isLineOfPeople);
}

function isLineOfPeople({ cells }: TableRow): boolean {
  const filled = cells.filter(isFilled);
  const isTitle = filled.length === 1 && !filled.some(hasAtSign);
  return isTitle || filled.every(hasAtSign);
}

function hasAtSign(cell: string): boolean {
  return cell.includes('@');
}

function toPeople({ line, cells }: TableRow): readonly TableRow[] {
  return cells.filter(isFilled).map((cell) => {
    const name = hasAtSign(cell) ? cell.slice(0, Math.max(cell.lastIndexOf('<'), 0)) : '';
    return { line, cells: isFilled(name) ? [cell, name] : [cell] };
  });
}

/** Reads a table by the separator that finds most addresses, or else most cells. */
function readTable(text: string): readonly TableRow[] {
  const tables = [',', ';', '\t'].map((separator) => {
    const table = parseTable(text, separator);
    const cells = table.rows.flatMap((row) => row.cells);
    return { ...table, addresses: cells.filter(findEmail).length, cells: cells.length };
  });
  tables.sort((one, other) => other.addresses - one.addresses || other.cells - one.cells);
  const [{ rows, openQuote } = { rows: [], openQuote: null }] = tables;
  const wide = rows.find(({ cells }) => cells.length > MAX_COLUMNS);
  if (wide) throw new ListError(`line ${wide.line} has more than ${MAX_COLUMNS} columns`);
  if (openQuote === null) return rows;
  throw new ListError(`the quotation mark in line ${openQuote} is not closed`);
}

/** The address that a cell has, alone or with a name. */
function findEmail(cell: string): string | undefined {
  return cell.includes('@') ? readInvitedEmail(unwrapAddress(cell)) : undefined;
}

/** The column with most different addresses: a column of one manager has one. */
function findAddresses(rows: readonly TableRow[]): number | null {
  const columns: Set<string>[] = [];
  for (const { cells } of rows)
    for (const [index, cell] of cells.entries()) {
      columns[index] ??= new Set();
      const email = findEmail(cell);
      if (email !== undefined) columns[index].add(email);
    }
  const most = Math.max(0, ...columns.map(({ size }) => size));
  return most === 0 ? null : columns.findIndex(({ size }) => size === most);
}

/** Of the rows above the first address, the fullest with a text in the column of addresses. */
function findHeadings(
  rows: readonly TableRow[],
  addressColumn: number | null,
): TableRow | undefined {
  if (addressColumn === null) return undefined;
  const addressOf = ({ cells }: TableRow) => cells[addressColumn] ?? '';
  const first = rows.findIndex((row) => addressOf(row).includes('@'));
  let headings: TableRow | undefined;
  let most = 0;
  for (const row of rows.slice(0, first)) {
    const filled = row.cells.filter(isFilled).length;
    if (!isFilled(addressOf(row)) || filled <= most) continue;
    headings = row;
    most = filled;
  }
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

function findFirstNames(columns: readonly Column[]): number | null {
  const found = columns.find(({ heading }) => FIRST_NAME_HEADINGS.includes(heading.toLowerCase()));
  return found?.index ?? null;
}

/** The people of a list by the chosen columns. Of rows with the same address, the first counts. */
export function guestsOf(list: List, { address, firstName, firstWordOnly }: Choice): Guests {
  const guests: (NewGuest & { line: number })[] = [];
  const problems: Problem[] = [];
  const duplicates: { line: number; email: string }[] = [];
  const withoutAddress: number[] = [];
  const seen = new Set<string>();
  for (const { line, cells } of list.rows) {
    const written = cells[address] ?? '';
    const name = (firstName === null ? undefined : cells[firstName]) ?? '';
    const email = findEmail(written);
    const firstNameRead = readFirstName(firstWordOnly ? firstWord(name) : name);
    if (!written.includes('@')) withoutAddress.push(line);
    else if (email === undefined) problems.push(problem(line, written, 'invalid_email'));
    else if (seen.has(email)) duplicates.push({ line, email });
    else if (firstNameRead === undefined) problems.push(problem(line, name, 'invalid_first_name'));
    else {
      guests.push({ line, email, firstName: firstNameRead });
      seen.add(email);
    }
  }
  return { guests, problems, duplicates, withoutAddress };
}

/** `line 2`, or `lines 2, 3, 5`: at most ten. */
export function describeLines(lines: readonly number[]): string {
  if (lines.length === 0) return '';
  const more = lines.length > MOST_LINES ? `, … (${lines.length} in all)` : '';
  return `${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, MOST_LINES).join(', ')}${more}`;
}

/** `Ada` of `Ada Lovelace`, and `Lovelace` of `Lovelace, Ada`. */
function firstWord(name: string): string {
  const [word = ''] = name.trim().split(/[\s,;]/, 1);
  return word;
}

function problem(line: number, cell: string, reason: Refusal): Problem {
  return { line, text: shorten(cell), reason };
}
