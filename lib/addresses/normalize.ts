/**
 * The work with addresses that only Node can do: their readable form, which of them can be invited,
 * and text for a search. `address.ts` has what the browser does too.
 */
import { domainToUnicode } from 'node:url';
import type { WithReadable } from '../records.ts';
import { MAX_TYPED_LENGTH, normalizeEmail, trimInvisible } from './address.ts';

/**
 * An address to invite, with its readable domain: letters, marks, digits, and the ASCII characters
 * that need no quotes (RFC 5322). `o'connor@bücher.example`, not `a,b@example.com`.
 */
const INVITED =
  /^[!#-'*+./=?^-~\p{L}\p{M}\p{Nd}-]+@(?:[\p{L}\p{M}\p{Nd}-]+\.)+(?:[\p{L}\p{M}]+|xn--[a-z\d-]+)$/u;

/**
 * An invisible character, a link, or a symbol that a domain loses in ASCII: `.com™` is `.comtm`.
 */
const NEVER_TYPED = /\/#|\p{Default_Ignorable_Code_Point}|[^ -~。．｡\p{L}\p{M}\p{Nd}]/u;

/** A mark without a letter before it: `\u0301ada@example.com`, but not `a\u0301da@example.com`. */
const LONE_MARK = /(?:^|[^\p{L}\p{M}])\p{M}/u;

/** `ada.b+c@example.com`. An address of these characters needs only the check of `INVITED`. */
const PLAIN_ASCII = /^[\w.+-]+@[\w.-]+$/;

/** `’` and the letters that look like it. */
const TYPOGRAPHIC_APOSTROPHE = /[‘’ʼ]/g;

/** `a`, and `а` of Cyrillic, which looks like it. */
const LATIN = /\p{sc=Latin}/u;
const LOOKS_LATIN = /[\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Armenian}]/u;

/** Why an address cannot be invited. */
export type EmailMistake = 'invalid_email' | 'mixed_alphabets';

/** An address to invite, or why it cannot be invited. */
export type CheckedEmail = {
  /** As it would be stored; `undefined` with a mistake. */
  readonly email: string | undefined;
  readonly mistake: EmailMistake | undefined;
};

/** Checks and normalizes an address to invite. */
export function checkInvitedEmail(text: string): CheckedEmail {
  const found = readTypedEmail(text);
  if (found === undefined) return { email: undefined, mistake: 'invalid_email' };
  if (found.isMixed) return { email: undefined, mistake: 'mixed_alphabets' };
  return { email: found.email, mistake: undefined };
}

/**
 * Normalizes an address to invite. Its local part gets the form that keyboards type: composed
 * letters (NFC), and `'` for a typographic apostrophe.
 *
 * @returns `undefined` if it is not an address, or is one that nobody can type
 */
export function normalizeInvitedEmail(text: string): string | undefined {
  return checkInvitedEmail(text).email;
}

/** The mistake of an address that `normalizeInvitedEmail` refuses. */
export function emailMistake(text: string): EmailMistake {
  return checkInvitedEmail(text).mistake ?? 'invalid_email';
}

type TypedEmail = {
  readonly email: string;
  /** Whether a run of its letters has letters of two alphabets. */
  readonly isMixed: boolean;
};

/** @returns `undefined` if there is no address, or one with characters that no keyboard types */
function readTypedEmail(text: string): TypedEmail | undefined {
  const typed = trimInvisible(text);
  if (!typed.includes('@')) return undefined;
  // normalize() sorts marks, and its time grows with the square of their number.
  if (typed.length > MAX_TYPED_LENGTH) return undefined;
  const composed = composeEmail(typed);
  const isPlain = PLAIN_ASCII.test(typed);
  if (!isPlain && (NEVER_TYPED.test(composed) || LONE_MARK.test(composed))) return undefined;
  if (!isPlain && hasCompatibilityForm(typed)) return undefined;
  const email = normalizeEmail(composed);
  if (email === undefined) return undefined;
  const readable = readableEmail(email);
  if (!INVITED.test(readable)) return undefined;
  const at = email.lastIndexOf('@') + 1;
  // A domain of two alphabets is not shown readable.
  const isAsciiShown = readable === email && email.includes('xn--', at);
  const isMixedDomain = isAsciiShown && hasMixedRun(domainToUnicode(email.slice(at)));
  return { email, isMixed: isMixedDomain || hasMixedRun(email.slice(0, at)) };
}

/**
 * The form of an address in a new invite. If nobody is invited by the address as it was typed,
 * login and tools look for this form.
 */
export function composeEmail(email: string): string {
  if (!/[^\0-\x7f]/.test(email)) return email;
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at).normalize('NFC').replace(TYPOGRAPHIC_APOSTROPHE, "'");
  return local + email.slice(at);
}

/**
 * Whether a character is not ASCII but its compatibility form is: `ﬁ`, `𝗮`, `ª`, `ſ`, `¹`.
 * Full-width letters are allowed in a domain, because its ASCII form has the plain letters.
 */
function hasCompatibilityForm(email: string): boolean {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at).replace(/[\uff01-\uff5e]/g, '');
  const letters = (email.slice(0, at) + domain).match(/[^\0-\x7f]/gu) ?? [];
  return letters.some((letter) => !/[^\0-\x7f]/.test(letter.normalize('NFKC')));
}

/** Whether a run of letters, as between dots or digits, has letters of two alphabets. */
function hasMixedRun(text: string): boolean {
  if (!/[^\0-\x7f]/.test(text) || !LOOKS_LATIN.test(text)) return false;
  const runs = text.match(/[\p{L}\p{M}]+/gu) ?? [];
  return runs.some((run) => LATIN.test(run) && LOOKS_LATIN.test(run));
}

/**
 * The address with a Unicode domain. The ASCII domain stays if the Unicode one would make a
 * different address, or has letters of two alphabets that look like another address.
 */
export function readableEmail(email: string): string {
  if (!email.includes('xn--')) return email;
  const at = email.indexOf('@') + 1;
  const domain = domainToUnicode(email.slice(at));
  const readable = email.slice(0, at) + domain;
  return !hasMixedRun(domain) && normalizeEmail(readable) === email ? readable : email;
}

export function withReadable<Row extends { readonly email: string | null }>(
  row: Row,
): WithReadable<Row> {
  if (row.email === null) return row;
  const readable = readableEmail(row.email);
  return readable === row.email ? row : { ...row, readable };
}

/** Letters that NFKD does not decompose, and the typographic apostrophe. */
const PLAIN: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['þ', 'th'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ħ', 'h'],
  ['ı', 'i'],
  ['ς', 'σ'],
  ['’', "'"],
]);

/**
 * Longer texts keep their marks: the time that NFKD takes grows with the square of their number.
 */
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
