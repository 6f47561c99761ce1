/** Parses JSON that people write by hand, and names the line of a mistake. */
import { isUtf8 } from 'node:buffer';
import { failAt } from './field-readers.ts';

/** The end of most messages of `JSON.parse`, in newer Nodes with line and column. */
const POSITION = / (?:in JSON )?at position (\d+)(?: \(line \d+ column \d+\))?$/;

/** The end of the others: a piece of the text around the mistake. */
const CONTEXT = /, (?:\.{3})?".*"(?:\.{3})? is not valid JSON$/s;

/** Quotes that JSON does not know, where a text begins, and where one ends. */
const QUOTE = /[“”„‟«»‘’‚‹›'`´]/;
const WRONG_END = /[“”„‟«»](?=\s*([:,]\s*"?)?$)/;

/** @throws {ContentError} with the line, if the file is not UTF-8 or not JSON */
export function parseJson(file: Buffer): unknown {
  if (!isUtf8(file)) return failAt('', 'not UTF-8; save the file as UTF-8');
  // The decoder drops a byte order mark.
  const json = new TextDecoder().decode(file).trimEnd();
  try {
    return JSON.parse(json);
  } catch (error) {
    const [message = '', position] = (error as SyntaxError).message.split(POSITION);
    const at = position === undefined ? findFault(json) : Number(position);
    const { line, hint = message.replace(CONTEXT, '') } = explain(
      json.slice(0, at),
      json.charAt(at),
    );
    return failAt(`line ${line}`, `not JSON: ${hint}`);
  }
}

/** Where `JSON.parse` finds an unexpected token, which it does not say, or the end. */
function findFault(json: string): number {
  let [sound, at] = [0, json.length];
  while (sound < at) {
    const middle = Math.floor((sound + at) / 2);
    if (hasUnexpectedToken(json.slice(0, middle + 1))) at = middle;
    else sound = middle + 1;
  }
  return at;
}

function hasUnexpectedToken(json: string): boolean {
  try {
    JSON.parse(json);
    return false;
  } catch (error) {
    return (error as SyntaxError).message.startsWith('Unexpected token');
  }
}

/** The line of a mistake, and how to correct the usual ones. @param found the character there */
function explain(before: string, found: string): { line: number; hint?: string } {
  // The comma may be on a line above the bracket.
  const isSurplus = /,\s*$/.test(before) && /[\]}]/.test(found);
  const lines = (isSurplus ? before.trimEnd() : before).split(/\r\n?|\n/);
  const line = lines.length;
  if (isSurplus) return { line, hint: 'no comma after the last one' };
  const quote = (QUOTE.exec(found) ?? WRONG_END.exec(lines.at(-1) ?? ''))?.[0];
  if (quote) return { line, hint: `write straight quotes ("…") in place of ${quote}` };
  if (!/[\p{Z}\p{Cf}]/u.test(found)) return { line };
  const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return { line, hint: `delete the invisible character U+${code}` };
}
