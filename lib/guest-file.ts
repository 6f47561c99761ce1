/** Reads the guests of a file by the columns that the operator names, and says how it is read. */
import fs from 'node:fs';
import { countOf, formatTable } from './cli.ts';
import { ExpectedError, UsageError } from './config.ts';
import { decodeFile } from './csv.ts';
import {
  type Choice,
  type Column,
  describeLines,
  type Guests,
  guestsOf,
  type List,
  ListError,
  readList,
} from './guest-list.ts';

/** How many guests are shown. */
const SHOWN = 10;

const HOW_TO_NAME =
  'No first names: --first-name COLUMN adds them, and --first-word takes Ada of Ada Lovelace.';

/** Options of `invite add`. */
type Options = Readonly<Record<string, unknown>>;

/** Who is in a file, and a text for the operator who decides whether to invite them. */
export type Reading = { readonly guests: Guests['guests']; readonly text: string };

/** @throws {ExpectedError} if it is no list, if this user may not read it, or a column is missing */
export function readGuestFile(file: string, options: Options): Reading {
  const list = readFile(file);
  const address = findColumn(list.columns, options.address, list.addressColumn);
  if (address === null) throw new ExpectedError('the list has no column of addresses');
  const firstName = findColumn(list.columns, options['first-name'], list.firstNameColumn);
  const choice = { address, firstName, firstWordOnly: options['first-word'] === true };
  const read = guestsOf(list, choice);
  const text = `${describeColumns(list.columns, choice)}\n${describeGuests(read)}`;
  return { guests: read.guests, text };
}

function readFile(file: string): List {
  try {
    return readList(decodeFile(fs.readFileSync(file === '-' ? 0 : file)));
  } catch (error) {
    if (error instanceof ListError) throw new ExpectedError(error.message);
    const isForbidden = error instanceof Error && 'code' in error && error.code === 'EACCES';
    if (!isForbidden) throw error;
    throw new ExpectedError(`this user may not read ${file}; write: --file - < ${file}`);
  }
}

/**
 * @param wanted a heading, or a number from 1; `none` is no column
 * @returns its index, and the proposed one if none is wanted
 */
function findColumn(
  columns: readonly Column[],
  wanted: unknown,
  proposed: number | null,
): number | null {
  if (wanted === undefined) return proposed;
  if (wanted === 'none') return null;
  const name = String(wanted).toLowerCase();
  const column =
    columns.find(({ heading }) => heading !== '' && heading.toLowerCase() === name) ??
    columns.find(({ index }) => String(index + 1) === name);
  if (column) return column.index;
  // Quoted, because a heading may hold control characters.
  const names = columns.map(({ index, heading }) => JSON.stringify(heading || String(index + 1)));
  throw new UsageError(`the list has no column ${wanted}; it has: ${names.join(', ')}`);
}

function describeColumns(columns: readonly Column[], { address, firstName }: Choice): string {
  const uses = new Map([
    [firstName, 'first names'],
    [address, 'addresses'],
  ]);
  const rows = columns.map(({ index, heading, samples }) => ({
    column: index + 1,
    heading,
    readAs: uses.get(index),
    samples: samples.join(' · '),
  }));
  const table = formatTable(['column', 'heading', 'readAs', 'samples'], rows);
  if (firstName !== null || columns.length === 1) return table;
  return `${table}${HOW_TO_NAME}\n`;
}

function describeGuests({ guests, problems, duplicates, withoutAddress }: Guests): string {
  const parts = [formatTable(['line', 'email', 'firstName'], guests.slice(0, SHOWN))];
  if (guests.length > SHOWN) parts.push(`and ${guests.length - SHOWN} more\n`);
  if (problems.length > 0)
    parts.push('Refused:', formatTable(['line', 'reason', 'text'], problems));
  const counts = [
    countOf(guests.length, 'guest'),
    `${problems.length} refused`,
    `${duplicates.length} twice in the list`,
  ];
  if (withoutAddress.length > 0)
    counts.push(`without an address: ${describeLines(withoutAddress)}`);
  return `${parts.join('\n')}\n${counts.join(', ')}`;
}
