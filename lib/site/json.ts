/** Parses JSON that people write by hand, and names the line of a mistake. */
import { isUtf8 } from 'node:buffer';
import { failAt } from './field-readers.ts';

/** The line breaks of Windows, of old Macs, and of all others. */
const LINE_BREAK = /\r\n?|\n/;

/**
 * The end of a message of `JSON.parse`, which differs between versions of Node: a position, as in
 * `Unexpected token } in JSON at position 9`, or a piece of the text, as in `Unexpected token '}',
 * ..."a": 1,}" is not valid JSON`; not `Unexpected end of JSON input`.
 */
const PLACE =
  /(?: in JSON)? at position (\d+)(?: \(line \d+ column \d+\))?$|, \.{0,3}".*is not valid JSON$/s;

/** Quotation marks that JSON does not know, at the start of a text. */
const QUOTE = /[“”„‟«»‘’‚‹›'`´]/;

/** Such a mark at the end of a text: `"Four”,` and `"title”: "`, not `"Four “and” five"`. */
const WRONG_END = /[“”„‟«»](?=\s*([:,]\s*"?)?$)/;

/** A conflict marker of git: `<<<<<<< HEAD` and `=======`, not `<<`. */
const CONFLICT = /^(<{7}|={7}|>{7}|\|{7})( |$)/;

/** The start of a file that git LFS has not fetched. */
const POINTER = 'version https://git-lfs.github.com/spec/';

export const POINTER_FAULT = 'is a pointer of git LFS, not the file itself; run: git lfs pull';

export const isPointer = (file: Buffer): boolean =>
  file.toString('latin1', 0, POINTER.length) === POINTER;

/** The text of a file. @throws {ContentError} if it is not UTF-8 */
export function decodeJson(file: Buffer): string {
  if (!isUtf8(file)) return failAt('', 'not UTF-8; save the file as UTF-8');
  // TextDecoder removes a byte order mark.
  return new TextDecoder().decode(file).trimEnd();
}

/** @throws {ContentError} with the line, if the file is not UTF-8 or not JSON */
export function parseJson(file: Buffer): unknown {
  if (isPointer(file)) return failAt('', POINTER_FAULT);
  const json = decodeJson(file);
  const message = faultIn(json);
  if (message === '') return JSON.parse(json);
  const position = PLACE.exec(message)?.[1];
  const at = position === undefined ? findUnexpected(json) : Number(position);
  const before = json.slice(0, at);
  const found = json.charAt(at);
  const isSurplus = /,\s*$/.test(before) && /[\]}]/.test(found);
  if (isSurplus) {
    // The unwanted comma may be on a line above the bracket.
    const lines = before.trimEnd().split(LINE_BREAK);
    return failAt(`line ${lines.length}`, 'not JSON: no comma after the last one');
  }
  const lines = before.split(LINE_BREAK);
  const start = lines.at(-1) ?? '';
  const [rest = ''] = json.slice(at).split(LINE_BREAK, 1);
  const hint = findForeign(start + rest, rest) ?? findRemedy(found, start);
  return failAt(`line ${lines.length}`, `not JSON: ${hint ?? message.replace(PLACE, '')}`);
}

/** The message of `JSON.parse` about a text; empty if the text is JSON. */
function faultIn(json: string): string {
  try {
    JSON.parse(json);
    return '';
  } catch (error) {
    return (error as SyntaxError).message;
  }
}

/**
 * The position of the unexpected token, which `JSON.parse` does not tell, or the end of the text.
 */
function findUnexpected(json: string): number {
  // The text before `sound` has no unexpected token.
  let sound = 0;
  let at = json.length;
  while (sound < at) {
    const middle = Math.floor((sound + at) / 2);
    if (faultIn(json.slice(0, middle + 1)).startsWith('Unexpected token')) at = middle;
    else sound = middle + 1;
  }
  return at;
}

/**
 * Explains what JSON does not allow in a line.
 *
 * @param rest the line from the unexpected character on
 */
function findForeign(line: string, rest: string): string | undefined {
  if (CONFLICT.test(line))
    return 'a merge conflict; keep one of the two versions, and delete the lines of git';
  if (/^(\/\/|\/\*|#)/.test(rest)) return 'a comment, which JSON does not have; delete it';
  return undefined;
}

/** @param line the line before the unexpected character */
function findRemedy(found: string, line: string): string | undefined {
  const [quote] = QUOTE.exec(found) ?? WRONG_END.exec(line) ?? [];
  if (quote) return `write straight quotes ("…") in place of ${quote}`;
  const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return /[\p{Z}\p{Cf}]/u.test(found) ? `delete the invisible character U+${code}` : undefined;
}
