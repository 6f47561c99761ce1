/** The sentences of the page's programs, in the site's language: the page brings them along. */
import type { SAID } from '../../lib/site/words.ts';

export type Sentence = keyof typeof SAID.entry | keyof typeof SAID.timeline;

const words: Readonly<Partial<Record<Sentence, string>>> = JSON.parse(
  document.body.dataset.words ?? '{}',
);

/** A sentence, with these values in the places of `{name}`. */
export function sentence(key: Sentence, values: Readonly<Record<string, string>> = {}): string {
  return (words[key] ?? '').replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}
