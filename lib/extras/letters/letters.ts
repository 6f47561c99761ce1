/**
 * Letters to guests: the owner's texts, with the values of a person. The service sends no mail.
 * The browser runs it too.
 */
import { linkTo } from '../../addresses/link.ts';
import type { ListedInvite, WithReadable } from '../../records.ts';
import type { LetterTexts } from '../../site/letter-texts.ts';

export const LETTERS = ['invitation', 'reminder'] as const;

export type LetterKind = (typeof LETTERS)[number];

/** The person who gets a letter. */
export type Addressee = WithReadable<{
  readonly email: string;
  readonly firstName: string | null;
}>;

/** The parts of a letter that a mail app gets. */
type Mail = {
  readonly email: string;
  readonly subject: string;
  readonly message: string;
};

export type Letter = {
  readonly email: string;
  readonly firstName: string | null;
  /** A link to the entry page, with the guest's address. */
  readonly link: string;
  readonly subject: string;
  readonly message: string;
};

/** Fills in the owner's text of a kind of letter with the values of a person. */
export function writeLetter(kind: LetterKind, texts: LetterTexts, person: Addressee): Letter {
  const { email, firstName, readable = email } = person;
  const link = linkTo(texts.publicOrigin, email);
  const { title } = texts;
  const values = { firstName: firstName ?? '', address: link, email: readable, title };
  const subject = kind === 'reminder' ? texts.reminderSubject : texts.subject;
  return {
    email,
    firstName,
    link,
    subject: fillIn(subject, values),
    message: fillIn(texts[kind], values),
  };
}

/** A link that opens a letter in a mail app (RFC 6068). */
export function mailto({ email, subject, message }: Mail): string {
  const to = encodeURIComponent(email).replace('%40', '@');
  const text = encodeURIComponent(message.replaceAll('\n', '\r\n'));
  return `mailto:${to}?subject=${encodeURIComponent(subject)}&body=${text}`;
}

/** The longest link that all mail apps and browsers open, in characters. */
const MAX_MAILTO = 2000;

/** Whether the link of `mailto` is short enough for every mail app. */
export const fitsMailto = (mail: Mail): boolean => mailto(mail).length <= MAX_MAILTO;

/** A warning while guests would see the sample; `undefined` otherwise. */
export const warnOfSample = ({ isSample, title }: LetterTexts): string | undefined =>
  isSample ? `Guests see the sample, ${title}. Make your site first.` : undefined;

/** A warning for each letter that is too long to be opened in a mail app. */
export function warnOfLongLetters(texts: LetterTexts): readonly string[] {
  const guest = { email: 'ada.lovelace@example.com', firstName: 'Ada' };
  const warnings: string[] = [];
  for (const kind of LETTERS) {
    if (fitsMailto(writeLetter(kind, texts, guest))) continue;
    warnings.push(`content.json: ${kind}: too long to open in a mail app; it can be copied`);
  }
  return warnings;
}

/** The columns of a mail merge. */
export const LETTER_COLUMNS: readonly (keyof Letter)[] = [
  'email',
  'firstName',
  'link',
  'subject',
  'message',
];

/** The letters to the invited people of a list. */
export function lettersTo(
  kind: LetterKind,
  texts: LetterTexts,
  rows: readonly WithReadable<ListedInvite>[],
): readonly Letter[] {
  const invited = rows.filter(({ status }) => status !== null);
  return invited.map((row) => writeLetter(kind, texts, row));
}

/** Fills in the places of a text, as `{title}`. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  const named = values.firstName ? text : withoutName(text);
  return named.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}

/** `{firstName}, w` at the start of a line, not `Hello {firstName}, w` */
const NAME_AT_START = /^\{firstName\}[ \u00a0,،:;!.–—-]*(.?)/gmu;

/** `, {firstName}` and ` {firstName}`, not `Hello {title}` */
const NAME = /[ \u00a0,،]{0,9}\{firstName\}/g;

/**
 * A text to a guest without a first name. The spaces and the comma before the name also go: *Hello
 * {firstName},* becomes *Hello,*. At the start of a line, the comma and spaces after it go, and the
 * next letter becomes a capital.
 */
function withoutName(text: string): string {
  const capitalized = text.replace(NAME_AT_START, (_, next: string) => next.toUpperCase());
  return capitalized.replace(NAME, '');
}
