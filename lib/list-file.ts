/** Reads a list of guests from a file, and says how it is read, for the invite tool. */
import fs from 'node:fs';
import { formatTable, plural } from './cli.ts';
import { ExpectedError, UsageError } from './config.ts';
import { decodeFile } from './csv.ts';
import {
  type Choice,
  type Column,
  type Guests,
  type List,
  ListError,
  readList,
} from './guest-list.ts';

/** How many guests, and how many numbers of lines, are shown. */
const SHOWN = 10;

/** @param file `-` is the input @throws {ExpectedError} if it is no list, or closed to this user */
export function readListFile(file: string): List {
  try {
    return readList(decodeFile(fs.readFileSync(file === '-' ? 0 : file)));
  } catch (error) {
    if (error instanceof ListError) throw new ExpectedError(error.message);
    const isClosed = error instanceof Error && 'code' in error && error.code === 'EACCES';
    if (!isClosed) throw error;
    throw new ExpectedError(`this user may not read ${file}; write: --file - < ${file}`);
  }
}

/**
 * A column by its heading, or its number from 1.
 *
 * @param wanted `none` is no column, and what was not said is the proposed one
 * @throws {UsageError} if the list has no such column
 */
export function findColumn(
  columns: readonly Column[],
  wanted: unknown,
  proposed: number | null,
): number | null {
  if (wanted === undefined) return proposed;
  if (wanted === 'none') return null;
  const name = String(wanted).trim().toLowerCase();
  const column =
    columns.find(({ heading }) => heading.toLowerCase() === name) ??
    columns.find(({ index }) => String(index + 1) === name);
  if (column) return column.index;
  throw new UsageError(
    `the list has no column ${wanted}; it has: ${columns.map(nameOf).join(', ')}`,
  );
}

function nameOf({ index, heading }: Column): string {
  return heading || String(index + 1);
}

/** How a list is read: its columns, the first guests, and what is left out. */
export function describeReading(columns: readonly Column[], choice: Choice, read: Guests): string {
  return `${describeColumns(columns, choice)}\n${describeGuests(read)}`;
}

/** What to do after a look at it. */
export function nextSteps({ firstName }: Choice): string {
  const steps = ['Nobody is invited yet. If this is right, run the command again with --yes.'];
  if (firstName === null)
    steps.push(
      'Is a column for first names? Add --first-name COLUMN; for full names, --first-word.',
    );
  return steps.join('\n');
}

function describeColumns(columns: readonly Column[], { address, firstName }: Choice): string {
  const uses = new Map([
    [firstName, 'first names'],
    [address, 'addresses'],
  ]);
  const rows = columns.map(({ index, heading, samples, addresses }) => {
    const column = index + 1;
    const readAs = uses.get(index) ?? '';
    return { column, heading, readAs, addresses, samples: samples.join(', ') };
  });
  return formatTable(['column', 'heading', 'readAs', 'addresses', 'samples'], rows);
}

function describeGuests({ guests, problems, duplicates, withoutAddress }: Guests): string {
  const shown = guests.slice(0, SHOWN);
  const parts = [formatTable(['line', 'email', 'firstName'], shown)];
  if (guests.length > SHOWN) parts.push(`and ${guests.length - SHOWN} more\n`);
  if (problems.length > 0)
    parts.push('Refused:', formatTable(['line', 'reason', 'text'], problems));
  if (duplicates.length > 0) parts.push(`Twice in the list: ${linesOf(duplicates)}`);
  const others = withoutAddress.map((line) => ({ line }));
  if (others.length > 0) parts.push(`Without an address: ${linesOf(others)}`);
  parts.push(`${plural(guests.length, 'guest')}, ${plural(problems.length, 'row')} refused`);
  return parts.join('\n');
}

function linesOf(rows: readonly { readonly line: number }[]): string {
  const lines = rows.slice(0, SHOWN).map(({ line }) => line);
  const more = rows.length > SHOWN ? ', …' : '';
  return `${plural(rows.length, 'row')} (line ${lines.join(', ')}${more})`;
}
