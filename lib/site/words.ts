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

const { entry, timeline } = wordsIn('en');

/** What an owner may write instead of ours. */
export const ownWords = object<OwnWords>({
  entry: optional(someOf(entry)),
  timeline: optional(someOf(timeline)),
});

function someOf(sentences: Sentences): Reader<Partial<Sentences>> {
  const names = Object.keys(sentences);
  return object(Object.fromEntries(names.map((name) => [name, optional(text)])));
}

/** Our sentences in a language, else in English. @param lang such as `de-AT` */
export function wordsIn(lang: string): Words {
  const file = path.join(folder, `${new Intl.Locale(lang).language}.json`);
  const shipped = fs.existsSync(file) ? file : path.join(folder, 'en.json');
  return JSON.parse(fs.readFileSync(shipped, 'utf8'));
}
