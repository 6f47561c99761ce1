/** What counts as an email address, everywhere in the service and its tools. */

/** Longest address that mail can carry, in characters (RFC 5321, errata 1690). */
const MAX_LENGTH = 254;

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
 * The address in the one form in which it is stored and looked up: trimmed and lower-cased.
 *
 * @returns `undefined` where the text is no address
 */
export function normalizeEmail(text: string): string | undefined {
  const email = text.trim().toLowerCase();
  return email.length <= MAX_LENGTH && ADDRESS.test(email) ? email : undefined;
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
