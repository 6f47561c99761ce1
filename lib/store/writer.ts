/**
 * The thread that writes. It has a connection of its own, so that a slow disk or a locked store holds up nobody but those
 * who wait for what is written. All that has arrived while a commit was under way shares the next.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { batch, type Outcome } from './batch.ts';
import { connect } from './connect.ts';
import { asUnavailable, isBusy, StoreUnavailable } from './errors.ts';
import { type Writes, writes } from './writes.ts';

/** A job, by its name in `writes.ts`, and what it is given. */
export type Call = readonly [name: keyof Writes, args: readonly unknown[]];

/** What became of the oldest jobs that are not answered yet. */
export type Answer = {
  readonly results: readonly unknown[];
  readonly faults: readonly Fault[];
};

type Fault = { readonly index: number; readonly error: Error; readonly unavailable: boolean };

/** How long a job waits for a store that somebody else has locked, in ms. */
const PATIENCE = 5000;

/** How long one try for the lock waits, in ms; between two of them the jobs that have waited too long are answered. */
const TRY = 50;

const db = connect(String(workerData), TRY);
const jobs = writes(db) as Record<string, (...args: readonly unknown[]) => unknown>;
const commit = batch<unknown>(db);
/** Jobs that arrived together, and when, in ms of `performance.now()`; oldest first. */
let waiting: { readonly calls: readonly Call[]; readonly since: number }[] = [];
let again: NodeJS.Immediate | undefined;
let closing = false;

// A message is a list of calls, or null at the end.
parentPort?.on('message', (message: readonly Call[] | null) => {
  receive(message);
  for (let next = receiveNext(); next; next = receiveNext()) receive(next.message);
  work();
  if (closing) close();
});

const receiveNext = () => parentPort && receiveMessageOnPort(parentPort);

function receive(calls: readonly Call[] | null): void {
  if (calls) waiting.push({ calls, since: performance.now() });
  else closing = true;
}

function close(): void {
  clearImmediate(again);
  db.close();
  parentPort?.close();
}

function work(): void {
  const calls = waiting.flatMap(({ calls }) => calls);
  if (calls.length === 0) return;
  try {
    answer(
      commit(
        calls.map(
          ([name, args]) =>
            () =>
              jobs[name]?.(...args),
        ),
      ),
    );
    waiting = [];
  } catch (error) {
    if (isBusy(error)) giveUpLate();
    else {
      answer(calls.map(() => ({ error })));
      waiting = [];
    }
  }
}

/** Answers those who have waited for the lock long enough, and tries again for the others when new jobs have been received. */
function giveUpLate(): void {
  const now = performance.now();
  const late = waiting.filter(({ since }) => now - since >= PATIENCE);
  waiting = waiting.slice(late.length);
  const error = new StoreUnavailable('the store: locked by another program for 5 s');
  answer(late.flatMap(({ calls }) => calls.map(() => ({ error }))));
  clearImmediate(again);
  again = setImmediate(work);
}

function answer(outcomes: readonly Outcome<unknown>[]): void {
  const faults = outcomes.flatMap((outcome, index) => {
    if (!('error' in outcome)) return [];
    const error = asUnavailable(outcome.error);
    return [{ index, error: toError(error), unavailable: error instanceof StoreUnavailable }];
  });
  const results = outcomes.map((outcome) => ('result' in outcome ? outcome.result : undefined));
  if (results.length > 0) parentPort?.postMessage({ results, faults } satisfies Answer);
}

/** A plain error: SQLite's own do not survive the way to the other thread. */
function toError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  return Object.assign(new Error(error.message), { stack: error.stack });
}
