/**
 * better-sqlite3. Node 24.19 and later 24.x abort when V8 collects an object of an addon that was
 * compiled with their headers (nodejs/node#65446), so there no such object is ever collected.
 * better-sqlite3 13 has no such objects, but does not run on Node 20.
 */
import { createRequire } from 'node:module';
import Database from 'better-sqlite3';

/** Native objects, and the prototypes of them whose methods are wrapped. */
const kept = new Set<object>();

/** Methods of native objects that make further ones. */
const MAKERS = ['prepare', 'backup', 'iterate'];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const { version } = createRequire(import.meta.url)('better-sqlite3/package.json');
if (major === 24 && minor >= 19 && Number.parseInt(version, 10) < 13) {
  for (const method of ['prepare', 'exec', 'pragma', 'transaction', 'function', 'backup', 'close'])
    wrap(Database.prototype, method, (db, call) => {
      for (const symbol of Object.getOwnPropertySymbols(db)) keep(Reflect.get(db, symbol));
      return call();
    });
}

function wrap(
  prototype: object,
  method: string,
  around: (self: object, call: () => unknown) => unknown,
): void {
  const original = Reflect.get(prototype, method);
  Reflect.set(prototype, method, function (this: object, ...args: unknown[]) {
    return around(this, () => Reflect.apply(original, this, args));
  });
}

/** Keeps a native object, and all that it will make. */
function keep(native: unknown): unknown {
  if (typeof native !== 'object' || native === null || kept.has(native)) return native;
  const prototype: object = Object.getPrototypeOf(native);
  if (!kept.has(prototype))
    for (const method of MAKERS.filter((name) => name in prototype))
      wrap(prototype, method, (_, call) => keep(call()));
  kept.add(native).add(prototype);
  return native;
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
