/**
 * Written before it is said: the server's way to the writer's thread (`writer.ts`). Jobs that arrive in one turn of the event
 * loop are posted together; each promise resolves when its job is on disk, and the event loop never waits for that.
 */
import { Worker } from 'node:worker_threads';
import { StoreUnavailable } from './errors.ts';
import type { Answer, Call } from './writer.ts';
import type { Writes } from './writes.ts';

/** Has a job written, by its name in `writes.ts`. */
export type Write = <Name extends keyof Writes>(
  name: Name,
  ...args: Parameters<Writes[Name]>
) => Promise<ReturnType<Writes[Name]>>;

export type CommitQueue = {
  readonly write: Write;
  /** Waits for what is under way, then closes the writer's connection. */
  close(): Promise<void>;
};

type Waiting = {
  readonly call: Call;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
};

// Compiled, even where this file runs from its source: the loader that does that reaches no threads.
const WRITER = new URL('./writer.js', import.meta.url);

/** @param file the store, open already and up to date */
export function commitQueue(file: string): CommitQueue {
  const writer = new Worker(WRITER, { workerData: file });
  const exited = new Promise<void>((resolve) => writer.once('exit', () => resolve()));
  let collected: Waiting[] = [];
  /** Posted and not answered yet, oldest first: the order in which the answers come. */
  const posted: Waiting[] = [];

  function post(): void {
    const calls: readonly Call[] = collected.map(({ call }) => call);
    posted.push(...collected);
    collected = [];
    writer.postMessage(calls);
  }

  writer.on('message', ({ results, faults }: Answer) => {
    const answered = posted.splice(0, results.length);
    for (const { index, error, unavailable } of faults) {
      answered[index]?.reject(unavailable ? new StoreUnavailable(error.message) : error);
    }
    // To resolve what is rejected already has no effect.
    for (const [i, { resolve }] of answered.entries()) resolve(results[i] as never);
  });
  // A writer that is gone cannot be mended from here: end, so that the service is started again.
  writer.on('error', (error) => {
    throw error;
  });

  return {
    write: (name, ...args) =>
      new Promise((resolve, reject) => {
        // The turn's other requests are read before its check phase.
        if (collected.length === 0) setImmediate(post);
        collected.push({ call: [name, args], resolve, reject });
      }),
    close() {
      writer.postMessage(null);
      return exited;
    },
  };
}
