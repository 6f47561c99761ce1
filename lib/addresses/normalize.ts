/**
 * What only Node can do with addresses: their readable form, who can be invited, and folded text to
 * search. `address.ts` has what the browser does too.
 */
import { domainToUnicode } from 'node:url';
import type { WithReadable } from '../records.ts';
import { normalizeEmail, trimInvisible } from './address.ts';

export {
  normalizeEmail,
  normalizeFirstName,
  trimInvisible,
  withoutBidiControls,
} from './address.ts';

/**
 * An address to invite, with its readable domain: letters, marks, digits, and the ASCII characters
 * that need no quotes (RFC 5322).
 */
const INVITED =
  /^[!#-'*+./=?^-~\p{L}\p{M}\p{Nd}-]+@(?:[\p{L}\p{M}\p{Nd}-]+\.)+(?:[\p{L}\p{M}]+|xn--[a-z\d-]+)$/u;

/** Invisible, a symbol that the ASCII form of a domain loses (`.com™` is `.comtm`), or a link. */
const NEVER_TYPED = /\/#|\p{Default_Ignorable_Code_Point}|[^ -~。．｡\p{L}\p{M}\p{Nd}]/u;

/** Converts a JSON value to text; to empty text if that throws, as for `{ "toString": 1 }`. */
export function coerceToText(value: unknown): string {
  try {
    return String(value ?? '');
  } catch {
    return '';
  }
}

/**
 * Normalizes an address to invite.
 *
 * @returns `undefined` if it is not an address, or has characters that no address has
 */
export function normalizeInvitedEmail(text: string): string | undefined {
  const email = normalizeEmail(text);
  if (email === undefined || NEVER_TYPED.test(trimInvisible(text))) return undefined;
  return INVITED.test(readableEmail(email)) ? email : undefined;
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

/** Longer texts keep their marks: NFKD sorts marks, which takes the square of their number. */
const MAX_FOLDED = 1000;

/** Removes case, accents and other marks. */
export function foldText(text: string): string {
  if (text.length > MAX_FOLDED || !/[^ -~]/.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/\P{ASCII}/gu, (letter) => PLAIN.get(letter) ?? letter);
}
