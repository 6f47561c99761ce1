/** Stores of earlier versions. */
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { root } from '../../lib/config.ts';

/** The schemas of former versions, whose stores are converted. */
export const FORMER = { '1.1.0': 6, '2.0.0': 7 } as const;

/**
 * Makes a store that 1.1.0 has filled, and 2.0.0 perhaps migrated: Ada, an administrator, Alan, Eva
 * and Grace are invited; Ada has logged in, viewed and joined twice; so has somebody once who was
 * removed then, gone@…. İpek, whose address has U+0307, has logged in, joined and invited Eve.
 *
 * @returns it open; the caller closes it
 */
export function makeOldStore(
  file: string,
  version: keyof typeof FORMER = '1.1.0',
): Database.Database {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const packed = path.join(root, `test/support/stores/${version}.db.gz`);
  fs.writeFileSync(file, gunzipSync(fs.readFileSync(packed)));
  return new Database(file);
}
