/** Reads a file of people to invite. One bad row refuses the whole file. */
import fs from 'node:fs';
import os from 'node:os';
import { Refusal } from '../../cli/shell.ts';
import { plural } from '../../cli/terminal.ts';
import { commandFor, quoteForShell } from '../../config.ts';
import { decodeText, decodeWindows1252 } from './decode.ts';
import { type AddressList, readList } from './read-list.ts';
import { LINE_MISTAKES } from './reading.ts';

/** The encodings of `--encoding`. UTF-16 has a byte order mark, and needs no option. */
export const ENCODINGS = ['utf-8', 'windows-1252'] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** How many rows are shown for each mistake. */
const SHOWN = 3;

/** How many characters of a row are shown. */
const SHOWN_LENGTH = 60;

/**
 * A list, and the encoding of its file. A file in UTF-8 is read as UTF-8, whatever was asked for.
 */
export type InviteFile = {
  readonly list: AddressList;
  readonly encoding: Encoding;
};

/**
 * @param file a path, or `-` for standard input
 * @throws {Refusal} if the file is empty, in another encoding, or has bad rows, which are all named
 */
export function readInviteFile(
  readInput: () => Buffer,
  file: string,
  encoding: Encoding,
): InviteFile {
  const name = file === '-' ? 'standard input' : file;
  const bytes = file === '-' ? readInput() : readPath(file);
  const decoded = decode(bytes, name, encoding);
  const list = readList(decoded.text);
  const mistakes = describeMistakes(list);
  if (mistakes.length > 0) {
    const remedy =
      'no one was invited: correct these lines (numbers of rows in a spreadsheet) and try again';
    throw new Refusal([...mistakes, remedy].join('\n'));
  }
  if (list.entries.length === 0) {
    const rows = list.withoutAddress;
    const found = rows > 0 ? `, but ${plural(rows, 'row')} without one` : '';
    const lines = [`${name} contains no addresses${found}`];
    if (list.warning !== null) lines.push(list.warning);
    throw new Refusal(lines.join('\n'));
  }
  return { list, encoding: decoded.encoding };
}

/** @throws {Refusal} if there is no file, or if the service's user may not read a file of root */
function readPath(file: string): Buffer {
  try {
    return fs.readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Refusal(`there is no file ${file}`);
    if (code === 'EISDIR') throw new Refusal(`${file} is a folder`);
    if (code !== 'EACCES') throw error;
    if (!process.env.GUESTLIST_COMMAND) throw new Refusal(`this user cannot read ${file}`);
    const call = `${commandFor('invite add --file -')} < ${quoteForShell(file)}`;
    throw new Refusal(
      `this runs as the user ${os.userInfo().username}, who cannot read ${file}; ` +
        `let the shell read it: ${call}`,
    );
  }
}

function decode(bytes: Buffer, name: string, encoding: Encoding) {
  const utf = decodeText(bytes);
  if (utf !== undefined) return { text: utf, encoding: 'utf-8' } as const;
  const other = decodeWindows1252(bytes);
  if (other === undefined)
    throw new Refusal(`${name} is not UTF-8; no one was invited: save it as CSV UTF-8, try again`);
  if (encoding === 'windows-1252') return { text: other, encoding };
  throw new Refusal(
    `${name} is not UTF-8; no one was invited: save it as CSV UTF-8, or, if it is from Excel in a ` +
      'language of western Europe, add --encoding windows-1252, and try again',
  );
}

/** `lines 2–150: more than one address: "a@example.com / b@example.com", … and 146 more` */
function describeMistakes({ entries }: AddressList): readonly string[] {
  const described: string[] = [];
  for (const [reason, words] of Object.entries(LINE_MISTAKES)) {
    const wrong = entries.filter((entry) => entry.reason === reason);
    if (wrong.length === 0) continue;
    const texts = new Set(wrong.map(({ text }) => JSON.stringify(text.slice(0, SHOWN_LENGTH))));
    const shown = [...texts].slice(0, SHOWN).join(', ');
    const more = texts.size > SHOWN ? ` and ${texts.size - SHOWN} more` : '';
    described.push(`${nameLines(wrong.map(({ line }) => line))}: ${words}: ${shown}${more}`);
  }
  return described;
}

/** `line 2`, or `lines 2–4, 7`. @param lines in order */
function nameLines(lines: readonly number[]): string {
  const ranges: string[] = [];
  let first = lines[0] ?? 0;
  let last = first;
  for (const line of [...lines.slice(1), Infinity]) {
    if (line <= last + 1) {
      last = line;
      continue;
    }
    ranges.push(first === last ? `${first}` : `${first}–${last}`);
    first = line;
    last = line;
  }
  const isOne = ranges.length === 1 && !ranges[0]?.includes('–');
  return `${isOne ? 'line' : 'lines'} ${ranges.join(', ')}`;
}
