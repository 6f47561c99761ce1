/** Recognizes the headings of a list, in any language of heading-words.ts. */
import { foldText } from '../../addresses/normalize.ts';
import {
  BY,
  CALLED,
  CONTACTS,
  GUESTS,
  HEADINGS,
  type HeadingWords,
  NEUTRAL,
  NO_ADDRESSES,
  OTHERS,
  PAYERS,
  PLACES,
  SECONDARY,
} from './heading-words.ts';

export type HeadingKind = Exclude<keyof HeadingWords, 'language'>;

export type Heading = {
  readonly text: string;
  /** `undefined` if it is not in the table. */
  readonly kind: HeadingKind | undefined;
  /** The first name by which a person is called, such as *Preferred name*. */
  readonly isCalled: boolean;
  /** A second address of the person, such as *E-mail 2*. */
  readonly isSecondary: boolean;
  /** Whether it names an address, also in words that are not all in the table, as in forms. */
  readonly hasAddressWord: boolean;
  /** Of another person, such as *Contact owner* or *Invited by*. */
  readonly isOfOther: boolean;
  /** A guest by name, such as *Attendee email*. */
  readonly isOfGuest: boolean;
  /** Somebody who may have ordered for guests, such as *Buyer email*. */
  readonly isOfPayer: boolean;
  /** The words that tell whose it is, such as *attendee*. */
  readonly whose: string;
};

const KINDS: readonly HeadingKind[] = [
  'address',
  'first',
  'firstBesideSurname',
  'full',
  'familyFirst',
  'surname',
];

/**
 * The letters of each heading, and its kind. If two languages have a heading, the first one counts.
 */
const TABLE = new Map<string, HeadingKind>();
for (const words of HEADINGS)
  for (const kind of KINDS)
    for (const heading of words[kind].split('|')) {
      const key = wordsOf(heading).join('');
      if (key !== '' && !TABLE.has(key)) TABLE.set(key, kind);
    }

const IS_CALLED = new Set(CALLED.split('|').map((heading) => wordsOf(heading).join('')));

const toSet = (words: string): ReadonlySet<string> =>
  new Set(words.trim().split(/\s+/).map(foldText));

const IS_GUEST = toSet(GUESTS);
const IS_CONTACT = toSet(CONTACTS);
const IS_PAYER = toSet(PAYERS);
const IS_NEUTRAL = toSet(NEUTRAL);
const IS_PLACE = toSet(PLACES);
const IS_SECONDARY = toSet(SECONDARY);
const IS_OTHER = toSet(OTHERS);
const IS_BY = toSet(BY);
const IS_NO_ADDRESS = toSet(NO_ADDRESSES);
/** In scripts without spaces, a word may be part of a longer text. */
const OTHERS_INSIDE = [...IS_OTHER].filter(
  (word) => !/[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}]/u.test(word),
);

/** `Mail für die Einladung`, but not `E-Mail-Status`. */
const ADDRESS_WORDS = toSet('email emails mail courriel correo epost eposta sahkoposti почта');

/** The words of a heading, and its numbers: `firstName`, `first_name`, `E-mail 2 - Value`. */
function wordsOf(heading: string): readonly string[] {
  const spaced = heading.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2');
  const joined = foldText(spaced).replace(/(^|\P{L})e[- ](?=mail|post)/gu, '$1e');
  return joined.match(/\p{L}+|\p{Nd}+/gu) ?? [];
}

/** Words that may begin a longer one, in scripts without spaces. */
const STARTS = [IS_GUEST, IS_PAYER, IS_SECONDARY, IS_NEUTRAL].flatMap((words) =>
  [...words].filter((word) => /^[\p{sc=Han}\p{sc=Hangul}]/u.test(word)),
);

/** `Teilnehmername` is *Teilnehmer* and *name*, `参加者メールアドレス` is *参加者* and *メールアドレス*. */
function splitCompound(word: string): readonly string[] {
  const begin = STARTS.find((each) => word.startsWith(each) && word !== each);
  if (begin !== undefined) return [begin, word.slice(begin.length)];
  for (const end of ['vorname', 'nachname', 'name', 'email', 'mail']) {
    const start = word.endsWith(end) ? word.slice(0, -end.length) : '';
    if (IS_GUEST.has(start) || IS_CONTACT.has(start) || IS_PAYER.has(start)) return [start, end];
  }
  return [word];
}

export function readHeading(text: string): Heading {
  const words = wordsOf(text).flatMap(splitCompound);
  const isOfOther = namesOther(words);
  const { whose, isSecondary, ofName, ofAddress } = sortWords(words);
  const known = TABLE.get(words.join('')) ?? TABLE.get(ofName.join(''));
  const isAddress = TABLE.get(ofAddress.join('')) === 'address';
  const kind = known ?? (isAddress ? 'address' : undefined);
  return {
    text,
    kind: isOfOther ? undefined : kind,
    isCalled: IS_CALLED.has(words.join('')),
    isSecondary,
    hasAddressWord:
      words.some((word) => ADDRESS_WORDS.has(word)) &&
      !words.some((word) => IS_NO_ADDRESS.has(word)),
    isOfOther,
    isOfGuest: whose.some((word) => IS_GUEST.has(word)),
    isOfPayer: whose.some((word) => IS_PAYER.has(word)),
    whose: whose.join(' '),
  };
}

const namesOther = (words: readonly string[]): boolean =>
  words.some((word) => IS_OTHER.has(word)) ||
  (words.length <= 2 && words.some((word) => IS_BY.has(word))) ||
  OTHERS_INSIDE.some((other) => words.join('').includes(other));

/** Removes words that tell whose or which one it is, and words that change nothing. */
function sortWords(words: readonly string[]) {
  const whose: string[] = [];
  /** What is left of a heading of names, and of one of addresses. */
  const ofName: string[] = [];
  const ofAddress: string[] = [];
  let isSecondary = false;
  for (const word of words) {
    if (IS_SECONDARY.has(word) || isNumberOfSecond(word)) isSecondary = true;
    else if (IS_GUEST.has(word) || IS_CONTACT.has(word) || IS_PAYER.has(word)) whose.push(word);
    else if (!IS_NEUTRAL.has(word)) {
      ofName.push(word);
      if (!IS_PLACE.has(word)) ofAddress.push(word);
    }
  }
  return { whose, isSecondary, ofName, ofAddress };
}

/** `2` of *E-mail 2*, but not `1`. */
const isNumberOfSecond = (word: string): boolean => /^\p{Nd}/u.test(word) && word !== '1';
