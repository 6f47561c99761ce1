/**
 * Reads a list of people to invite, for the page and the tool, by its headings and by its cells.
 * rows.ts splits it, table.ts finds the delimiter, columns.ts the header row, people.ts the people.
 * This file checks them, and says how the list was read. No first name is guessed.
 */
import { normalizeEmail, normalizeFirstName } from '../../addresses/address.ts';
import { checkInvitedEmail, composeEmail, type EmailMistake } from '../../addresses/normalize.ts';
import { NONE } from './address-column.ts';
import { findHeader, type Header } from './columns.ts';
import { type Notes, type Person, readBelow, readFreeRows } from './people.ts';
import type { ReadColumns } from './reading.ts';
import { readTable } from './table.ts';
import { type NamedPerson, writeWarning } from './warning.ts';

/** A person in a list, or a row with a mistake. */
export type ListEntry = {
  /** The number of the row, as a spreadsheet counts it. */
  readonly line: number;
  /** The cell of the address, or the whole row if that cell is not known. */
  readonly text: string;
  /** As it would be stored; empty if it is invalid. */
  readonly email: string;
  /** The address as it was typed. An invite that another program wrote may have this form. */
  readonly typedEmail: string;
  readonly firstName: string | null;
  /** Whether somebody should check the first name. */
  readonly isDoubtful: boolean;
  /** `null`, `twice`, or a reason of `LINE_MISTAKES`. */
  readonly reason: string | null;
};

export type AddressList = {
  readonly entries: readonly ListEntry[];
  readonly read: ReadColumns;
  /** The headings of columns that are not read. */
  readonly ignored: readonly string[];
  /** The number of rows without an address. They are not mistakes. */
  readonly withoutAddress: number;
  /** Sentences about what the administrator should check. Those about names come first. */
  readonly warning: string | null;
};

export function readList(text: string): AddressList {
  const table = readTable(text);
  const notes: Notes = {
    withoutAddress: 0,
    elsewhere: new Map(),
    filledIn: new Map(),
    severalNames: 0,
    fromFirstName: 0,
    fromFullName: 0,
    above: [],
    mentionedAbove: [],
  };
  const header = findHeader(table);
  const people = header ? readBelow(header, table, notes) : readFreeRows(table, notes);
  const { entries, named } = checkPeople(people);
  const addresses = entries.filter(isPerson).map(({ email }) => email);
  return {
    entries,
    read: columnsOf(header, notes),
    ignored: header ? ignoredOf(header, notes) : [],
    withoutAddress: notes.withoutAddress,
    warning: writeWarning({ header, hasPipes: table.hasPipes, notes, named, addresses }),
  };
}

const isPerson = ({ reason }: ListEntry): boolean => reason === null;

/** Checks each person. If one is in two lines, the line with a name gives the name. */
function checkPeople(people: readonly Person[]) {
  const entries: ListEntry[] = [];
  /** The position of each address among the entries. */
  const known = new Map<string, number>();
  for (const person of people) {
    const entry = checkPerson(person);
    const { email, firstName, reason } = entry;
    const earlier = reason === null ? known.get(email) : undefined;
    if (earlier === undefined) {
      if (reason === null) known.set(email, entries.length);
      entries.push(entry);
      continue;
    }
    entries.push({ ...entry, reason: 'twice' });
    const first = entries[earlier];
    if (!first || first.firstName !== null || firstName === null) continue;
    entries[earlier] = { ...first, firstName, isDoubtful: entry.isDoubtful };
  }
  const named: NamedPerson[] = [];
  for (const { firstName, isDoubtful, reason } of entries)
    if (reason === null && firstName !== null) named.push({ firstName, isDoubtful });
  return { entries, named };
}

function checkPerson(person: Person): ListEntry {
  const { line, text, address, name } = person;
  const checked = checkInvitedEmail(address);
  const email = checked.email ?? '';
  const firstName = normalizeFirstName(name);
  return {
    line,
    text,
    email,
    typedEmail: typedForm(address, email),
    firstName: firstName === undefined ? name : firstName,
    isDoubtful: person.isDoubtful && Boolean(firstName),
    reason: person.mistake ?? findMistake(person, checked.mistake, firstName === undefined),
  };
}

function findMistake(
  { address, name }: Person,
  ofAddress: EmailMistake | undefined,
  isWrongName: boolean,
): string | null {
  if (address.includes('\uFFFD') || name.includes('\uFFFD')) return 'lost_characters';
  if (ofAddress) return ofAddress;
  return isWrongName ? 'invalid_first_name' : null;
}

function columnsOf(header: Header | undefined, notes: Notes): ReadColumns {
  if (header === undefined || header.address === NONE) return { address: null, firstName: null };
  const headingOf = (column: number): string | null => header.headings[column]?.text || null;
  return {
    address: headingOf(header.address),
    firstName: headingOf(findColumnOfNames(header, notes)),
  };
}

/** The column that names came from, or an empty column of first names; `NONE` without both. */
function findColumnOfNames({ firstName, fullName }: Header, notes: Notes): number {
  const hasFullNamesOnly = notes.fromFirstName === 0 && notes.fromFullName > 0;
  if (firstName !== NONE && !hasFullNamesOnly) return firstName;
  return notes.fromFullName > 0 ? fullName : NONE;
}

/** The headings of columns that were not read. */
function ignoredOf(header: Header, notes: Notes): readonly string[] {
  const read = new Set([header.address, ...notes.filledIn.keys()]);
  if (header.address !== NONE)
    for (const column of [header.firstName, ...header.otherFirstNames]) read.add(column);
  if (notes.fromFullName > 0) read.add(header.fullName);
  const ignored: string[] = [];
  for (const [column, { text }] of header.headings.entries())
    if (text !== '' && !read.has(column)) ignored.push(text);
  return ignored;
}

/** An address as it was typed. @param email its form in a new invite, or empty */
function typedForm(address: string, email: string): string {
  // Most addresses have only one form.
  if (email === '' || composeEmail(address) === address) return email;
  return normalizeEmail(address) ?? email;
}
