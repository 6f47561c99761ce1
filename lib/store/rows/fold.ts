/** Folds text for the search: case, accents and other marks that few people type are removed. */
import { readableEmail } from './normalize.ts';

/** Letters that NFKD does not decompose, and the typographic apostrophe. */
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

export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/\P{ASCII}/gu, (letter) => PLAIN[letter] ?? letter);

/** The folded first name, and the folded address with a readable domain, if that is different. */
export function foldPerson(firstName: string | null, email: string): string {
  const address = fold(readableEmail(email));
  return fold(firstName ?? '') + (address === email ? '' : `\n${address}`);
}
