/** The sentences of our own that guests read, by page: ours in English or German, or the owner's. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../config.ts';
import { type Fields, has, readLine, readOptional } from './fields.ts';
import type english from './words/en.json';

/** Strangers get those of the entry page, which must not reveal the preview. */
export type Words = typeof english;

const folder = path.join(root, 'lib/site/words');

/** @param lang such as `de-AT` */
export function readWords(fields: Fields, lang: string): Words {
  const ours = ourWords(lang);
  const own = readOptional(fields, 'words', (words) => ({
    entry: readOptional(words, 'entry', (page) => readSentences(page, ours.entry)),
    timeline: readOptional(words, 'timeline', (page) => readSentences(page, ours.timeline)),
  }));
  return { entry: own?.entry ?? ours.entry, timeline: own?.timeline ?? ours.timeline };
}

/** Ours in a language; in English where we do not have it. */
function ourWords(lang: string): Words {
  const [language = ''] = lang.split('-');
  const file = path.join(folder, `${language}.json`);
  const shipped = fs.existsSync(file) ? file : path.join(folder, 'en.json');
  return JSON.parse(fs.readFileSync(shipped, 'utf8'));
}

function readSentences<Sentences extends object>(fields: Fields, ours: Sentences): Sentences {
  const own: Record<string, string> = {};
  for (const name of Object.keys(ours)) if (has(fields, name)) own[name] = readLine(fields, name);
  return { ...ours, ...own };
}
