/** Parses JSON, with the line of a mistake. */
import { isUtf8 } from 'node:buffer';
import { failAt } from './field-readers.ts';

/** The end of most messages of `JSON.parse`, in newer Nodes with line and column. */
const POSITION = / (?:in JSON )?at position (\d+)(?: \(line \d+ column \d+\))?$/;

/** @throws {ContentError} if the file is not UTF-8 or not JSON */
export function parseJson(file: Buffer): unknown {
  if (!isUtf8(file)) return failAt('', 'not UTF-8; save the file as UTF-8');
  // The decoder drops a byte order mark.
  const json = new TextDecoder().decode(file);
  try {
    return JSON.parse(json);
  } catch (error) {
    const [message = '', position] = (error as SyntaxError).message.split(POSITION);
    const line = json.slice(0, Number(position)).split('\n').length;
    return failAt(position ? `line ${line}` : '', `not JSON: ${message}`);
  }
}
