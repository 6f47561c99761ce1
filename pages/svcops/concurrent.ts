/** Requests about many people, a few at a time. */
import type { ListEntry } from './address-list.js';
import { Failure } from './api.ts';

/** The connections that a browser keeps to a site. */
const AT_A_TIME = 6;

/** `end` is the reason why the remaining requests are not sent. */
export type Run = { end?: string };

/**
 * Asks about people. An answer is a word, or the service's error code.
 *
 * @param answers gets the answers, by the text of the line
 */
export async function askConcurrently(
  entries: readonly ListEntry[],
  run: Run,
  answers: Map<string, string>,
  ask: (entry: ListEntry) => Promise<string>,
): Promise<void> {
  const queue = entries.values();
  const askNext = async () => {
    for (const entry of queue) {
      try {
        answers.set(entry.text, await ask(entry));
      } catch (error) {
        const { kind, code, message } = error instanceof Failure ? error : new Failure('offline');
        if (kind === 'refused') answers.set(entry.text, code);
        else run.end ??= `Stopped. ${message}`;
      }
      if (run.end) break;
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, askNext));
}
