/**
 * Group commit. The handlers of requests that arrive together share a transaction that reads. What
 * they record shares one that writes, and those replies wait for its commit: what a reply says is on
 * disk. While another program locks the store, only who records waits.
 */
import { readBody } from './http/body.ts';
import { errorReply, type Reply } from './http/reply.ts';
import type { Request } from './http/request.ts';
import {
  type BodyReading,
  findHandler,
  type Handler,
  type Outcome,
  type Recording,
  type Routes,
} from './http/router.ts';
import type { Exchange } from './http/server.ts';
import { type Database, isLocked, isUnavailable } from './store/sqlite.ts';

/** In ms: the longest wait for a lock, and the pause between tries. */
const LOCK_TIMEOUT = 5000;
const LOCK_PAUSE = 20;

const UNAVAILABLE = errorReply(503, 'unavailable');
const INTERNAL = errorReply(500, 'internal');

/** A handler to run, or its continuation when the body has been read. */
type Pending = {
  readonly exchange: Exchange;
  readonly run: () => Outcome;
};

/** Something to record. */
type Job = {
  readonly exchange: Exchange;
  readonly record: Recording;
  /** When it has waited too long for a lock, by `performance.now()`. */
  readonly deadline: number;
};

/**
 * @param db must not be used by others in this process
 * @param notFound answers an unknown URL
 * @returns a function that takes a request and answers it
 */
export function createTurns(
  db: Database,
  routes: Routes,
  notFound: Handler,
): (exchange: Exchange) => void {
  // SQLite must not block the event loop while it waits.
  db.exec('pragma busy_timeout = 0');
  let pending: Pending[] = [];
  let jobs: Job[] = [];
  /** Runs while another program locks the store. */
  let lockTimer: NodeJS.Timeout | undefined;

  const runTogether = db.transaction((batch: readonly Pending[]) =>
    batch.map((each) => ({ exchange: each.exchange, outcome: runOne(each) })),
  );

  const recordTogether = db.transaction((batch: readonly Job[]) =>
    batch.map(({ exchange, record }) => ({ exchange, reply: record() })),
  );

  function take(exchange: Exchange): void {
    const { request } = exchange;
    const handler = findHandler(routes, request) ?? notFound;
    runSoon({ exchange, run: () => handler(request) });
  }

  /** At the end of this turn of the event loop. */
  function runSoon(one: Pending): void {
    if (pending.length === 0) setImmediate(runPending);
    pending.push(one);
  }

  function runPending(): void {
    const batch = pending;
    pending = [];
    let answered: { exchange: Exchange; outcome: Outcome }[];
    try {
      answered = runTogether(batch);
    } catch (error) {
      // After an error of the disk, SQLite has ended the transaction by itself.
      console.error(`503: the store: ${String(error)}`);
      for (const { exchange } of batch) exchange.send(UNAVAILABLE);
      return;
    }
    // The replies leave together, so that their clients send the next requests together, which
    // then share a transaction too.
    for (const { exchange, outcome } of answered) dispatch(exchange, outcome);
    if (!lockTimer) recordJobs();
  }

  function dispatch(exchange: Exchange, outcome: Outcome): void {
    if (typeof outcome === 'function') {
      jobs.push({ exchange, record: outcome, deadline: performance.now() + LOCK_TIMEOUT });
    } else if ('maxBytes' in outcome) {
      readAndRun(exchange, outcome);
    } else {
      exchange.send(outcome);
    }
  }

  async function readAndRun(exchange: Exchange, { maxBytes, next }: BodyReading): Promise<void> {
    const read = await readBody(exchange.incoming, maxBytes);
    if (read === 'gone') return;
    if ('refused' in read) exchange.send(read.refused);
    else runSoon({ exchange, run: () => next(read.body) });
  }

  function recordJobs(): void {
    const batch = jobs;
    jobs = [];
    if (batch.length > 0) record(batch);
  }

  function record(batch: readonly Job[]): void {
    let recorded: { exchange: Exchange; reply: Reply }[];
    try {
      recorded = recordTogether.immediate(batch);
    } catch (error) {
      recover(batch, error);
      return;
    }
    for (const { exchange, reply } of recorded) exchange.send(reply);
  }

  /** Nothing of the batch was written. */
  function recover(batch: readonly Job[], error: unknown): void {
    if (isLocked(error)) {
      waitForLock(batch, error);
    } else if (isUnavailable(error) || batch.length === 1) {
      for (const { exchange } of batch) refuse(exchange, error);
    } else {
      // One of them has a bug. Alone, it harms no other.
      for (const job of batch) record([job]);
    }
  }

  function waitForLock(batch: readonly Job[], error: unknown): void {
    const now = performance.now();
    for (const job of batch) {
      if (job.deadline > now) jobs.push(job);
      else refuse(job.exchange, error);
    }
    if (jobs.length > 0) lockTimer ??= setTimeout(tryAgain, LOCK_PAUSE);
  }

  function tryAgain(): void {
    lockTimer = undefined;
    recordJobs();
  }

  return take;
}

function runOne({ exchange, run }: Pending): Outcome {
  try {
    return run();
  } catch (error) {
    return replyToError(error, exchange.request);
  }
}

function refuse({ request, send }: Exchange, error: unknown): void {
  send(replyToError(error, request));
}

function replyToError(error: unknown, { method, path }: Request): Reply {
  if (isUnavailable(error)) {
    console.error(`503 ${method} ${path}: the store: ${String(error)}`);
    return UNAVAILABLE;
  }
  console.error(error);
  return INTERNAL;
}
