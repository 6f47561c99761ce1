/**
 * better-sqlite3. Node 24.19 and later 24.x abort when V8 collects an object of an addon that was
 * compiled with their headers (nodejs/node#65446). On these versions, no such object is collected.
 * better-sqlite3 13 has no such objects, but does not run on Node 20.
 */
import Database from 'better-sqlite3';

/** Methods of the native database: they make native objects, or may be the only call on it. */
const METHODS = ['prepare', 'backup', 'exec', 'close'];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major === 24 && minor >= 19) {
  try {
    keepNativeObjects(new Database(':memory:'));
  } catch {
    // The native module cannot be loaded. The code that opens a store reports it.
  }
}

/** Keeps every native object that is made or used from now on. */
function keepNativeObjects(db: Database.Database): void {
  const kept = new Set<unknown>();
  for (const symbol of Object.getOwnPropertySymbols(db)) {
    const prototype: object = Object.getPrototypeOf(Reflect.get(db, symbol));
    for (const method of METHODS) {
      const original = Reflect.get(prototype, method);
      Reflect.set(prototype, method, function (this: object, ...args: unknown[]) {
        kept.add(this);
        const made: unknown = Reflect.apply(original, this, args);
        kept.add(made);
        return made;
      });
    }
  }
  db.close();
}

/** Opens a file, and closes it after use. */
export function withDatabase<T>(
  file: string,
  options: Database.Options,
  use: (db: Database.Database) => T,
): T {
  const db = new Database(file, options);
  try {
    return use(db);
  } finally {
    db.close();
  }
}

export default Database;
