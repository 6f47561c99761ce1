/** The sentences of our own that guests read: in English or German, or as the owner writes them. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../config.ts';
import { object, optional, type Reader, text } from './schema.ts';

type Sentences = Readonly<Record<string, string>>;

/** Strangers get those of the entry page, which must not reveal the preview. */
export type Words = { readonly entry: Sentences; readonly timeline: Sentences };

export type OwnWords = {
  readonly entry: Partial<Sentences> | undefined;
  readonly timeline: Partial<Sentences> | undefined;
};

const folder = path.join(root, 'lib/site/words');

const { entry, timeline } = ourWords('en');

/** What an owner may write instead of ours. */
export const ownWords = object<OwnWords>({
  entry: optional(someOf(entry)),
  timeline: optional(someOf(timeline)),
});

function someOf(sentences: Sentences): Reader<Partial<Sentences>> {
  const names = Object.keys(sentences);
  return object(Object.fromEntries(names.map((name) => [name, optional(text)])));
}

/** All sentences in the language of the site, with the owner's in place of ours. */
export function wordsOf(lang: string, own: OwnWords | undefined): Words {
  const ours = ourWords(new Intl.Locale(lang).language);
  return {
    entry: replaceSome(ours.entry, own?.entry),
    timeline: replaceSome(ours.timeline, own?.timeline),
  };
}

/** In English where we do not have the language. */
function ourWords(language: string): Words {
  const file = path.join(folder, `${language}.json`);
  const shipped = fs.existsSync(file) ? file : path.join(folder, 'en.json');
  return JSON.parse(fs.readFileSync(shipped, 'utf8'));
}

function replaceSome(ours: Sentences, own: Partial<Sentences> = {}): Sentences {
  const entries = Object.entries(ours);
  return Object.fromEntries(entries.map(([name, sentence]) => [name, own[name] ?? sentence]));
}
