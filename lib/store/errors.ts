/** Errors of the store, and their messages for the operator. */
import { root } from '../config.ts';
import Database from './file/sqlite.ts';

/** The store cannot be used. The message is one line, with the remedy. */
export class StoreError extends Error {}

/** The store is locked, full, or its disk is failing. Trying again may help. */
export class StoreUnavailable extends Error {}

/** SQLite result codes of a fault of the store or its disk. Any other code means a bug. */
const UNAVAILABLE =
  /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|NOMEM|CORRUPT|NOTADB|PROTOCOL)/;

/** Whether another program holds the lock. */
export const isBusy = (error: unknown): boolean => sqliteCode(error).startsWith('SQLITE_BUSY');

/** The remedy if better-sqlite3 cannot be loaded. */
const REBUILD = `in ${root}: npm rebuild better-sqlite3`;

/** The reason why better-sqlite3's native module cannot be loaded; `undefined` for other errors. */
function whyNotLoaded(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const fault = (why: string) => `better-sqlite3 cannot be loaded: ${why}`;
  if (error.message.startsWith('Could not locate the bindings file'))
    return fault('it is not built');
  if (!('code' in error) || error.code !== 'ERR_DLOPEN_FAILED') return undefined;
  return error.message.includes('NODE_MODULE_VERSION')
    ? fault(`it was built for another version of Node than this, ${process.version}`)
    : fault(error.message.split('\n', 1)[0] ?? '');
}

/**
 * Converts a fault of the store or its disk to `StoreUnavailable`, and a native module that cannot
 * be loaded to `StoreError`. Other errors are returned unchanged.
 */
export function asUnavailable(error: unknown): unknown {
  const unloaded = whyNotLoaded(error);
  if (unloaded !== undefined) return new StoreError(`${unloaded}; ${REBUILD}`, { cause: error });
  const code = sqliteCode(error);
  return UNAVAILABLE.test(code)
    ? new StoreUnavailable(`the store: ${messageOf(error)} (${code})`)
    : error;
}

/** Opens a store. Converts errors to `StoreError`s with a remedy. */
export function explainErrors<T>(file: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const known = asUnavailable(error);
    if (known instanceof StoreError) throw known;
    throw new StoreError(explain(file, error), { cause: error });
  }
}

function explain(file: string, error: unknown): string {
  const code = sqliteCode(error);
  if (code === 'SQLITE_NOTADB') {
    return (
      `${file} is not a SQLite file; move it away and restore a snapshot ` +
      'from data/backups, then start again'
    );
  }
  if (code.startsWith('SQLITE_CORRUPT')) {
    return `${file} is damaged (${messageOf(error)}); restore a snapshot from data/backups`;
  }
  if (isBusy(error)) {
    return `${file} is locked by another program; end it or wait, then try again`;
  }
  return `${file} cannot be opened (${messageOf(error)}); check that its folder can be written by this user`;
}

const sqliteCode = (error: unknown): string =>
  error instanceof Database.SqliteError ? error.code : '';

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
