/** What a tool uses of the process that it runs in. Tests give a tool something else. */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { storeFile } from '../store/open.ts';

/** The reader has closed stdout, as `head` does. This is not an error. */
export class ReaderLeft extends Error {}

/** The output cannot be written, for example because the disk is full. */
export class OutputError extends Error {}

export type Shell = {
  readonly storeFile: string;
  /** All of standard input. */
  readInput(): Buffer;
  /** Writes to stdout. @throws {ReaderLeft} @throws {OutputError} */
  write(text: string): void;
  /** Writes a line to stderr. */
  warn(line: string): void;
  /** Lets the server's process go first. */
  lowerPriority(): void;
};

/** Pause before stdout is tried again, in ms. */
const RETRY_PAUSE = 10;

const shell: Shell = {
  storeFile,
  readInput: () => fs.readFileSync(0),
  write(text) {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length; ) {
      try {
        written += fs.writeSync(1, bytes, written);
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (code === 'EPIPE') throw new ReaderLeft();
        if (code !== 'EAGAIN') throw new OutputError(`the output cannot be written: ${message}`);
        // The pipe is full, and another program has made it non-blocking.
        sleep(RETRY_PAUSE);
      }
    }
  },
  warn: (line) => console.error(line),
  lowerPriority: () => os.setPriority(os.constants.priority.PRIORITY_LOW),
};

/** Blocks this process, in ms. */
export const sleep = (ms: number): unknown =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Runs a tool with this process's arguments, unless another module has imported the tool. */
export async function runFromShell(
  url: string,
  main: (argv: readonly string[], shell: Shell) => Promise<number>,
): Promise<void> {
  const [, entry, ...argv] = process.argv;
  // Node completes the name of its entry and follows links.
  if (entry && createRequire(url).resolve(entry) === fileURLToPath(url))
    process.exitCode = await main(argv, shell);
}
