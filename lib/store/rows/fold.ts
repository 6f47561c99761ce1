/** Folds text for the search: removes case, accents and other marks. */
import { readableEmail } from './normalize.ts';

/** Letters that NFKD does not decompose, and the typographic apostrophe. */
const PLAIN = new Map(
  ['ßss', 'æae', 'œoe', 'þth', 'øo', 'łl', 'đd', 'ðd', 'ħh', 'ıi', 'ςσ', "’'"].map(
    ([letter = '', ...plain]) => [letter, plain.join('')],
  ),
);

export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .toLowerCase()
    .replace(/\P{ASCII}/gu, (letter) => PLAIN.get(letter) ?? letter);

/** The folded first name, and the folded readable address if it differs from the stored one. */
export function foldPerson(firstName: string | null, email: string): string {
  const address = foldText(readableEmail(email));
  return foldText(firstName ?? '') + (address === email ? '' : `\n${address}`);
}
