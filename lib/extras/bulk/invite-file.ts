/** Reads a file of people to invite. A bad line refuses the whole file. */
import fs from 'node:fs';
import { LINE_MISTAKES } from '../../addresses/address.ts';
import { Refusal } from '../../cli/shell.ts';
import { decodeText } from '../../lists.ts';
import { readAddressList } from './address-list.ts';

/**
 * @param file a path, or `-` for standard input
 * @throws {Refusal} if the file is empty or has bad lines, which are all named
 */
export function readInviteFile(readInput: () => Buffer, file: string) {
  const name = file === '-' ? 'standard input' : file;
  const text = decodeText(file === '-' ? readInput() : fs.readFileSync(file));
  if (text === undefined)
    throw new Refusal(`${name} is not UTF-8; no one was invited: save it as CSV UTF-8, try again`);
  const list = readAddressList(text);
  const { entries } = list;
  const mistakes = entries.flatMap(({ line, text, reason }) => {
    const mistake = LINE_MISTAKES[reason ?? ''];
    return mistake ? `line ${line}: ${JSON.stringify(text.slice(0, 200))}: ${mistake}` : [];
  });
  if (mistakes.length > 0) {
    const remedy = 'no one was invited: correct these lines, and try again';
    throw new Refusal([...mistakes, remedy].join('\n'));
  }
  if (entries.length === 0) throw new Refusal(`${name} contains no addresses`);
  return list;
}
