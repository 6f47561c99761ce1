/** The direction in which a language or a text is written. */

/** Right-to-left scripts (ISO 15924). */
const RIGHT_TO_LEFT = ['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Syrc', 'Thaa'];

/** Arabic script in the Nastaliq style. Unicode does not distinguish it from others. */
const NASTALIQ = 'Aran';

/** A letter of these scripts, or a sign that several of them share, such as the tatweel. */
const RIGHT_TO_LEFT_LETTER = new RegExp(
  `^[${RIGHT_TO_LEFT.map((script) => `\\p{Script_Extensions=${script}}`).join('')}]$`,
  'u',
);

export type Direction = 'ltr' | 'rtl';

/** @param script its code; `undefined` where it is unknown */
export const directionOfScript = (script: string | undefined): Direction =>
  script === NASTALIQ || RIGHT_TO_LEFT.includes(script ?? '') ? 'rtl' : 'ltr';

/**
 * The direction of a text, if it differs from that of its page. Digits have no direction. A text
 * with letters of both directions keeps the direction of the page, whichever letter is first.
 *
 * @returns `undefined` if the text needs none
 */
export function otherDirection(text: string, page: Direction): Direction | undefined {
  const letters = text.match(/\p{L}/gu) ?? [];
  if (letters.length === 0) return undefined;
  const other = page === 'ltr' ? 'rtl' : 'ltr';
  const isOther = (letter: string): boolean =>
    RIGHT_TO_LEFT_LETTER.test(letter) === (other === 'rtl');
  return letters.every(isOther) ? other : undefined;
}
