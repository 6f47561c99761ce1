/** Takes first names from the cells of a list, and marks the doubtful ones. */
import { withoutBidiControls } from '../../addresses/address.ts';
import { foldText } from '../../addresses/normalize.ts';

/** A first name, and whether a person should check it. */
export type FirstName = {
  /** Empty if there is none. */
  readonly name: string;
  readonly isDoubtful: boolean;
};

/** Titles, degrees and groups, without accents. A cell with one of them has no first name. */
const NO_NAMES = new Set(
  `mr mrs ms miss mx dr prof sir dame lady lord jr phd md mba and the team office press sales
  marketing family ltd inc herr herrn frau fraulein familie firma gmbh und monsieur madame mme mlle
  famille et senor senora sr sra familia senhor senhora signor signora sig dott famiglia heer dhr
  mevrouw mevr fru pan pani panstwo rodzina bay bayan`.split(/\s+/),
);

/** `Ada` and `O’Neil`, but not `ADA`. */
const CAPITALIZED = String.raw`\p{Lu}[\p{L}\p{M}'’-]*[\p{Ll}\p{M}]`;
/** `मीरा`, in a script without capitals, but not `山田`, because there family names come first. */
const UNICASE = String.raw`(?!\p{scx=Han}|\p{scx=Hang})\p{Lo}[\p{L}\p{M}]+`;
const WORD = `(?:${CAPITALIZED}|${UNICASE})`;

/** `Ada Maria`, but not `Ada Maria Anna`. */
const ONE_NAME = new RegExp(`^${WORD}(?: ${WORD})?$`, 'u');

/** `Ada Lovelace` and `Lovelace, Ada`, but not `Info` and not `LOVELACE Ada`. */
const FULL_NAME = new RegExp(`^(?:[^,.;\\d]+, *${WORD}|${WORD} [^,;\\d]+)$`, 'u');

/** Names in these scripts begin with the family name. */
const FAMILY_NAME_FIRST = /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}]/u;

/** `Ada` and `Jean-Luc`, but not `A.`, `@ada` and `12`. U+FFFD is refused later, by its name. */
const NAME_WORD = /^[\p{L}\uFFFD][\p{L}\p{M}\p{Join_Control}\uFFFD'’-]+$/u;

/** The text between the quotes of `“Ada Lovelace”`. */
const UNQUOTED = /[^\s"'\p{Pi}\p{Pf}‚„](?:.*[^\s"'\p{Pi}\p{Pf}‚„])?/su;

const NO_NAME: FirstName = { name: '', isDoubtful: false };

/** Reads a cell of a column of first names. */
export function readFirstName(text: string): FirstName {
  if (text === '') return NO_NAME;
  const cell = withoutBidiControls(text);
  const isName = /\p{L}/u.test(cell) && !cell.includes('@');
  const name = isName ? cell : givenNameOf(cell);
  return { name, isDoubtful: hasOthers(cell) || !ONE_NAME.test(cell) };
}

/** Reads a full name. The given name comes first, or after a comma. */
export function readFullName(text: string): FirstName {
  if (text === '') return NO_NAME;
  const cell = withoutBidiControls(text);
  return { name: givenNameOf(cell), isDoubtful: !FULL_NAME.test(cell) };
}

/**
 * The first word of a name, or the first one after its comma; empty if it may not be a first name.
 */
export function givenNameOf(text: string): string {
  const name = withoutBidiControls(text);
  if (hasOthers(name) || FAMILY_NAME_FIRST.test(name)) return '';
  const [unquoted = ''] = UNQUOTED.exec(name.slice(name.indexOf(',') + 1)) ?? [];
  const [word = ''] = unquoted.split(/[\s,]/, 1);
  return NAME_WORD.test(word) ? word : '';
}

/** Whether a cell has several people, a group or a title. */
function hasOthers(name: string): boolean {
  if (/[&+/]/.test(name)) return true;
  return foldText(name)
    .split(/[^\p{L}\p{M}]+/u)
    .some((word) => NO_NAMES.has(word));
}
