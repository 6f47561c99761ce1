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

export type Shell = {
  /** The path of the store. */
  readonly storeFile: string;
  readonly env: NodeJS.ProcessEnv;
  /** All of standard input. */
  readonly readInput: () => Buffer;
  /**
   * Writes to stdout. Exits if the reader closed it, as `head` does.
   *
   * @throws {Refusal} if that fails
   */
  readonly write: (text: string) => void;
  /** Writes a line to stderr. */
  readonly warn: (line: string) => void;
};

const shell: Shell = {
  storeFile,
  env: process.env,
  readInput() {
    const chunks: Buffer[] = [];
    for (;;) {
      const chunk = Buffer.alloc(65_536);
      const length = whenReady(() => fs.readSync(0, chunk));
      if (length === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, length));
    }
  },
  write(text) {
    try {
      let rest = Buffer.from(text);
      while (rest.length > 0) {
        const part = rest;
        rest = rest.subarray(whenReady(() => fs.writeSync(1, part)));
      }
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') process.exit(0);
      throw new Refusal(`the output cannot be written: ${message}`);
    }
  },
  warn: (line) => console.error(line),
};

/** The pause between two tries of a pipe that is not ready, in ms. */
const PIPE_PAUSE = 10;

/**
 * Repeats a call until its pipe is ready. A parent process may give a tool a non-blocking pipe, and
 * then a call fails with EAGAIN.
 *
 * @returns the number of bytes that were read or written; 0 at the end
 */
function whenReady(call: () => number): number {
  // Nothing wakes this wait, so it is a pause.
  const timer = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      return call();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
    Atomics.wait(timer, 0, 0, PIPE_PAUSE);
  }
}

/** Runs a tool with this process's arguments, unless it was imported by a test. */
export async function runFromShell(
  url: string,
  main: (argv: readonly string[], shell: Shell) => Promise<number>,
): Promise<void> {
  const entry = process.argv[1];
  if (entry === undefined) return;
  // Node adds the extension to the name of its entry module, and resolves links. Do the same here.
  if (createRequire(url).resolve(entry) !== fileURLToPath(url)) return;
  process.exitCode = await main(process.argv.slice(2), shell);
}
