/** Reads a file of people to invite. A single bad line refuses the whole file. */
import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import { LINE_MISTAKES, type ListEntry, readAddressList } from '../address-list.ts';
import { Refusal } from './shell.ts';

/**
 * @param file a path, or `-` for standard input
 * @throws {Refusal} if the file cannot be read, is empty or has a bad line
 */
export function readInviteFile(readInput: () => Buffer, file: string): readonly ListEntry[] {
  const text = decode(readBytes(readInput, file));
  const entries = readAddressList(text).filter(({ what }) => what !== 'heading');
  for (const { line, text, what } of entries)
    if (LINE_MISTAKES[what])
      throw badLine(line, `${JSON.stringify(text.slice(0, 200))}: ${LINE_MISTAKES[what]}`);
  if (entries.length === 0)
    throw new Refusal(`${file === '-' ? 'standard input' : file} names nobody`);
  return entries;
}

function decode(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  // In Latin-1 each character is a byte, so each line can be checked alone.
  const lines = bytes.toString('latin1').split(/\r\n|\n|\r/);
  const bad = lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1')));
  throw badLine(bad + 1, 'it is not UTF-8');
}

function readBytes(readInput: () => Buffer, file: string): Buffer {
  try {
    return file === '-' ? readInput() : fs.readFileSync(file);
  } catch (error) {
    // For example a folder, or more than 2 GiB.
    throw new Refusal(`${file} cannot be read (${(error as Error).message})`);
  }
}

const badLine = (number: number, what: string): Refusal =>
  new Refusal(`line ${number}: ${what}; nobody was invited: correct the line and try again`);
