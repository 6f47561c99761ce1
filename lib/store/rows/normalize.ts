/** The one form in which an address or a first name is stored, in the service and its tools. */
import { domainToASCII, domainToUnicode } from 'node:url';

/** Longest address that mail can carry, in characters of its ASCII form (RFC 5321, errata 1690). */
const MAX_LENGTH = 254;

/** Longest address looked at, in UTF-16 code units: its ASCII form can be shorter than it is. */
const MAX_TYPED = 2 * MAX_LENGTH;

/** `local@domain.tld`: one `@`, a dot in the domain, no white space, controls or surrogates. */
const ADDRESS = /^[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+\.[^\s@\p{Cc}\p{Cs}]+$/u;

/** Longest first name, in UTF-16 code units. */
const MAX_FIRST_NAME = 100;

/** Any JSON value as text; empty where it has none: `{ "toString": 1 }`, or nested too deep. */
export function coerceToText(value: unknown): string {
  try {
    return String(value ?? '');
  } catch {
    return '';
  }
}

/**
 * The address in the one form in which it is stored and looked up: trimmed, lower-cased, and the
 * domain in ASCII, as browsers send it.
 *
 * @returns `undefined` where the text is no address
 */
export function normalizeEmail(text: string): string | undefined {
  const typed = text.trim().toLowerCase();
  if (typed.length > MAX_TYPED) return undefined;
  const at = typed.indexOf('@') + 1;
  const email = typed.slice(0, at) + toAscii(typed.slice(at));
  return email.length <= MAX_LENGTH && ADDRESS.test(email) ? email : undefined;
}

/**
 * `domainToASCII` parses its argument as the host of a URL: it decodes `%`, drops a path and
 * expands a number to an IPv4 address. No domain becomes another one in such a way.
 *
 * @returns a domain of ASCII alone unchanged; an empty string where there is no ASCII form
 */
function toAscii(domain: string): string {
  if (!/[^\0-\x7f]/.test(domain)) return domain;
  const ascii = /[%/?#\\:]/.test(domain) ? '' : domainToASCII(domain);
  return /^[\d.]+$/.test(ascii) ? '' : ascii;
}

/** An address from a store of 1.0.0, which kept a domain as it was typed; other text unchanged. */
export const storedForm = (text: string): string => normalizeEmail(text) ?? text;

/** The address with its domain as people read it; unchanged where that is another address. */
export function readableEmail(email: string): string {
  if (!email.includes('xn--')) return email;
  const at = email.indexOf('@') + 1;
  const readable = email.slice(0, at) + domainToUnicode(email.slice(at));
  return normalizeEmail(readable) === email ? readable : email;
}

/**
 * The first name, trimmed; `null` where there is none.
 *
 * @returns `undefined` where it is longer than 100 characters or holds control characters
 */
export function normalizeFirstName(text: string): string | null | undefined {
  const name = text.trim();
  if (name === '') return null;
  return name.length <= MAX_FIRST_NAME && !/[\p{Cc}\p{Cs}]/u.test(name) ? name : undefined;
}
