/** Parses JSON that people write by hand, and names the line of a mistake. */
import { isUtf8 } from 'node:buffer';
import { failAt } from './field-readers.ts';

/** The end of a message of `JSON.parse`: a position, or a piece of the text around the mistake. */
const PLACE =
  /(?: in JSON)? at position (\d+)(?: \(line \d+ column \d+\))?$|, \.{0,3}".*is not valid JSON$/s;

/** Quotes that JSON does not know, where a text begins, and where one ends. */
const QUOTE = /[“”„‟«»‘’‚‹›'`´]/;
const WRONG_END = /[“”„‟«»](?=\s*([:,]\s*"?)?$)/;

/** @throws {ContentError} with the line, if the file is not UTF-8 or not JSON */
export function parseJson(file: Buffer): unknown {
  if (!isUtf8(file)) return failAt('', 'not UTF-8; save the file as UTF-8');
  // The decoder drops a byte order mark.
  const json = new TextDecoder().decode(file).trimEnd();
  const message = faultIn(json);
  if (message === '') return JSON.parse(json);
  const position = PLACE.exec(message)?.[1];
  const at = position === undefined ? findUnexpected(json) : Number(position);
  const before = json.slice(0, at);
  const found = json.charAt(at);
  // The comma may be on a line above the bracket.
  const isSurplus = /,\s*$/.test(before) && /[\]}]/.test(found);
  const lines = (isSurplus ? before.trimEnd() : before).split(/\r\n?|\n/);
  const hint = isSurplus ? 'no comma after the last one' : findRemedy(found, lines.at(-1) ?? '');
  return failAt(`line ${lines.length}`, `not JSON: ${hint ?? message.replace(PLACE, '')}`);
}

/** What `JSON.parse` says of a text; empty if it is JSON. */
function faultIn(json: string): string {
  try {
    JSON.parse(json);
    return '';
  } catch (error) {
    return (error as SyntaxError).message;
  }
}

/** Where the unexpected token is, which `JSON.parse` does not say, or the end. */
function findUnexpected(json: string): number {
  // Up to `sound`, the text has no unexpected token.
  let sound = 0;
  let at = json.length;
  while (sound < at) {
    const middle = Math.floor((sound + at) / 2);
    if (faultIn(json.slice(0, middle + 1)).startsWith('Unexpected token')) at = middle;
    else sound = middle + 1;
  }
  return at;
}

/** @param line the text of the line before the character that was found */
function findRemedy(found: string, line: string): string | undefined {
  const [quote] = QUOTE.exec(found) ?? WRONG_END.exec(line) ?? [];
  if (quote) return `write straight quotes ("…") in place of ${quote}`;
  const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return /[\p{Z}\p{Cf}]/u.test(found) ? `delete the invisible character U+${code}` : undefined;
}
