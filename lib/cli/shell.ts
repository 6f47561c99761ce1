/** The process of a tool: input, output, exit status. Tests give the tool another one. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { ExpectedError } from '../config.ts';
import { storeFile } from '../store/store-file.ts';

/** Exit status 1: the request is refused. Without a message, stdout has the reason. */
export class Refusal extends ExpectedError {}

/** Exit status 2: the arguments are wrong. */
export class UsageError extends Error {}

export type Shell = Readonly<typeof shell>;

const shell = {
  storeFile,
  env: process.env,
  /** All of standard input. */
  readInput: (): Buffer => fs.readFileSync(0),
  /** Writes to stdout, and exits if it was closed, as by `head`. @throws {Refusal} if that fails */
  write(text: string): void {
    try {
      fs.writeFileSync(1, text);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') process.exit(0);
      throw new Refusal(`the output cannot be written: ${message}`);
    }
  },
  /** Writes a line to stderr. */
  warn: (line: string): void => console.error(line),
};

/** Runs a tool with this process's arguments, unless it was imported by a test. */
export async function runFromShell(
  url: string,
  main: (argv: readonly string[], shell: Shell) => Promise<number>,
): Promise<void> {
  const [, entry, ...argv] = process.argv;
  // Node resolves the name and links of its entry module.
  if (entry && createRequire(url).resolve(entry) === fileURLToPath(url))
    process.exitCode = await main(argv, shell);
}
