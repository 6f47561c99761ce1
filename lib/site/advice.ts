/** What the start and the check say of a site that is valid, but may not be what its owner wants. */
import fs from 'node:fs';
import path from 'node:path';
import type { Content } from './content.ts';
import { DEFAULT_LETTERS, DEFAULT_WORDS } from './default-words.ts';
import { longestWord } from './render.ts';

/** Width of the title on a phone of 360 px, in its smallest letters: em. */
const PHONE = 9;

/** HTML in a text: a tag, or a character by its name. */
const HTML = /<\/?[a-z][a-z\d]*(\s[^<>]*)?\/?>|&([a-z]{2,}|#x?[\da-f]+);/i;

/** A domain that is nobody's (RFC 2606). */
const EXAMPLE = /(?<=[@./])example\.(com|net|org)\b/i;

/** The starters of `site init`, and those of their texts that are about their product. */
const STARTERS = {
  'content.json': /^(title|tagline|opening|timeline|join\.(headline|text|thanks))\b/,
  'words-de.json': /^(title|tagline|timeline)\b/,
};

/** @param written the content as it is in the file @param starter texts that are not the owner's */
export function adviseOn(
  content: Content,
  written: unknown,
  starter: ReadonlySet<string>,
): readonly string[] {
  const texts = [...textsOf(written)];
  const own = texts.filter(([at]) => !at.startsWith('words.'));
  /** The first places of texts that match, and what to say of the first match. */
  const where = (pattern: RegExp, what: string, among = own) => {
    const found = among.filter(([, text]) => pattern.test(text));
    const [[, first = ''] = []] = found;
    return found.length > 0 ? `${places(found)}: ${pattern.exec(first)?.[0]} ${what}` : '';
  };
  const unchanged = own.filter(([, text]) => starter.has(text));
  return [
    unchanged.length > 0 ? `${places(unchanged)}: as in the sample; write your own` : '',
    where(HTML, 'is shown as it is written; texts have no HTML', texts),
    where(EXAMPLE, 'is a placeholder; write an address of your own'),
    english(content),
    brokenTitle(content),
  ].filter(Boolean);
}

function places(found: readonly (readonly [at: string, text: string])[]): string {
  const shown = found.slice(0, 3).map(([at]) => at);
  const more = found.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** The texts of the starters that an owner replaces. @param folder where they are */
export function readStarterTexts(folder: string): ReadonlySet<string> {
  const found = Object.entries(STARTERS).flatMap(([name, fields]) => {
    const texts = [...textsOf(JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')))];
    return texts.filter(([at]) => fields.test(at) && !/\.(date|src|poster)$/.test(at));
  });
  return new Set(found.map(([, text]) => text));
}

/** Each text of a value, with its path such as `timeline[3].text`. */
function* textsOf(value: unknown, at = ''): Generator<readonly [at: string, text: string]> {
  if (typeof value === 'string') yield [at, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    const inside = Array.isArray(value) ? `${at}[${name}]` : `${at}.${name}`;
    yield* textsOf(part, at === '' ? name : inside);
  }
}

function english({ language, words, ...content }: Content): string {
  if (/^en\b/.test(language.lang)) return '';
  const sentences = same(words, DEFAULT_WORDS).length;
  const left = [
    ...(sentences > 0 ? [`${sentences} sentences of words`] : []),
    ...same(content, DEFAULT_LETTERS),
  ];
  if (left.length === 0) return '';
  const start = language.lang.startsWith('de') ? 'words-de.json' : 'words-en.json';
  return `language is ${language.lang}, but still in English are ${left.join(', ')}: start from ${start}`;
}

const same = (own: Readonly<Record<string, unknown>>, defaults: Readonly<Record<string, string>>) =>
  Object.keys(defaults).filter((name) => own[name] === defaults[name]);

function brokenTitle({ title }: Content): string {
  const { word, width } = longestWord(title);
  if (width <= PHONE) return '';
  return `title: "${word}" breaks on a phone; mark where it may be divided by \\u00ad`;
}
