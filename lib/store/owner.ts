/** Root may not work on another user's data: the service could not use the files that root creates. */
import fs from 'node:fs';
import path from 'node:path';
import { StoreError } from './errors.ts';

/** @throws {StoreError} for root, where the store's folder belongs to another user */
export function refuseRoot(store: string): void {
  const owner = fs.statSync(path.dirname(store), { throwIfNoEntry: false })?.uid ?? 0;
  if (process.getuid?.() !== 0 || owner === 0) return;
  const quote = (word: string) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
  const command = [process.execPath, ...process.argv.slice(1)].map(quote).join(' ');
  throw new StoreError(`data/ belongs to another user: sudo -u '#${owner}' ${command}`);
}
