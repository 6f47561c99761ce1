/** Reads a file of people to invite: one address per line, or CSV with email and first name. */
import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import type { NewInvite } from '../records.ts';
import { normalizeEmail, normalizeFirstName } from '../store/rows/normalize.ts';
import { Refusal } from './tool.ts';

export type Guest = Pick<NewInvite, 'email' | 'firstName'>;

/** The indexes of the cells with the address and the first name. */
type Columns = { readonly email: number; readonly name: number };

/** Headings without other characters than letters, in order of preference. */
const EMAIL_HEADINGS = ['email', 'emailaddress', 'emailadresse', 'mail'];
const NAME_HEADINGS = ['firstname', 'givenname', 'forename', 'vorname', 'name'];

/**
 * Reads all people in a file, in its order. Commas, semicolons or tabs separate the cells, which may
 * be in double quotes. Empty lines are ignored. A first line with a heading for addresses is the
 * heading line. Without one, the first cell with an `@` is the address, and the first other cell is
 * the first name.
 *
 * @param file a path, or `-` for standard input
 * @throws {Refusal} if the file cannot be read, is empty, or has a bad line, which the message names
 */
export function readInviteFile(file: string): readonly Guest[] {
  const lines = readLines(file).filter(({ cells }) => cells.some((cell) => cell !== ''));
  const heading = readHeading(lines[0]?.cells ?? []);
  const guests = lines.slice(heading ? 1 : 0).map(({ number, cells }) => {
    const { email, name } = heading ?? guessColumns(cells);
    return readGuest(number, cells[email], cells[name]);
  });
  if (guests.length === 0)
    throw new Refusal(`${file === '-' ? 'standard input' : file} names nobody`);
  return guests;
}

function readLines(file: string) {
  // In Latin-1 each character is a byte, so each line can be checked and decoded by itself.
  const lines = readBytes(file)
    .toString('latin1')
    .split(/\r\n|\n|\r/);
  return lines.map((line, i) => {
    const bytes = Buffer.from(line, 'latin1');
    if (!isUtf8(bytes)) throw badLine(i + 1, 'it is not UTF-8');
    return { number: i + 1, cells: splitLine(bytes.toString().replace(/^\uFEFF/, ''), i + 1) };
  });
}

function readBytes(file: string): Buffer {
  try {
    return fs.readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    throw new Refusal(`${file} cannot be read (${error instanceof Error ? error.message : error})`);
  }
}

const badLine = (number: number, what: string): Refusal =>
  new Refusal(`line ${number}: ${what}; nobody was invited: correct the line and try again`);

/** A quoted cell, in which two quotes mean one, or a plain cell; then a delimiter or the end. */
const CELL = /(?:\s*"((?:[^"]|"")*)"\s*|(?!\s*")([^,;\t]*))(?:[,;\t]|$)/y;

function splitLine(line: string, number: number): readonly string[] {
  const cells: string[] = [];
  for (CELL.lastIndex = 0; CELL.lastIndex < line.length; ) {
    const match = CELL.exec(line);
    if (!match) throw badLine(number, 'a quote is not closed');
    cells.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim());
  }
  return cells;
}

function readHeading(cells: readonly string[]): Columns | undefined {
  const names = cells.map((cell) => cell.toLowerCase().replace(/[^a-z]/g, ''));
  const column = (headings: readonly string[]) =>
    headings.map((heading) => names.indexOf(heading)).find((i) => i >= 0);
  const email = column(EMAIL_HEADINGS);
  if (email === undefined) return undefined;
  // If there are two columns, the other one has the first name, under any heading.
  return { email, name: column(NAME_HEADINGS) ?? (names.length === 2 ? 1 - email : -1) };
}

function guessColumns(cells: readonly string[]): Columns {
  const email = cells.findIndex((cell) => cell.includes('@'));
  return email > 0 ? { email, name: 0 } : { email: 0, name: 1 };
}

function readGuest(line: number, address = '', name = ''): Guest {
  const email = normalizeEmail(address);
  if (email === undefined)
    throw badLine(line, `${JSON.stringify(address)} is not an email address`);
  const firstName = normalizeFirstName(name);
  if (firstName === undefined)
    throw badLine(line, 'the first name is over 100 characters or has control characters');
  return { email, firstName };
}
