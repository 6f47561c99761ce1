/**
 * Takes an address out of the text around it: a name, brackets, quotes, `mailto:`, a list mark, a
 * query. The entry page, the invite form, lists and `invite add` use it. No other code guesses an
 * address. The browser runs this file too.
 */
import { trimInvisible } from './address.ts';

/** An address as it was typed, and the name before its brackets. */
export type Unwrapped = {
  readonly address: string;
  /** Empty without a name. */
  readonly name: string;
};

/** Longer texts are not unwrapped, so that each takes a bounded time. */
const MAX_LENGTH = 2000;

/** How many layers of such text are taken off. */
const MAX_LAYERS = 8;

/** An address with nothing around it: `ada.b+c@example.com`, but not `<ada@example.com>`. */
const PLAIN = /^\w[\w.+-]*@\w[\w.-]*\w$/;

/** The same with letters of any script: `zoë@bücher.example.com`, but not `zoë@example.com.`. */
const PLAIN_LETTERS =
  /^[\p{L}\p{Nd}_][\p{L}\p{M}\p{Nd}_.+-]*@[\p{L}\p{Nd}][\p{L}\p{M}\p{Nd}.-]*[\p{L}\p{M}\p{Nd}]$/u;

/** `Ada Lovelace <ada@example.com>`, but not `ada@example.com <ada@example.com>`. */
const NAMED = /^([^<>@]*)<(\w[\w.+-]*@\w[\w.-]*\w)>$/;

/** For each closing bracket or quote, the characters that may open it. */
const OPENERS: ReadonlyMap<string, string> = new Map([
  ['>', '<'],
  [')', '('],
  [']', '['],
  ['}', '{'],
  ['"', '"“„'],
  ['”', '“„”"'],
  ['“', '„”“'],
  ["'", "'‘‚"],
  ['’', '‘‚’'],
  ['‘', '‚’‘'],
  ['`', '`'],
  ['»', '«»'],
  ['«', '»«'],
  ['›', '‹›'],
  ['‹', '›‹'],
  ['」', '「'],
  ['』', '『'],
  ['】', '【'],
  ['〉', '〈'],
  ['》', '《'],
  ['〕', '〔'],
]);

/** Marks that are also letters of an address: they open only at the beginning of a word. */
const APOSTROPHES = "'‘’‚`";

/** What may follow an address in a sentence. */
const PUNCTUATION = '.,;:!?…。、，；：！？';

/** `- ada@example.com` and `1) ada@example.com`, but not `-ada@example.com`. */
const LIST_MARK = /^(?:[-–—*+•·‣◦▪●○■□➢➤✓✔]|\p{Nd}{1,4}[.)])\s+/u;

/** `mailto:ada@example.com` and `E-Mail: ada@example.com`, but not `to: ada@example.com`. */
const PREFIX = /^(?:mailto|e-?mail)\s*:\s*/i;

/** `<ada@example.com`, which lost its other bracket, but not `<ada@example.com>`. */
const UNCLOSED = /^[<([{"“„«‹](?=[^\s<>()[\]{}"”“»›]+$)/;

/** `#ada@example.com` and `#ada%40example.com`, but not `#top`. */
const FRAGMENT = /^#\S*(?:@|%40)/;

/**
 * A link whose `#` a mail program has encoded, or a link around it:
 * `https://example.com/%23ada@example.com`, but not `https://example.com/#ada%23b@example.com`.
 */
const ENCODED_LINK = /^https?:[^\s#]*%23/i;

/** Each `%` begins the code of an ASCII character: `ada%2540`, but not `zo%C3%AB` and `100%`. */
const ASCII_CODES = /^[^%]*(?:%[0-7][0-9a-f][^%]*)+$/i;

/** Codes of bytes: `%40` and `%C3%AB`, but not `%zz`. */
const CODES = /(?:%[0-9a-f]{2})+/gi;

const UTF_8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** White space, brackets, quotes and what separates addresses, but no apostrophes. */
const BETWEEN_ADDRESSES = /[\s<>()[\]{}"“”„«»‹›,;:|/\\、，；]+/;

/**
 * A full-width letter or sign, such as `ａ` and `＠`. The code of its plain form is lower by 0xFEE0.
 */
const FULL_WIDTH = /[\uff01-\uff5e]/g;

/**
 * Takes off what stands around an address, until nothing changes.
 *
 * @returns the text itself, trimmed, if there is no address in it
 */
export function unwrapAddress(text: string): Unwrapped {
  // Most texts are in one of these forms.
  if (PLAIN.test(text)) return { address: text, name: '' };
  if (PLAIN_LETTERS.test(text)) return { address: toPlainWidth(text), name: '' };
  const named = NAMED.exec(text);
  if (named) return { address: named[2] ?? '', name: trimInvisible(named[1] ?? '') };
  let address = trimInvisible(toPlainWidth(text));
  let name = '';
  if (address.length > MAX_LENGTH) return { address, name };
  for (let layer = 0; layer < MAX_LAYERS; layer += 1) {
    const before = address;
    if (ENCODED_LINK.test(address)) address = decode(address);
    if (isLink(address)) address = decodeFragment(address.slice(address.indexOf('#') + 1));
    address = decodeWithoutAt(address);
    address = address.replace(LIST_MARK, '').replace(PREFIX, '').replace(UNCLOSED, '');
    address = withoutEnd(address);
    const inside = findInside(address);
    if (inside !== undefined) {
      address = inside.address;
      if (name === '') name = inside.name;
    }
    address = trimInvisible(address);
    if (address === before) break;
  }
  return { address, name };
}

/**
 * The address in the fragment of a link, without its `#`. Guestlist encodes a `/`, `!` or `=` at
 * the beginning of an address, so a raw one was added by another program.
 */
export const addressInFragment = (fragment: string): string =>
  unwrapAddress(decodeFragment(fragment)).address;

const toPlainWidth = (text: string): string =>
  text.replace(FULL_WIDTH, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xfee0));

function decodeFragment(fragment: string): string {
  return decodeWithoutAt(decode(fragment.replace(/^[/!=]+/, '')));
}

/** Decodes again what was encoded twice: `ada%40example.com`. */
function decodeWithoutAt(text: string): string {
  return text.includes('@') ? text : decode(text);
}

/** Decodes codes such as `%40`. All other text stays: `100%`. */
function decode(text: string): string {
  if (!text.includes('%')) return text;
  // The usual links. This takes half as long.
  if (ASCII_CODES.test(text)) return decodeURIComponent(text);
  return text.replace(CODES, decodeBytes);
}

/** Decodes `%C3%AB` to `ë`. Bytes that are not UTF-8 become U+FFFD. */
function decodeBytes(codes: string): string {
  const bytes = codes.slice(1).split('%');
  return UTF_8.decode(Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 16)));
}

/**
 * Whether a text is a link with a fragment, or that fragment alone: `https://example.com/#…`,
 * `example.com/?view=mobile#…`, `#ada@example.com`, but not `# ada@example.com`.
 */
function isLink(text: string): boolean {
  const fragment = text.indexOf('#');
  if (fragment < 0) return false;
  const start = text.slice(0, fragment);
  if (/\s/.test(start)) return false;
  if (start === '') return FRAGMENT.test(text);
  const [host = '', ...folders] = start.split('/');
  if (/^https?:$/i.test(host)) return true;
  // An address has no fragment of ours: `ada@example.com/#top`.
  if (start.includes('@')) return false;
  return host.includes('.') && folders.length > 0;
}

/** Removes punctuation, a query or a fragment after the domain. Other texts stay as they are. */
function withoutEnd(text: string): string {
  const at = text.indexOf('@');
  if (at < 0) return text;
  const end = at + text.slice(at).search(/[?/#|\\&]/);
  // The brackets around it come off first: `Ada <ada@example.com?subject=x>`.
  if (end < at || /[<([{"]/.test(text)) return withoutPunctuation(text);
  const isQuery = /^\/?[?&]/.test(text.slice(end));
  if (!isQuery && text.slice(end).includes('@')) return withoutPunctuation(text);
  return withoutPunctuation(text.slice(0, end));
}

function withoutPunctuation(text: string): string {
  let end = text.length;
  while (end > 0 && PUNCTUATION.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** What is inside the brackets or quotes at the end, and the name before them. */
function findInside(text: string): Unwrapped | undefined {
  if (!text.includes('@')) return undefined;
  const last = text.at(-1) ?? '';
  const openers = OPENERS.get(last);
  if (openers === undefined) return undefined;
  const rest = text.slice(0, -1);
  const open = findOpener(rest, openers);
  // No domain ends in a bracket or a quote.
  if (open < 0) return { address: rest, name: '' };
  const address = rest.slice(open + 1);
  const before = trimInvisible(rest.slice(0, open));
  if (!address.includes('@')) return undefined;
  if (!before.includes('@')) return { address, name: before };
  // `ada@example.com <ada@example.com>` is one address; two different ones are not unwrapped.
  return addressesIn(text).length === 1 ? { address, name: '' } : undefined;
}

/** What may be different addresses in a text, in lower case, each once. */
export function addressesIn(text: string): readonly string[] {
  const found = new Set<string>();
  for (const word of toPlainWidth(text).toLowerCase().split(BETWEEN_ADDRESSES)) {
    const address = withoutPunctuation(word.replace(/^['‘’‚]|['‘’]$/g, ''));
    if (/[^@]@[^@]/.test(address)) found.add(address);
  }
  return [...found];
}

/** The last opening mark that does not belong to a word; -1 without one. */
function findOpener(text: string, openers: string): number {
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const mark = text.charAt(at);
    if (!openers.includes(mark)) continue;
    if (!APOSTROPHES.includes(mark) || at === 0 || /\s/.test(text.charAt(at - 1))) return at;
  }
  return -1;
}
