/** The root, the folder of the data, the settings, and errors that an operator can fix. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of `server.ts`. */
export const root = fileURLToPath(new URL('../', import.meta.url));

/** May be a link to a folder elsewhere. */
export const dataFolder = path.join(root, 'data');

export const storeFile = path.join(dataFolder, 'guestlist.db');

/** What `PORT` and `PUBLIC_ORIGIN` say. The third setting is `isProduction`. */
export type Settings = {
  /** 0 takes any free port. */
  readonly port: number;
  /** The start of each link, without a slash at its end: `https://preview.example.com`. */
  readonly publicOrigin: string;
};

/** An error that the operator can fix: the message is shown without a stack. Exit status 1. */
export class ExpectedError extends Error {}

/**
 * An error that a restart does not fix: in a setting, an argument or the site, or a store that is lost
 * or of another program. Exit status 2, after which systemd does not start the service again.
 */
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
  if (!/^https?:\/\//i.test(text)) throw mistake;
  try {
    const { href, origin } = new URL(text);
    if (href === `${origin}/`) return origin;
  } catch {
    // Not a URL.
  }
  throw mistake;
}

/** Whether the message tells people what to put right, without a stack: also EACCES and its like. */
export function isExpected(error: unknown): error is Error {
  return error instanceof ExpectedError || (error instanceof Error && 'syscall' in error);
}

/** Ends the process after an error: with its message if that is enough, else with its stack. */
export function failWith(error: unknown): never {
  console.error(isExpected(error) ? error.message : error);
  process.exit(error instanceof UsageError ? 2 : 1);
}
