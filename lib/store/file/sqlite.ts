/**
 * better-sqlite3. Node 24.19 and later 24.x abort when V8 collects an object of an addon that was
 * compiled with their headers (nodejs/node#65446), so there no such object is ever collected.
 * better-sqlite3 13 has no such objects, but does not run on Node 20.
 */
import Database from 'better-sqlite3';

const kept = new Set<unknown>();
const wrapped = new Set<object>();

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major === 24 && minor >= 19) {
  for (const method of ['prepare', 'exec', 'pragma', 'transaction', 'function', 'backup', 'close'])
    wrap(Database.prototype, method, keepNative);
}

/** Has a method call `before` first, and `after` with what it returns. */
function wrap(
  prototype: object,
  method: string,
  before: (self: object) => void,
  after: (result: unknown) => void = () => undefined,
): void {
  const original = Reflect.get(prototype, method);
  Reflect.set(prototype, method, function (this: object, ...args: unknown[]) {
    before(this);
    const result = Reflect.apply(original, this, args);
    after(result);
    return result;
  });
}

/** Keeps the native object of a connection, and all that it will make. */
function keepNative(db: object): void {
  for (const symbol of Object.getOwnPropertySymbols(db)) {
    const native: unknown = Reflect.get(db, symbol);
    if (typeof native !== 'object' || native === null || kept.has(native)) continue;
    keep(native);
    keepResults(native, ['prepare', 'backup']);
  }
}

function keepResults(native: object, methods: readonly string[]): void {
  const prototype: object = Object.getPrototypeOf(native);
  if (wrapped.has(prototype)) return;
  wrapped.add(prototype);
  for (const method of methods) wrap(prototype, method, keep, keepStatement);
}

function keepStatement(result: unknown): void {
  keep(result);
  if (typeof result === 'object' && result !== null && 'iterate' in result)
    keepResults(result, ['iterate']);
}

function keep(object: unknown): void {
  kept.add(object);
}

/** Opens a file for one use. */
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
