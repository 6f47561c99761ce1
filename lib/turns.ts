/**
 * Group commit. The requests that arrive in one turn of the event loop share a transaction that
 * reads, and then one that records. A reply that confirms something is sent after the commit, so
 * that it is on disk. While another program locks the store, only requests that record wait.
 */
import { readBody } from './http/body.ts';
import { errorReply, type Reply } from './http/reply.ts';
import type { Request } from './http/request.ts';
import {
  type BodyStep,
  findRoute,
  type Recording,
  type Route,
  type Routes,
} from './http/router.ts';
import type { Exchange } from './http/server.ts';
import { isLocked, isUnavailable } from './store/sqlite.ts';
import type { Transactions } from './store/transactions.ts';

/** In ms: how long a request waits for a lock, and how often it tries again. */
const LOCK_TIMEOUT = 5000;
const LOCK_PAUSE = 20;

const UNAVAILABLE = errorReply(503, 'unavailable');
const INTERNAL = errorReply(500, 'internal');

/** A request that has arrived, with its body or without. */
type Arrival = {
  readonly exchange: Exchange;
  readonly route: Route;
  readonly request: Request;
  /** The body that still has to be read. */
  readonly body: BodyStep | undefined;
};

/** What a request has to record before its reply. */
type Job = {
  readonly exchange: Exchange;
  readonly run: Recording;
  /** Makes the reply if it could not be recorded. */
  readonly failed: (error: unknown) => Reply;
  /** When it first found the store locked, by `performance.now()`. */
  lockedSince: number | undefined;
};

/**
 * @param notFound answers an unknown URL
 * @returns a function that takes a request and answers it in this turn or a later one
 */
export function createTurns(
  routes: Routes,
  notFound: Route,
  transactions: Transactions<Reply>,
): (exchange: Exchange) => void {
  let arrivals: Arrival[] = [];
  let jobs: Job[] = [];
  let isWaiting = false;

  function take(exchange: Exchange): void {
    const { request } = exchange;
    const route = findRoute(routes, request) ?? notFound;
    arrive({ exchange, route, request, body: route.body });
  }

  function arrive(arrival: Arrival): void {
    arrivals.push(arrival);
    if (arrivals.length === 1) setImmediate(takeTurn);
  }

  function takeTurn(): void {
    const turn = arrivals;
    arrivals = [];
    const answers = readTogether(turn);
    for (const [i, arrival] of turn.entries()) goOn(arrival, answers[i]);
    if (jobs.length > 0 && !isWaiting) recordTogether();
  }

  /** A request whose body may come has no answer yet. */
  function readTogether(turn: readonly Arrival[]): readonly (Reply | Recording | undefined)[] {
    try {
      const answers: (Reply | Recording | undefined)[] = [];
      transactions.read(() => {
        for (const arrival of turn) answers.push(readOne(arrival));
      });
      return answers;
    } catch (error) {
      return turn.map(({ request }) => replyToError(error, request));
    }
  }

  function readOne({ route, request, body }: Arrival): Reply | Recording | undefined {
    try {
      return body ? body.admit(request) : route.answer(request);
    } catch (error) {
      return replyToError(error, request);
    }
  }

  function goOn(arrival: Arrival, answer: Reply | Recording | undefined): void {
    const { exchange, request, body } = arrival;
    if (typeof answer === 'function') {
      const failed = (error: unknown): Reply => replyToError(error, request);
      jobs.push({ exchange, run: answer, failed, lockedSince: undefined });
    } else if (answer) {
      exchange.send(answer);
    } else if (body) {
      addBody(arrival, body);
    }
  }

  /** Once the body has come, the request joins the turn of that moment. */
  async function addBody(arrival: Arrival, { maxBytes }: BodyStep): Promise<void> {
    const { incoming, send } = arrival.exchange;
    const read = await readBody(incoming, maxBytes);
    if (read === 'gone') return;
    if ('refused' in read) return send(read.refused);
    const request = { ...arrival.request, body: read.body };
    arrive({ ...arrival, request, body: undefined });
  }

  /** In order of arrival: those that have waited for a lock come first. */
  function recordTogether(): void {
    const turn = jobs;
    jobs = [];
    isWaiting = false;
    let replies: readonly Reply[];
    try {
      replies = transactions.record(turn);
    } catch (error) {
      if (isLocked(error)) {
        wait(turn, error);
        return;
      }
      replies = turn.map(({ failed }) => failed(error));
    }
    for (const [i, reply] of replies.entries()) turn[i]?.exchange.send(reply);
  }

  function wait(turn: readonly Job[], error: unknown): void {
    const now = performance.now();
    for (const job of turn) {
      job.lockedSince ??= now;
      if (now - job.lockedSince < LOCK_TIMEOUT) jobs.push(job);
      else job.exchange.send(job.failed(error));
    }
    isWaiting = jobs.length > 0;
    if (isWaiting) setTimeout(recordTogether, LOCK_PAUSE);
  }

  return take;
}

function replyToError(error: unknown, { method, path }: Request): Reply {
  if (isUnavailable(error)) {
    console.error(`503 ${method} ${path}: the store: ${String(error)}`);
    return UNAVAILABLE;
  }
  console.error(error);
  return INTERNAL;
}
