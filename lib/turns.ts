/**
 * A turn is a transaction. The requests that arrive in one turn of the event loop are answered
 * together, in one transaction that reads. Those that have something to record come next, in one
 * that writes, and are answered after its commit: what a reply says is on disk. While another
 * program locks the store, only they wait.
 */
import { readBody } from './http/body.ts';
import { errorReply, type Reply } from './http/reply.ts';
import type { Request } from './http/request.ts';
import {
  type Answer,
  type BodyReading,
  findHandler,
  type Handler,
  type Recording,
  type Routes,
} from './http/router.ts';
import type { Exchange } from './http/server.ts';
import { type Database, isLocked, isUnavailable } from './store/sqlite.ts';

/** In ms: how long a request waits for a lock, and how often it tries again. */
const LOCK_TIMEOUT = 5000;
const LOCK_PAUSE = 20;

const UNAVAILABLE = errorReply(503, 'unavailable');
const INTERNAL = errorReply(500, 'internal');

/** Something to ask in the next turn: a handler, or what follows when a body is read. */
type Question = {
  readonly exchange: Exchange;
  readonly ask: () => Answer;
};

/** Something to record. */
type Job = {
  readonly exchange: Exchange;
  readonly record: Recording;
  /** When it has waited too long for a lock, by `performance.now()`. */
  readonly deadline: number;
};

/**
 * @param db is used by nobody else in this process, and waits for no lock
 * @param notFound answers an unknown URL
 * @returns a function that takes a request and answers it
 */
export function createTurns(
  db: Database,
  routes: Routes,
  notFound: Handler,
): (exchange: Exchange) => void {
  let questions: Question[] = [];
  let jobs: Job[] = [];
  let isWaiting = false;

  const answerTogether = db.transaction((turn: readonly Question[]) =>
    turn.map((question) => ({ exchange: question.exchange, answer: answerOne(question) })),
  );

  const recordTogether = db.transaction((turn: readonly Job[]) =>
    turn.map(({ exchange, record }) => ({ exchange, reply: record() })),
  );

  function take(exchange: Exchange): void {
    const { request } = exchange;
    const handler = findHandler(routes, request) ?? notFound;
    askSoon({ exchange, ask: () => handler(request) });
  }

  function askSoon(question: Question): void {
    if (questions.length === 0) setImmediate(answerTurn);
    questions.push(question);
  }

  function answerTurn(): void {
    const turn = questions;
    questions = [];
    for (const { exchange, answer } of answerTogether(turn)) settle(exchange, answer);
    if (!isWaiting) recordJobs();
  }

  /** The replies of a turn leave together: so the next requests arrive together too. */
  function settle(exchange: Exchange, answer: Answer): void {
    if (typeof answer === 'function') jobs.push(jobOf(exchange, answer));
    else if ('maxBytes' in answer) readAndAsk(exchange, answer);
    else exchange.send(answer);
  }

  async function readAndAsk(exchange: Exchange, { maxBytes, answer }: BodyReading): Promise<void> {
    const read = await readBody(exchange.incoming, maxBytes);
    if (read === 'gone') return;
    if ('refused' in read) exchange.send(read.refused);
    else askSoon({ exchange, ask: () => answer(read.body) });
  }

  function recordJobs(): void {
    const turn = jobs;
    jobs = [];
    isWaiting = false;
    if (turn.length > 0) record(turn);
  }

  function record(turn: readonly Job[]): void {
    let recorded: readonly { readonly exchange: Exchange; readonly reply: Reply }[];
    try {
      recorded = recordTogether.immediate(turn);
    } catch (error) {
      recover(turn, error);
      return;
    }
    for (const { exchange, reply } of recorded) exchange.send(reply);
  }

  /** Nothing of the turn was written. */
  function recover(turn: readonly Job[], error: unknown): void {
    if (isLocked(error)) waitForLock(turn, error);
    else if (isUnavailable(error) || turn.length === 1) for (const job of turn) refuse(job, error);
    // One of them has a bug. Alone, it harms no other.
    else for (const job of turn) record([job]);
  }

  function waitForLock(turn: readonly Job[], error: unknown): void {
    const now = performance.now();
    for (const job of turn)
      if (job.deadline > now) jobs.push(job);
      else refuse(job, error);
    if (jobs.length > 0 && !isWaiting) setTimeout(recordJobs, LOCK_PAUSE);
    isWaiting = jobs.length > 0;
  }

  return take;
}

function answerOne({ exchange, ask }: Question): Answer {
  try {
    return ask();
  } catch (error) {
    return replyToError(error, exchange.request);
  }
}

function jobOf(exchange: Exchange, record: Recording): Job {
  return { exchange, record, deadline: performance.now() + LOCK_TIMEOUT };
}

function refuse({ exchange }: Job, error: unknown): void {
  exchange.send(replyToError(error, exchange.request));
}

function replyToError(error: unknown, { method, path }: Request): Reply {
  if (isUnavailable(error)) {
    console.error(`503 ${method} ${path}: the store: ${String(error)}`);
    return UNAVAILABLE;
  }
  console.error(error);
  return INTERNAL;
}
