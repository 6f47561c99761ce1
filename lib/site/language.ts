/** Reads the language, the owner's words and letters, and formats dates. */
import { DEFAULT_LETTERS, DEFAULT_WORDS } from './default-words.ts';
import { failAt, objectOf, optional, type Reader, readLine, readText } from './field-readers.ts';
import type { LetterFields } from './letter-texts.ts';

/** Right-to-left scripts (ISO 15924). */
const RIGHT_TO_LEFT = ['Adlm', 'Arab', 'Aran', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Syrc', 'Thaa'];

export type Direction = 'ltr' | 'rtl';

export type Language = {
  /** A language tag (BCP 47), in its canonical form. */
  readonly lang: string;
  readonly dir: Direction;
};

export const ENGLISH: Language = { lang: 'en', dir: 'ltr' };

export function readLanguage(value: unknown, at: string): Language {
  const tag = readText(value, at);
  try {
    const locale = new Intl.Locale(tag);
    const isRightToLeft = RIGHT_TO_LEFT.includes(locale.maximize().script ?? '');
    // Registered codes have at most three letters.
    if (/^\w{2,3}$/.test(locale.language))
      return { lang: locale.toString(), dir: isRightToLeft ? 'rtl' : 'ltr' };
  } catch {
    // Not a tag.
  }
  return failAt(at, 'not a language tag such as "en", "de" or "pt-BR"');
}

/** A letter of the blocks that Unicode keeps for scripts from right to left. */
const RIGHT_TO_LEFT_LETTER =
  /^[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]$/u;

/** The direction of a text in which every letter is of the other direction than the page. */
export function otherDirection(text: string, page: Direction): Direction | undefined {
  const letters = text.match(/\p{L}/gu) ?? [];
  const isTurned = (letter: string) => RIGHT_TO_LEFT_LETTER.test(letter) === (page === 'ltr');
  if (letters.length === 0 || !letters.every(isTurned)) return undefined;
  return page === 'ltr' ? 'rtl' : 'ltr';
}

/** A text with all required placeholders, optional ones, and no others. */
const withPlaceholders =
  (read: typeof readText, required: readonly string[], others: readonly string[] = []) =>
  (value: unknown, at: string): string => {
    const written = read(value, at);
    const used = placeholders(written);
    const mistakes: string[] = [];
    for (const name of required) {
      if (!used.includes(name)) mistakes.push(`${name} is missing`);
    }
    for (const name of used) {
      const isKnown = required.includes(name) || others.includes(name);
      if (!isKnown) mistakes.push(`${name} cannot be used here`);
    }
    if (mistakes.length > 0) failAt(at, mistakes.join('; '));
    return written;
  };

/** The placeholders of a text, each once: `{firstName}`. */
const placeholders = (text: string): readonly string[] => [...new Set(text.match(/\{[^{}]*\}/g))];

/** Sentences by name. */
export type Words = Readonly<Record<string, string>>;

const sentences: Record<string, Reader<string>> = {};
for (const [name, english] of Object.entries(DEFAULT_WORDS))
  sentences[name] = optional(withPlaceholders(readLine, placeholders(english)), english);

/** Every sentence, in the owner's words or in English. */
export const readWords: Reader<Words> = optional(objectOf(sentences), DEFAULT_WORDS);

const letter = withPlaceholders(readText, ['{address}'], ['{firstName}', '{email}', '{title}']);
const subject = withPlaceholders(readLine, [], ['{firstName}', '{title}']);

export const letterFields: { readonly [Name in keyof LetterFields]: Reader<string> } = {
  invitation: optional(letter, DEFAULT_LETTERS.invitation),
  reminder: optional(letter, DEFAULT_LETTERS.reminder),
  subject: optional(subject, DEFAULT_LETTERS.subject),
  reminderSubject: optional(subject, DEFAULT_LETTERS.reminderSubject),
};

/** Makes a function that formats `2025-03-04` as "4 March 2025", "4 Mar" and "2025". */
export function dateWriter(lang: string) {
  // If Node does not know the language, dates are in English, not in the language of the machine.
  const locales = lang === 'en' ? 'en-GB' : [lang, 'en'];
  const writer = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locales, { timeZone: 'UTC', ...options });
    return (date: string) => format.format(new Date(date));
  };
  const day = writer({ day: 'numeric', month: 'long', year: 'numeric' });
  const shortDay = writer({ day: 'numeric', month: 'short' });
  const year = writer({ year: 'numeric' });
  return (date: string) => ({ day: day(date), shortDay: shortDay(date), year: year(date) });
}
