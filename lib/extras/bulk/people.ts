/** Finds the people in the rows of a list, with or without a header row. */
import { addressesIn } from '../../addresses/unwrap.ts';
import { NONE } from './address-column.ts';
import {
  hasAddress,
  hasSeveralAddresses,
  mayHaveAddress,
  mentionsAddress,
  readAddressCell,
  withoutGuard,
} from './cells.ts';
import { type Header, repeatsHeadings } from './columns.ts';
import { givenNameOf, readFirstName, readFullName } from './first-names.ts';
import type { Row } from './rows.ts';
import { splitRow, type Table } from './table.ts';

/** A person as typed, or a row with a mistake. */
export type Person = {
  readonly line: number;
  /** The cell of the address, or the whole row if no cell is known to be it. */
  readonly text: string;
  /** The address without the text around it; empty if there is none. */
  readonly address: string;
  /** Empty without one. */
  readonly name: string;
  readonly isDoubtful: boolean;
  /** A reason of `LINE_MISTAKES`, if it is known already. */
  readonly mistake: string | undefined;
};

/** What to say about a list. All numbers count rows. */
export type Notes = {
  /** Rows without any address. */
  withoutAddress: number;
  /** Rows whose address is in another column, by this column. */
  readonly elsewhere: Map<number, number>;
  /** Rows whose address came from a column of second addresses, by this column. */
  readonly filledIn: Map<number, number>;
  /** Rows of several cells that may be a name, without a header row. */
  severalNames: number;
  /** Rows whose name came from the column of first names. */
  fromFirstName: number;
  /** Rows whose name came from the full name, because the first name is empty. */
  fromFullName: number;
  /** Rows above the header row that have no address. */
  readonly above: number[];
  /** Rows above the header row that have an address among other words. */
  readonly mentionedAbove: number[];
};

/** A total in the place of an address: `42` or `1,234`, but not a phone number. */
const TOTAL = /^\p{Nd}{1,3}([., ’]?\p{Nd}{3})?$/u;

/** Reads the rows below a header row, and refuses the addresses above it. */
export function readBelow(header: Header, table: Table, notes: Notes): readonly Person[] {
  const people: Person[] = [];
  for (const row of table.rows.slice(0, header.at)) {
    const holder = row.cells.find(hasAddress);
    if (holder !== undefined) people.push(refused(row, holder, 'above_headings'));
    else if (row.cells.some(mentionsAddress)) notes.mentionedAbove.push(row.line);
    else notes.above.push(row.line);
  }
  const below = table.rows.slice(header.at + 1);
  const isOneColumn = header.headings.length < 2 && header.address !== NONE;
  if (isOneColumn) {
    for (const row of below)
      for (const person of readFreeRow(row, filledCells(row, table), notes)) people.push(person);
    return people;
  }
  for (const row of below) {
    const person = readRow(header, row, notes);
    if (person) people.push(person);
  }
  return people;
}

/**
 * @returns `undefined` for a row without an address, which is counted, and for repeated headings
 */
function readRow(header: Header, row: Row, notes: Notes): Person | undefined {
  const { headings, address, fillIn } = header;
  const { cells, line } = row;
  const width = Math.max(headings.length, address + 1);
  const hasMoreCells = cells.length > width && cells.slice(width).some((cell) => cell !== '');
  if (hasMoreCells && cells.some(mayHaveAddress)) return refused(row, row.text, 'extra_cells');

  let column = address;
  if ((cells[address] ?? '') === '') {
    column = fillIn.find((each) => (cells[each] ?? '') !== '') ?? address;
    if (column !== address) addOne(notes.filledIn, column);
  }
  const cell = cells[column] ?? '';
  if (cell === '' || TOTAL.test(cell)) {
    const other = cells.findIndex((each) => hasAddress(each) || mentionsAddress(each));
    if (other < 0) notes.withoutAddress += 1;
    else addOne(notes.elsewhere, other);
    return undefined;
  }
  if (hasSeveralAddresses(cell)) return refused(row, cell, 'several_addresses');
  if (!mayHaveAddress(cell) && repeatsHeadings(header, cells)) return undefined;
  const unwrapped = readAddressCell(cell);
  const { name, isDoubtful } = findName(header, cells, unwrapped.name, notes);
  return { line, text: cell, address: unwrapped.address, name, isDoubtful, mistake: undefined };
}

/**
 * The first name. Without it, the first word of the full name, or of the name beside the address.
 */
function findName(header: Header, cells: readonly string[], beside: string, notes: Notes) {
  for (const column of [header.firstName, ...header.otherFirstNames]) {
    const first = readFirstName(withoutGuard(cells[column] ?? ''));
    if (first.name === '') continue;
    notes.fromFirstName += 1;
    const mayBeFull = !header.hasSurname && first.name.includes(' ');
    return { name: first.name, isDoubtful: first.isDoubtful || mayBeFull };
  }
  const full = readFullName(withoutGuard(cells[header.fullName] ?? ''));
  if (full.name !== '') {
    notes.fromFullName += 1;
    return full;
  }
  return { name: readFullName(beside).name, isDoubtful: true };
}

/** Reads rows without a header row. A cell beside an address may be a name. */
export function readFreeRows(table: Table, notes: Notes): readonly Person[] {
  const people: Person[] = [];
  for (const row of table.rows) {
    const cells = filledCells(row, table);
    const found = readFreeRow(row, cells, notes);
    const [first] = found;
    if (first && found.length === 1) people.push(withName(first, cells, notes));
    else for (const person of found) people.push(person);
  }
  return people;
}

function filledCells(row: Row, { isSplitForEachRow }: Table): readonly string[] {
  const cells = isSplitForEachRow ? row.cells : splitRow(row.text);
  return cells.filter((cell) => cell !== '');
}

/** Gives a person the first word of the other cell. If there are several, none is a name. */
function withName(person: Person, cells: readonly string[], notes: Notes): Person {
  if (person.name !== '' || person.mistake) return person;
  const others = cells.filter((cell) => !mayHaveAddress(cell));
  if (others.length > 1) notes.severalNames += 1;
  const [other = ''] = others;
  if (others.length !== 1) return person;
  return { ...person, name: givenNameOf(withoutGuard(other)) };
}

/** Reads the filled cells of a row: an address, or several. */
function readFreeRow(row: Row, cells: readonly string[], notes: Notes): readonly Person[] {
  if (cells.length === 1 && TOTAL.test(cells[0] ?? '')) {
    notes.withoutAddress += 1;
    return [];
  }
  const holders = cells.filter(mayHaveAddress);
  const [holder] = holders;
  if (holder === undefined) return [refused(row, row.text, 'invalid_email')];
  if (holders.length === 1) return [readFreeCell(row, holder)];
  if (holders.length < cells.length) return [refused(row, row.text, 'several_addresses')];
  return cells.flatMap((cell) => readFreeCells(row, cell));
}

/** A cell between semicolons may be a list with commas. */
function readFreeCells(row: Row, cell: string): readonly Person[] {
  if (cell.indexOf('@') === cell.lastIndexOf('@')) return [readFreeCell(row, cell)];
  const parts = splitRow(cell);
  const isList = parts.length > 1 && parts.every(mayHaveAddress);
  return isList ? parts.map((part) => readFreeCell(row, part)) : [readFreeCell(row, cell)];
}

/** Without a header row, each name is doubtful. */
function readFreeCell(row: Row, cell: string): Person {
  if (hasSeveralAddresses(cell)) return refused(row, cell, 'several_addresses');
  const { address, name } = readAddressCell(cell);
  const isName = name !== '' && addressesIn(name).length === 0;
  const given = isName ? givenNameOf(name) : '';
  return { line: row.line, text: cell, address, name: given, isDoubtful: true, mistake: undefined };
}

const refused = (row: Row, text: string, mistake: string): Person => ({
  line: row.line,
  text,
  address: '',
  name: '',
  isDoubtful: false,
  mistake,
});

function addOne(counts: Map<number, number>, column: number): void {
  counts.set(column, (counts.get(column) ?? 0) + 1);
}
