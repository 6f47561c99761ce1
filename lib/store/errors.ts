/** Errors of the store, with messages for operators. */
import { ExpectedError, root } from '../config.ts';

/** The store cannot be used. The message is one line with the remedy. */
export class StoreError extends ExpectedError {}

/** The store is locked or damaged, or its disk is full or failing. A retry may succeed. */
export class StoreUnavailable extends ExpectedError {}

/** SQLite's codes for faults of the store or its disk. Any other code is a bug. */
const UNAVAILABLE =
  /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|CORRUPT|NOTADB|PROTOCOL)/;

/** Whether the store or its disk is at fault, or another program holds the lock. */
export const isUnavailable = (error: unknown): boolean => UNAVAILABLE.test(codeOf(error));

/** Whether another program holds the lock. */
export const isBusy = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY');

/** Turns faults into `StoreUnavailable`, a failed load of SQLite into `StoreError`. */
export function toStoreError(error: unknown): unknown {
  const code = codeOf(error);
  const message = messageOf(error);
  if (isUnavailable(error)) return new StoreUnavailable(`the store: ${message} (${code})`);
  if (code !== 'ERR_DLOPEN_FAILED' && !message.startsWith('Could not locate the bindings file'))
    return error;
  // Its first sentence: not built, built for another NODE_MODULE_VERSION, or not for this machine.
  const [why] = message.replace(/\s+/g, ' ').split('. ');
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
    code.startsWith('SQLITE_') && !isUnavailable(error)
      ? 'it is unchanged; install the former version, and report this'
      : 'check that this user can write to it and its folder, and that the disk is not full';
  return `cannot be opened (${why}); ${remedy}`;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
