/** The stored and the readable form of addresses, who can be invited, and folded text to search. */
import { domainToUnicode } from 'node:url';
import type { WithReadable } from '../records.ts';
import { normalizeEmail, trimInvisible } from './address.ts';

export { normalizeEmail, normalizeFirstName } from './address.ts';

/**
 * An address to invite, with its readable domain: letters, marks, digits, and the ASCII characters
 * that need no quotes (RFC 5322).
 */
const INVITED =
  /^[!#-'*+./=?^-~\p{L}\p{M}\p{Nd}-]+@(?:[\p{L}\p{M}\p{Nd}-]+\.)+(?:[\p{L}\p{M}]+|xn--[a-z\d-]+)$/u;

/** A mark or modifier letter first or last, and dots and hyphens that join nothing. */
const ODD_EDGE = /^[\p{M}\p{Lm}.]|\p{Lm}$|\.@|\.\.|@-|-\./u;

/** Ligatures, and presentation forms of letters, in text that is copied from a PDF. */
const PRESENTATION_FORMS = /[\uFB00-\uFFEF]/;

/** Invisible, or a symbol that the ASCII form of a domain loses: `.com™` is `.comtm`. */
const NEVER_TYPED = /\p{Default_Ignorable_Code_Point}|[^ -~。．｡\p{L}\p{M}\p{Nd}]/u;

/** Converts a JSON value to text; to empty text if that throws, as for `{ "toString": 1 }`. */
export function coerceToText(value: unknown): string {
  try {
    return String(value ?? '');
  } catch {
    return '';
  }
}

/**
 * Normalizes an address to invite. A link to it is taken too: `mailto:`, or that of an invitation.
 *
 * @returns `undefined` if it is not an address, or has characters that no address has
 */
export function normalizeInvitedEmail(text: string): string | undefined {
  const typed = trimInvisible(unwrapLink(trimInvisible(text)));
  const email = normalizeEmail(typed);
  if (email === undefined || NEVER_TYPED.test(typed)) return undefined;
  const readable = readableEmail(email);
  const isOdd = [PRESENTATION_FORMS, ODD_EDGE].some((odd) => odd.test(readable));
  return INVITED.test(readable) && !isOdd ? email : undefined;
}

/** The address in `mailto:ada@example.com?subject=…` or `https://preview.example.com/#ada@…` */
function unwrapLink(text: string): string {
  const [, address] = /^(?:mailto:|[^@#]*\/#)([^?]*)/i.exec(text) ?? [];
  if (address === undefined) return text;
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
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
