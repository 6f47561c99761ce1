/** Text as people look for it: without case, accents and the other marks that are seldom typed. */
import { readableEmail } from './normalize.ts';

/** Letters that Unicode does not take apart, and the apostrophe that word processors write. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
  '’': "'",
};

/** Folds a text: two texts that people would take for the same are the same then. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/[ßæœþøłđðħıς’]/g, (letter) => PLAIN[letter] ?? letter);

/** The folded first name, and the folded address with a readable domain, unless it is the same. */
export function foldPerson(firstName: string | null, email: string): string {
  const address = fold(readableEmail(email));
  return fold(firstName ?? '') + (address === email ? '' : `\n${address}`);
}
