/** The sentences of the page's scripts, in the site's language. The page contains them. */
import type { SCRIPT_WORDS } from '../../lib/site/default-words.ts';

export type Sentence = keyof typeof SCRIPT_WORDS.entry | keyof typeof SCRIPT_WORDS.timeline;

const words: Readonly<Partial<Record<Sentence, string>>> = JSON.parse(
  document.body.dataset.words ?? '{}',
);

/** A sentence. Values replace its places, such as `{name}`. */
export function sentence(key: Sentence, values: Readonly<Record<string, string>> = {}): string {
  return (words[key] ?? '').replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}
