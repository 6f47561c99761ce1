/**
 * Another program that reads a store. In this process, any file that closes would end its locks.
 */
import { createRequire } from 'node:module';
import { after } from 'node:test';
import { startProcess } from '../support/process.ts';

const PROGRAM = `
  const db = new (require(process.argv[1]))(process.argv[2]);
  db.exec('begin; select * from invites');
  console.log('reading');
  process.stdin.resume().on('end', () => db.close());`;

/** The path of the package, for a program in another folder. */
export const DATABASE = createRequire(import.meta.url).resolve('better-sqlite3');

/**
 * Begins a read transaction, at most until the end of the test.
 *
 * @returns closes the store, and waits for the end of the program
 */
export async function readStore(file: string): Promise<() => Promise<number | null>> {
  const reader = startProcess([process.execPath, '-e', PROGRAM, DATABASE, file]);
  after(() => reader.stop());
  await reader.prints(/reading/);
  return () => {
    reader.process.stdin?.end();
    return reader.ends();
  };
}
