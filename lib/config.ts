/** The root, the folder of the data, and the three settings. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of `server.ts`. */
export const root = fileURLToPath(new URL('../', import.meta.url));

/** May be a link to a folder elsewhere. */
export const dataFolder = path.join(root, 'data');

export const storeFile = path.join(dataFolder, 'guestlist.db');

/** The three settings. A mistake in one is a `UsageError`. */
export type Settings = {
  /** 0 takes any free port. */
  readonly port: number;
  /** The start of each link, without a slash at its end: `https://preview.example.com`. */
  readonly publicOrigin: string;
};

/** An error that the operator can fix: the message is shown without a stack. Exit status 1. */
export class ExpectedError extends Error {}

/** A setting or an argument is wrong. Exit status 2. */
export class UsageError extends ExpectedError {}

/** Turns on what works only over https. */
export const isProduction = process.env.NODE_ENV === 'production';

/** @throws {UsageError} */
export function readSettings(): Settings {
  const port = readPort(process.env.PORT || '3000');
  return {
    port,
    publicOrigin: readOrigin(process.env.PUBLIC_ORIGIN || `http://localhost:${port}`),
  };
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return Number(text);
  throw new UsageError(`PORT is ${JSON.stringify(text)}; it must be a number from 0 to 65535`);
}

function readOrigin(text: string): string {
  const mistake = new UsageError(
    `PUBLIC_ORIGIN is ${JSON.stringify(text)}; it must be like https://preview.example.com`,
  );
  if (!/^https?:\/\//i.test(text) || /[?#]/.test(text)) throw mistake;
  try {
    const { href, origin } = new URL(text);
    if (href === `${origin}/`) return origin;
  } catch {
    // Not a URL.
  }
  throw mistake;
}

/**
 * A disk that is not mounted must not look like an empty store.
 *
 * @throws {ExpectedError} if `data/` is a link into nothing
 */
export function checkDataFolder(): void {
  const isLink = fs.lstatSync(dataFolder, { throwIfNoEntry: false })?.isSymbolicLink();
  if (!isLink || fs.existsSync(dataFolder)) return;
  const target = fs.readlinkSync(dataFolder);
  throw new ExpectedError(
    `${dataFolder} is a link to ${target}, which does not exist; is its disk mounted?`,
  );
}

/** Creates `data/` where it is missing, readable by its owner only. */
export function createDataFolder(): void {
  checkDataFolder();
  fs.mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
}

/**
 * Ends the process after an error: with one line for what a person can put right, or with the stack
 * of a bug.
 */
export function failWith(error: unknown): never {
  const isExpected = error instanceof ExpectedError;
  // Of the file system, such as EACCES.
  const isOfSystem = error instanceof Error && 'syscall' in error;
  console.error(isExpected || isOfSystem ? error.message : error);
  process.exit(error instanceof UsageError ? 2 : 1);
}
