/**
 * Checks of email addresses and first names. This file imports nothing, because the browser runs it
 * too.
 */

/** Longest address, in characters of its ASCII form (RFC 5321, errata 1690). */
const MAX_LENGTH = 254;

/** A longer text is no address: its ASCII form can be shorter, but not so much. */
export const MAX_TYPED_LENGTH = 2 * MAX_LENGTH;

/** `local@domain.tld`: one `@`, a dot in the domain, no white space, controls or surrogates. */
const ADDRESS = /^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+\.[^\s@\p{Cc}\p{Cs}]+$/u;

/** White space and invisible characters: format characters, variation selectors, fillers. */
const MARK = String.raw`\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\uFFFC`;
const UNMARKED = new RegExp(`[^${MARK}](?:.*[^${MARK}])?`, 'su');

/** Trims white space and invisible characters, which copied text may contain. */
export const trimInvisible = (text: string): string => UNMARKED.exec(text)?.[0] ?? '';

/**
 * Normalizes an address: trimmed, lower-cased, and the domain in ASCII, as browsers send it.
 *
 * @returns `undefined` if the text is not an address
 */
export function normalizeEmail(text: string): string | undefined {
  const trimmed = trimInvisible(text);
  if (trimmed.length > MAX_TYPED_LENGTH) return undefined;
  // Lower-casing "İ" leaves an "i" with a combining dot, which no keyboard types.
  const typed = trimmed.toLowerCase().replace(/i\u0307+/g, 'i');
  const at = typed.indexOf('@') + 1;
  const email = typed.slice(0, at) + toAscii(typed.slice(at));
  return email.length <= MAX_LENGTH && ADDRESS.test(email) ? email : undefined;
}

/**
 * The ASCII form of a domain, or an empty string. The host of a URL may be more than a domain: `%`
 * is decoded, a path and a port end it, and a number becomes an IPv4 address.
 */
function toAscii(domain: string): string {
  if (!/[^\0-\x7f]/.test(domain)) return domain;
  const url = /[%/?#\\:@]/.test(domain) ? '' : `http://${domain}`;
  const ascii = URL.canParse(url) ? new URL(url).hostname : '';
  return /^[\d.]+$/.test(ascii) ? '' : ascii;
}

/** Embeddings, overrides and isolates of the direction of text. */
const BIDI_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/g;

/** Takes out characters that would turn the text around a name round. */
export const withoutBidiControls = (text: string): string => text.replace(BIDI_CONTROLS, '');

/**
 * Normalizes a first name: without bidirectional controls, trimmed, and `null` if it is empty.
 *
 * @returns `undefined` if it has more than 100 UTF-16 code units or control characters
 */
export function normalizeFirstName(text: string): string | null | undefined {
  const name = trimInvisible(withoutBidiControls(text));
  if (name === '') return null;
  return name.length <= 100 && !/[\p{Cc}\p{Cs}]/u.test(name) ? name : undefined;
}

/** Domains of large mail services. Many other domains are close to those below nine characters. */
const KNOWN = (
  'gmail.com googlemail.com outlook.com outlook.de hotmail.com hotmail.de yahoo.com yahoo.de ' +
  'icloud.com proton.me protonmail.com t-online.de freenet.de posteo.de posteo.net mailbox.org ' +
  'fastmail.com email.com ymail.com mail.com gmx.com'
).split(' ');

const SHORTEST = 9;

/** The domain that was probably meant; `undefined` if that of the address may be right. */
export function meantDomain(email: string): string | undefined {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (KNOWN.includes(domain)) return undefined;
  return KNOWN.find((known) => known.length >= SHORTEST && isOneSlip(domain, known));
}

/** Whether one letter is another one, missing, added, or in the place of the next. */
function isOneSlip(typed: string, meant: string): boolean {
  let i = 0;
  while (i < meant.length && typed[i] === meant[i]) i += 1;
  return (
    typed.slice(i + 1) === meant.slice(i + 1) ||
    typed.slice(i) === meant.slice(i + 1) ||
    typed.slice(i + 1) === meant.slice(i) ||
    typed === meant.slice(0, i) + [...meant.slice(i, i + 2)].reverse().join('') + meant.slice(i + 2)
  );
}
