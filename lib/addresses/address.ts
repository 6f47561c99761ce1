/** Checks of email addresses and first names. The browser runs this file too. */
import { parseUrl } from '../url.ts';

/** Longest address, in characters of its ASCII form (RFC 5321, errata 1690). */
const MAX_LENGTH = 254;

/**
 * A longer text is not an address. Its ASCII form can be shorter, but it has more than half its
 * length.
 */
export const MAX_TYPED_LENGTH = 2 * MAX_LENGTH;

/** `local@domain.tld`: one `@`, a dot in the domain, no white space, controls or surrogates. */
const ADDRESS = /^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+\.[^\s@\p{Cc}\p{Cs}]+$/u;

/** White space and invisible characters: format characters, variation selectors, fillers. */
const INVISIBLE = String.raw`\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\uFFFC`;

/** From the first visible character to the last one: `ada b` of ` ada b `. */
const VISIBLE_PART = new RegExp(`[^${INVISIBLE}](?:.*[^${INVISIBLE}])?`, 'su');

/** Trims white space and invisible characters, which copied text may contain. */
export const trimInvisible = (text: string): string => VISIBLE_PART.exec(text)?.[0] ?? '';

/** Converts a JSON value to text; to empty text if that throws, as for `{ "toString": 1 }`. */
export function coerceToText(value: unknown): string {
  try {
    return String(value ?? '');
  } catch {
    return '';
  }
}

/**
 * Normalizes an address: trimmed, lower-cased, and the domain in ASCII, as browsers send it.
 *
 * @returns `undefined` if the text is not an address
 */
export function normalizeEmail(text: string): string | undefined {
  const trimmed = trimInvisible(text);
  if (trimmed.length > MAX_TYPED_LENGTH) return undefined;
  // toLowerCase() turns "İ" into an "i" with a combining dot. Keyboards do not type that.
  const typed = trimmed.toLowerCase().replace(/i\u0307+/g, 'i');
  const at = typed.indexOf('@') + 1;
  const email = typed.slice(0, at) + toAscii(typed.slice(at));
  return email.length <= MAX_LENGTH && ADDRESS.test(email) ? email : undefined;
}

/**
 * The ASCII form of a domain, or an empty string. `URL` would accept more than a domain: it decodes
 * `%`, leaves out a path or a port, and makes an IPv4 address of a number.
 */
function toAscii(domain: string): string {
  if (!/[^\0-\x7f]/.test(domain)) return domain;
  const isMore = /[%/?#\\:@]/.test(domain);
  const url = isMore ? undefined : parseUrl(`http://${domain}`);
  if (url === undefined) return '';
  const isIPv4 = /^[\d.]+$/.test(url.hostname);
  return isIPv4 ? '' : url.hostname;
}

/** Embeddings, overrides and isolates of the direction of text. */
const BIDI_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/g;

/** Removes characters that would reverse the text around a name. */
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

/** Domains of large mail services. */
const KNOWN_DOMAINS = (
  'gmail.com googlemail.com outlook.com outlook.de hotmail.com hotmail.de yahoo.com yahoo.de ' +
  'icloud.com proton.me protonmail.com t-online.de freenet.de posteo.de posteo.net mailbox.org ' +
  'fastmail.com email.com ymail.com mail.com gmx.com'
).split(' ');

/** Shorter domains are not suggested, because many other domains differ from them by one letter. */
const SHORTEST_SUGGESTED = 9;

/** The domain that was probably meant; `undefined` if the typed one may be right. */
export function suggestDomain(email: string): string | undefined {
  const domain = email.slice(email.lastIndexOf('@') + 1);
  if (KNOWN_DOMAINS.includes(domain)) return undefined;
  return KNOWN_DOMAINS.find(
    (known) => known.length >= SHORTEST_SUGGESTED && isOneSlip(domain, known),
  );
}

/** Whether a typed domain has one wrong, missing or added letter, or two letters exchanged. */
function isOneSlip(typed: string, meant: string): boolean {
  let begin = 0;
  while (begin < meant.length && typed[begin] === meant[begin]) begin += 1;
  // The rest, after the letters at the beginning that are equal.
  const typedRest = typed.slice(begin);
  const meantRest = meant.slice(begin);
  const isWrong = typedRest.slice(1) === meantRest.slice(1);
  const isMissing = typedRest === meantRest.slice(1);
  const isAdded = typedRest.slice(1) === meantRest;
  const exchanged = meantRest.charAt(1) + meantRest.charAt(0) + meantRest.slice(2);
  return isWrong || isMissing || isAdded || typedRest === exchanged;
}
