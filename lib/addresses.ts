/** What an email address and a first name are. Runs in the server, the tools and the browser. */

/** Characters (RFC 5321 4.5.3.1.3: a path of 256 has two brackets). */
const MAX_EMAIL = 254;
const MAX_FIRST_NAME = 100;

/** `ada@example.com`, but not `ada@example` and not `a da@example.com`. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** White space, and characters that nobody sees. Copied texts have them at their ends. */
const INVISIBLE = /[\s\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/** Refused in an invite: what mail programs reject in an address, and invisible characters. */
const REFUSED_CHARACTERS = /[\p{Cc}\p{Cs}\p{Cf}\p{Default_Ignorable_Code_Point}<>(),;:"[\]\\]/u;

/** Characters that reverse the direction of the text after them. */
const BIDIRECTIONAL_CONTROLS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/**
 * A value of a JSON body as text. Missing, `null`, and what has no text, are empty; so are arrays
 * that are too deep to read.
 */
export function toText(value: unknown): string {
  if (value === undefined || value === null) return '';
  try {
    // `String` alone takes quadratic time for arrays in arrays.
    return String(Array.isArray(value) ? value.flat(Infinity) : value);
  } catch {
    return '';
  }
}

/**
 * Linear; a regular expression for the end would be quadratic.
 *
 * @param atStart matches a character to take away there, and `atEnd` at the end
 */
function trim(text: string, atStart = INVISIBLE, atEnd = INVISIBLE): string {
  const characters = Array.from(text);
  let start = 0;
  let end = characters.length;
  while (start < end && atStart.test(characters[start] ?? '')) start += 1;
  while (start < end && atEnd.test(characters[end - 1] ?? '')) end -= 1;
  return characters.slice(start, end).join('');
}

/** The stored form of an address: trimmed and lower-case; `undefined` if it is not an address. */
export function readEmail(text: string): string | undefined {
  const typed = trim(text).toLowerCase();
  if (!isEmail(typed)) return undefined;
  const at = typed.indexOf('@') + 1;
  const email = typed.slice(0, at) + toAsciiDomain(typed.slice(at));
  // A domain may lose characters, or become longer.
  return isEmail(email) ? email : undefined;
}

function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL && EMAIL.test(text);
}

/**
 * `bücher.example` as `xn--bcher-kva.example`, which is what a browser's email field sends; empty
 * for what is no domain.
 */
function toAsciiDomain(domain: string): string {
  const isAscii = !/[^\0-\x7f]/.test(domain);
  if (isAscii) return domain;
  if (/[%/?#\\:]/.test(domain)) return '';
  try {
    const { hostname } = new URL(`http://${domain}`);
    const isNumber = /^[\d.]+$/.test(hostname);
    return isNumber ? '' : hostname;
  } catch {
    return '';
  }
}

/** `<ada@example.com>` in `Ada <ada@example.com>;`, but not in `Ada <ada@example.com`. */
const IN_BRACKETS = /<([^<>]*)>[^<>]*$/;

/** `mailto:ada@example.com?subject=Hello`, but not `ada@example.com?subject=Hello`. */
const MAIL_LINK = /^\s*mailto:([^?]*)/i;

/** What a copy may leave of `<`, `>` and line breaks: `&gt;`, but not `&lt` of `smith&ltd@…`. */
const REMAINS = /&[lg]t(;|$)|_x000D_/g;

/** `- ada@example.com`, but not `-ada@example.com`, which is a valid address. */
const BULLET = /^\s*[-–—+]\s/;

/** Quotation marks, opening brackets and bullets. */
const CUT_AT_START = /[\s\p{Cf}\p{Pi}\p{Pf}"'`´„‚＂＇<([（【「*•·▪●◦‣]/u;

/** All that cannot end a domain: it ends with a letter or a digit. */
const CUT_AT_END = /[^\p{L}\p{M}\p{N}]/u;

/** The address in what mail programs and pages copy, without what stands around it. */
export function unwrapAddress(text: string): string {
  const clean = text.replace(REMAINS, ' ');
  const [, inner = clean] = IN_BRACKETS.exec(clean) ?? [];
  const [, address = inner] = MAIL_LINK.exec(inner) ?? [];
  return trim(address.replace(BULLET, ''), CUT_AT_START, CUT_AT_END);
}

/** Labels of letters, digits and hyphens: `@mail.example.com`, but not `@exam_ple.com`. */
const INVITED_DOMAIN = /@([a-z\d-]+\.)+[a-z\d-]+$/;

/** The stored form of an address to invite; `undefined` if anything around it would be cut. */
export function readInvitedEmail(text: string): string | undefined {
  const typed = trim(text);
  const isBare = unwrapAddress(typed) === typed;
  // Before the domain is converted, which drops invisible characters.
  if (!isBare || REFUSED_CHARACTERS.test(typed)) return undefined;
  const email = readEmail(typed);
  return email !== undefined && INVITED_DOMAIN.test(email) ? email : undefined;
}

/** The stored form of a first name, `null` for an empty one; `undefined` if it cannot be one. */
export function readFirstName(text: string): string | null | undefined {
  const name = trim(text.replace(BIDIRECTIONAL_CONTROLS, ''));
  if (name === '') return null;
  return name.length > MAX_FIRST_NAME || /[\p{Cc}\p{Cs}]/u.test(name) ? undefined : name;
}

/** `ada+x@example.com` for `ada%2Bx%40example.com`; empty for what cannot be decoded: `100%`. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** The link to send. A browser keeps what follows `#` to itself. */
export function linkTo(publicOrigin: string, email: string): string {
  return `${publicOrigin}/#${encodeURI(email)}`;
}
