/** Parses JSON, and finds the line of a mistake; `JSON.parse` names a place only sometimes. */
import { isUtf8 } from 'node:buffer';
import { fail } from './reader.ts';

/** @throws {ContentError} with the line, if the file is not UTF-8 or not JSON */
export function parseJson(file: Buffer): unknown {
  if (!isUtf8(file)) {
    const lines = file.toString('latin1').split('\n');
    const line = lines.findIndex((each) => !isUtf8(Buffer.from(each, 'latin1'))) + 1;
    return fail(`line ${line}`, 'not UTF-8; save the file as UTF-8');
  }
  // The decoder drops a byte order mark.
  const json = new TextDecoder().decode(file);
  try {
    return JSON.parse(json);
  } catch {
    const mistake =
      'not JSON; is a comma, quote or bracket missing or too many, here or just before?';
    return fail(`line ${brokenLine(json)}`, mistake);
  }
}

/** The first line, from 1, up to which the text cannot begin a JSON value; else its last line. */
function brokenLine(text: string): number {
  const lines = text.trimEnd().split('\n');
  let [first, last] = [1, lines.length];
  while (first < last) {
    const middle = (first + last) >> 1;
    if (isBroken(`${lines.slice(0, middle).join('\n')}\n`)) last = middle;
    else first = middle + 1;
  }
  return first;
}

/** Whether JSON.parse fails before the end of the text. */
function isBroken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    const { message } = error as SyntaxError;
    const position = / at position (\d+)/.exec(message)?.[1];
    return position ? Number(position) < text.length : !message.includes('Unexpected end');
  }
}
