/** The form in which addresses and first names are stored and looked up. */
import { domainToASCII, domainToUnicode } from 'node:url';

/** Longest address, in characters of its ASCII form (RFC 5321, errata 1690). */
const MAX_LENGTH = 254;

/** Longest address as typed, in UTF-16 code units. Its ASCII form can be shorter. */
const MAX_TYPED = 2 * MAX_LENGTH;

/** `local@domain.tld`: one `@`, a dot in the domain, no white space, controls or surrogates. */
const ADDRESS = /^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+\.[^\s@\p{Cc}\p{Cs}]+$/u;

/** Longest first name, in UTF-16 code units. */
const MAX_FIRST_NAME = 100;

/** Converts any JSON value to text; to empty text if that throws, as for `{ "toString": 1 }`. */
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
  const typed = text.trim().toLowerCase();
  if (typed.length > MAX_TYPED) return undefined;
  const at = typed.indexOf('@') + 1;
  const email = typed.slice(0, at) + toAscii(typed.slice(at));
  return email.length <= MAX_LENGTH && ADDRESS.test(email) ? email : undefined;
}

/**
 * The ASCII form of a domain, or an empty string. `domainToASCII` alone would accept more: it
 * parses the host of a URL, so it decodes `%`, drops a path and expands a number to an IPv4 address.
 */
function toAscii(domain: string): string {
  if (!/[^\0-\x7f]/.test(domain)) return domain;
  const ascii = /[%/?#\\:]/.test(domain) ? '' : domainToASCII(domain);
  return /^[\d.]+$/.test(ascii) ? '' : ascii;
}

/** The address with a readable domain, unless that would be another address. */
export function readableEmail(email: string): string {
  if (!email.includes('xn--')) return email;
  const at = email.indexOf('@') + 1;
  const readable = email.slice(0, at) + domainToUnicode(email.slice(at));
  return normalizeEmail(readable) === email ? readable : email;
}

/**
 * Normalizes a first name: trimmed, and `null` if it is empty.
 *
 * @returns `undefined` if it has more than 100 characters or control characters
 */
export function normalizeFirstName(text: string): string | null | undefined {
  const name = text.trim();
  if (name === '') return null;
  return name.length <= MAX_FIRST_NAME && !/[\p{Cc}\p{Cs}]/u.test(name) ? name : undefined;
}
