/** Reads a file of people to invite: one address a line, or CSV with email and first name. */
import fs from 'node:fs';
import { normalizeEmail, normalizeFirstName } from '../email.ts';
import { Refusal } from './tool.ts';

export type Person = { readonly email: string; readonly firstName: string | null };

/**
 * Everybody in the file, in its order. Cells are divided by comma, semicolon or tab and may be in double quotes; a
 * first line whose first cell is `email` is a heading; empty lines do not count.
 *
 * @param file a path, or `-` for standard input
 * @throws {Refusal} where the file cannot be read, is empty, or has a bad line, which is named
 */
export function readInviteFile(file: string): readonly Person[] {
  const lines = readText(file)
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/);
  const people = lines.flatMap((line, i) => {
    const cells = splitLine(line);
    const heading = i === 0 && cells?.[0]?.toLowerCase() === 'email';
    return line.trim() === '' || heading ? [] : [readPerson(cells, i + 1)];
  });
  if (people.length === 0)
    throw new Refusal(`${file === '-' ? 'standard input' : file} names nobody`);
  return people;
}

function readText(file: string): string {
  try {
    return fs.readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new Refusal(`${file} cannot be read (${error instanceof Error ? error.message : error})`);
  }
}

function readPerson(cells: readonly string[] | undefined, line: number): Person {
  const refuse = (what: string): never => {
    throw new Refusal(`line ${line}: ${what}; nobody was invited: mend the line and try again`);
  };
  const [address = '', name = ''] = cells ?? refuse('a quote is not closed');
  const email =
    normalizeEmail(address) ?? refuse(`${JSON.stringify(address)} is not an email address`);
  const firstName = normalizeFirstName(name);
  if (firstName === undefined)
    return refuse('the first name is over 100 characters or has control characters');
  return { email, firstName };
}

/** A quoted cell, in which a doubled quote stands for one, or a plain cell, which begins with none; then a delimiter or the end. */
const CELL = /(?:\s*"((?:[^"]|"")*)"\s*|(?!\s*")([^,;\t]*))(?:[,;\t]|$)/y;

/** @returns `undefined` where a quote is not closed */
function splitLine(line: string): readonly string[] | undefined {
  const cells: string[] = [];
  CELL.lastIndex = 0;
  while (CELL.lastIndex < line.length) {
    const match = CELL.exec(line);
    if (!match) return undefined;
    cells.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim());
  }
  return cells;
}
