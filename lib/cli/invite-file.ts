/** Reads a file of people to invite. A single bad line refuses the whole file. */
import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import { LINE_MISTAKES } from '../address.ts';
import { type ListEntry, readAddressList } from '../address-list.ts';
import { Refusal } from './shell.ts';

/**
 * @param file a path, or `-` for standard input
 * @throws {Refusal} if the file cannot be read, is empty or has a bad line
 */
export function readInviteFile(readInput: () => Buffer, file: string): readonly ListEntry[] {
  const name = file === '-' ? 'standard input' : file;
  const bytes = readBytes(readInput, file);
  if (!isUtf8(bytes))
    throw new Refusal(`${name} is not UTF-8; nobody was invited: save it as UTF-8 and try again`);
  const entries = readAddressList(bytes.toString());
  for (const { line, text, reason } of entries)
    if (reason !== null && reason in LINE_MISTAKES) {
      const bad = `line ${line}: ${JSON.stringify(text.slice(0, 200))}: ${LINE_MISTAKES[reason]}`;
      throw new Refusal(`${bad}; nobody was invited: correct the line and try again`);
    }
  if (entries.length === 0) throw new Refusal(`${name} contains no addresses`);
  return entries;
}

function readBytes(readInput: () => Buffer, file: string): Buffer {
  try {
    return file === '-' ? readInput() : fs.readFileSync(file);
  } catch (error) {
    // For example a folder, or more than 2 GiB.
    throw new Refusal(`${file} cannot be read (${(error as Error).message})`);
  }
}
