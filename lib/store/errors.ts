/** Errors of the store, with messages for operators. */
import { root } from '../config.ts';

/** The store cannot be used. The message is one line with the remedy. */
export class StoreError extends Error {}

/** The store is locked or damaged, or its disk is full or failing. A retry may succeed. */
export class StoreUnavailable extends Error {}

/** SQLite's codes for faults of the store or its disk. Any other code is a bug. */
const UNAVAILABLE =
  /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|CORRUPT|NOTADB|PROTOCOL)/;

/** Whether another program holds the lock. */
export const isBusy = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY');

/** Why better-sqlite3's native module cannot be loaded; `undefined` for other errors. */
function whyNotLoaded(error: unknown): string | undefined {
  const message = messageOf(error);
  if (message.startsWith('Could not locate the bindings file')) return 'it is not built';
  if (codeOf(error) !== 'ERR_DLOPEN_FAILED') return undefined;
  return message.includes('NODE_MODULE_VERSION')
    ? `it was built for another version of Node than this, ${process.version}`
    : message.split('\n', 1)[0];
}

/** Turns faults into `StoreUnavailable`, a failed load of SQLite into `StoreError`. */
export function toStoreError(error: unknown): unknown {
  if (UNAVAILABLE.test(codeOf(error)))
    return new StoreUnavailable(`the store: ${messageOf(error)} (${codeOf(error)})`);
  const why = whyNotLoaded(error);
  if (why === undefined) return error;
  const text = `better-sqlite3 cannot be loaded: ${why}; in ${root}: npm rebuild better-sqlite3`;
  return new StoreError(text, { cause: error });
}

/** Opens a store. Converts errors to `StoreError`s with a remedy. */
export function explainErrors<T>(file: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const known = toStoreError(error);
    if (known instanceof StoreError) throw known;
    throw new StoreError(`${file} ${explain(error)}`, { cause: error });
  }
}

function explain(error: unknown): string {
  const why = messageOf(error);
  const code = codeOf(error);
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code))
    return `is damaged (${why}); restore a snapshot from data/backups`;
  if (isBusy(error)) return 'is locked by another program; end it or wait, then try again';
  const remedy =
    code.startsWith('SQLITE_') && !UNAVAILABLE.test(code)
      ? 'it is unchanged; install the former version, and report this'
      : 'check that this user can write to it and its folder, and that the disk is not full';
  return `cannot be opened (${why}); ${remedy}`;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
