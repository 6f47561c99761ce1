/** Reads a file of people to invite. It is taken as a whole, or refused with its first bad line. */
import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import { type Entry, MISTAKES, readList } from '../address-list.ts';
import { Refusal, type Shell } from './shell.ts';

type Input = Pick<Shell, 'readInput'>;

/**
 * Reads all people in a file, in its order, each once.
 *
 * @param file a path, or `-` for standard input
 * @throws {Refusal} if the file cannot be read, is empty, or has a bad line, which the text names
 */
export function readInviteFile(shell: Input, file: string): readonly Entry[] {
  const entries = readList(readText(shell, file)).filter(({ what }) => what !== 'heading');
  for (const { line, text, what } of entries)
    if (MISTAKES[what])
      throw badLine(line, `${JSON.stringify(text.slice(0, 200))}: ${MISTAKES[what]}`);
  if (entries.length === 0)
    throw new Refusal(`${file === '-' ? 'standard input' : file} names nobody`);
  return entries;
}

function readText(shell: Input, file: string): string {
  const bytes = readBytes(shell, file);
  if (isUtf8(bytes)) return bytes.toString();
  // In Latin-1 each character is a byte, so each line can be checked by itself.
  const lines = bytes.toString('latin1').split(/\r\n|\n|\r/);
  const bad = lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1')));
  throw badLine(bad + 1, 'it is not UTF-8');
}

function readBytes({ readInput }: Input, file: string): Buffer {
  try {
    return file === '-' ? readInput() : fs.readFileSync(file);
  } catch (error) {
    // For example a folder, or more than 2 GiB.
    throw new Refusal(`${file} cannot be read (${(error as Error).message})`);
  }
}

const badLine = (number: number, what: string): Refusal =>
  new Refusal(`line ${number}: ${what}; nobody was invited: correct the line and try again`);
