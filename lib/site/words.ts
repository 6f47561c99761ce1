/** The sentences of the pages themselves, in English or German. An owner may replace them. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../config.ts';
import { object, optional, type Reader, text, warn } from './schema.ts';

export type Sentences = Readonly<Record<string, string>>;

/** By page. Strangers get those of the entry page, which must not reveal the preview. */
export type Words = { readonly entry: Sentences; readonly timeline: Sentences };

export type OwnWords = {
  readonly entry: Partial<Sentences> | undefined;
  readonly timeline: Partial<Sentences> | undefined;
};

const folder = path.join(root, 'lib/site/words');

const { entry, timeline } = wordsIn('en');

/** What an owner may write instead of ours. */
export const ownWords = object<OwnWords>({
  entry: optional(someOf(entry)),
  timeline: optional(someOf(timeline)),
});

function someOf(sentences: Sentences): Reader<Partial<Sentences>> {
  const readers = Object.entries(sentences).map(([name, ours]) => [name, optional(like(ours))]);
  return object(Object.fromEntries(readers));
}

/** A sentence in place of ours. It has no other names in braces, which nothing would replace. */
function like(ours: string): Reader<string> {
  return (value, place) => {
    const own = text(value, place);
    for (const [name] of own.matchAll(/\{\w+\}/g))
      if (!ours.includes(name))
        warn(place, `${name} is not replaced here; our sentence is "${ours}"`);
    return own;
  };
}

/** Our sentences in a language, else in English. @param lang such as `de-AT` */
export function wordsIn(lang: string): Words {
  return JSON.parse(fs.readFileSync(isShipped(lang) ? fileOf(lang) : fileOf('en'), 'utf8'));
}

/** A warning if sentences stay in English on a site in another language. */
export function warnOfWords(lang: string, own: OwnWords | undefined): readonly string[] {
  if (isShipped(lang)) return [];
  const missing = [
    ...Object.keys(entry).filter((name) => own?.entry?.[name] === undefined),
    ...Object.keys(timeline).filter((name) => own?.timeline?.[name] === undefined),
  ];
  if (missing.length === 0) return [];
  return [`these sentences are still in English; translate them in words: ${missing.join(', ')}`];
}

function isShipped(lang: string): boolean {
  return fs.existsSync(fileOf(lang));
}

function fileOf(lang: string): string {
  return path.join(folder, `${new Intl.Locale(lang).language}.json`);
}
