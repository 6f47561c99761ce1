/** What the tools read from their arguments, and the store they read from. */
import { normalizeEmail } from '../email.ts';
import { openEmptyStore, openStore, type Store, storeExists, storeFile } from '../store/open.ts';
import { UsageError } from './terminal.ts';

/** @throws {UsageError} where the word is missing or no address */
export function readEmail(word: string | undefined): string {
  if (word === undefined) throw new UsageError('an email address is missing');
  const email = normalizeEmail(word);
  if (email === undefined) throw new UsageError(`${JSON.stringify(word)} is not an email address`);
  return email;
}

/** @throws {UsageError} where the text is no whole number above 0 */
export function readLimit(text: string | undefined): number | undefined {
  if (text === undefined || /^[1-9]\d{0,8}$/.test(text))
    return text === undefined ? undefined : Number(text);
  throw new UsageError(`--limit is ${JSON.stringify(text)}; it must be a whole number above 0`);
}

/** Opens the store; where there is none, says so and takes an empty one, so that only `invite add` makes a store. */
export function existingStore<T>(use: (store: Store) => T): T {
  const exists = storeExists();
  const store = exists ? openStore() : openEmptyStore();
  if (!exists) {
    console.error(
      `nothing yet: there is no store at ${storeFile}; the first invite makes it: invite add ada@example.com`,
    );
  }
  try {
    return use(store);
  } finally {
    store.close();
  }
}
