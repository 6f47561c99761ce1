/** Searches the bytes of all files in the folder of a store: the store, its WAL and snapshots. */
import fs from 'node:fs';
import path from 'node:path';

/** The files that contain these bytes, by their path in the folder of the store. */
export function filesWith(store: string, bytes: string | Buffer): readonly string[] {
  const folder = path.dirname(store);
  return fs
    .readdirSync(folder, { encoding: 'utf8', recursive: true })
    .filter((name) => fs.statSync(path.join(folder, name)).isFile())
    .filter((name) => fs.readFileSync(path.join(folder, name)).includes(bytes))
    .sort();
}

/** The store and its side files that contain these bytes, in used or free pages. */
export const storeFilesWith = (store: string, bytes: string): readonly string[] =>
  filesWith(store, bytes).filter((name) => name.startsWith(path.basename(store)));
