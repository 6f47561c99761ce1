/** The sentences of the pages themselves, in English or German. An owner may replace them. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../config.ts';
import { object, optional, type Reader, text } from './schema.ts';

export type Sentences = Readonly<Record<string, string>>;

/** By page. Strangers get those of the entry page, which must not reveal the preview. */
export type Words = { readonly entry: Sentences; readonly timeline: Sentences };

export type OwnWords = {
  readonly entry: Partial<Sentences> | undefined;
  readonly timeline: Partial<Sentences> | undefined;
};

const folder = path.join(root, 'lib/site/words');

const english = wordsIn('en');

/** What an owner may write instead of ours. */
export const ownWords = object<OwnWords>({
  entry: optional(someOf(english.entry)),
  timeline: optional(someOf(english.timeline)),
});

function someOf(sentences: Sentences): Reader<Partial<Sentences>> {
  const readers = Object.keys(sentences).map((name) => [name, optional(text)]);
  return object(Object.fromEntries(readers));
}

/** Our sentences in a language, else in English. @param lang such as `de-AT` */
export function wordsIn(lang: string): Words {
  return JSON.parse(fs.readFileSync(isShipped(lang) ? fileOf(lang) : fileOf('en'), 'utf8'));
}

/** Warnings about names in braces that nothing replaces, and sentences that stay in English. */
export function warnOfWords(lang: string, own: OwnWords | undefined): readonly string[] {
  const warnings: string[] = [];
  const missing: string[] = [];
  for (const page of ['entry', 'timeline'] as const)
    for (const [name, ours] of Object.entries(english[page])) {
      const sentence = own?.[page]?.[name];
      if (sentence === undefined) missing.push(name);
      for (const unknown of unknownNames(sentence, ours))
        warnings.push(`words.${page}.${name}: ${unknown} is not replaced here; ours is "${ours}"`);
    }
  if (missing.length === 0 || isShipped(lang)) return warnings;
  const list = missing.join(', ');
  warnings.push(`no sentences for "${lang}"; translate in words what stays in English: ${list}`);
  return warnings;
}

/** `{imie}` of `Dzień dobry, {imie}.` in place of `Welcome, {firstName}.` */
function unknownNames(sentence = '', ours: string): readonly string[] {
  const names = sentence.match(/\{\w+\}/g) ?? [];
  return names.filter((name) => !ours.includes(name));
}

function isShipped(lang: string): boolean {
  return fs.existsSync(fileOf(lang));
}

function fileOf(lang: string): string {
  return path.join(folder, `${new Intl.Locale(lang).language}.json`);
}
