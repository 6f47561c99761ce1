/** The stored and the readable form of addresses, and the folded form of text for the search. */
import { domainToUnicode } from 'node:url';
import { normalizeEmail } from '../address.ts';
import type { WithReadable } from '../records.ts';

export { normalizeEmail, normalizeFirstName, normalizeInvitedEmail } from '../address.ts';

/** Converts a JSON value to text; to empty text if that throws, as for `{ "toString": 1 }`. */
export function coerceToText(value: unknown): string {
  try {
    return String(value ?? '');
  } catch {
    return '';
  }
}

/** The address with a Unicode domain, unless that would be a different address. */
export function readableEmail(email: string): string {
  if (!email.includes('xn--')) return email;
  const at = email.indexOf('@') + 1;
  const readable = email.slice(0, at) + domainToUnicode(email.slice(at));
  return normalizeEmail(readable) === email ? readable : email;
}

export function withReadable<Row extends { readonly email: string | null }>(
  row: Row,
): WithReadable<Row> {
  const readable = row.email && readableEmail(row.email);
  return readable && readable !== row.email ? { ...row, readable } : row;
}

/** Letters that NFKD does not decompose, and the typographic apostrophe. */
const PLAIN = new Map(
  ['ßss', 'æae', 'œoe', 'þth', 'øo', 'łl', 'đd', 'ðd', 'ħh', 'ıi', 'ςσ', "’'"].map(
    ([letter = '', ...plain]) => [letter, plain.join('')],
  ),
);

/** Removes case, accents and other marks. */
export function foldText(text: string): string {
  if (!/[^ -~]/.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/\P{ASCII}/gu, (letter) => PLAIN.get(letter) ?? letter);
}
