/**
 * Group commit. The requests that arrive in one turn of the event loop share a transaction that
 * reads, and then one that records. A reply that confirms something is sent after the commit, so
 * that it is on disk. While another program locks the store, only requests that record wait.
 */
import { readBody } from './http/body.ts';
import { errorReply, type Reply } from './http/reply.ts';
import type { Request } from './http/request.ts';
import { type BodyStep, findRoute, type Handler, type Route, type Routes } from './http/router.ts';
import type { Exchange } from './http/server.ts';
import { isLocked, isUnavailable } from './store/sqlite.ts';
import type { Job, Transactions } from './store/transactions.ts';

/** In ms: how long a request waits for a lock, and how often it tries again. */
const LOCK_TIMEOUT = 5000;
const LOCK_PAUSE = 20;

const UNAVAILABLE = errorReply(503, 'unavailable');
const INTERNAL = errorReply(500, 'internal');

/** A request that has arrived, without its body or with it. */
type Arrival = {
  readonly exchange: Exchange;
  readonly route: Route;
  readonly request: Request;
  /** The body that still has to be read. */
  readonly body: BodyStep | undefined;
};

/** A request that has passed the check of its route, and may write. */
type Recording = {
  readonly exchange: Exchange;
  readonly request: Request;
  readonly record: Handler;
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
  let recordings: Recording[] = [];
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
    const replies = readTogether(turn);
    for (const [i, arrival] of turn.entries()) {
      const reply = replies[i];
      if (reply) arrival.exchange.send(reply);
      else goOn(arrival);
    }
    if (recordings.length > 0 && !isWaiting) recordTogether();
  }

  function goOn(arrival: Arrival): void {
    const { exchange, route, request, body } = arrival;
    if (body) addBody(arrival, body);
    else if ('record' in route)
      recordings.push({ exchange, request, record: route.record, lockedSince: undefined });
  }

  /** A request that goes on, to its body or to a transaction that writes, has no reply yet. */
  function readTogether(turn: readonly Arrival[]): readonly (Reply | undefined)[] {
    try {
      const replies: (Reply | undefined)[] = [];
      transactions.read(() => {
        for (const arrival of turn) replies.push(readOne(arrival));
      });
      return replies;
    } catch (error) {
      return turn.map(({ request }) => replyToError(error, request));
    }
  }

  function readOne({ route, request, body }: Arrival): Reply | undefined {
    try {
      if (body) return body.admit(request);
      return 'read' in route ? route.read(request) : route.check(request);
    } catch (error) {
      return replyToError(error, request);
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

  /** In order of arrival: the requests that have waited for a lock come first. */
  function recordTogether(): void {
    const turn = recordings;
    recordings = [];
    isWaiting = false;
    let replies: readonly Reply[];
    try {
      replies = transactions.record(turn.map(toJob));
    } catch (error) {
      if (isLocked(error)) {
        wait(turn, error);
        return;
      }
      replies = turn.map(({ request }) => replyToError(error, request));
    }
    for (const [i, reply] of replies.entries()) turn[i]?.exchange.send(reply);
  }

  function wait(turn: readonly Recording[], error: unknown): void {
    const now = performance.now();
    for (const recording of turn) {
      recording.lockedSince ??= now;
      const isTooLong = now - recording.lockedSince > LOCK_TIMEOUT;
      if (isTooLong) recording.exchange.send(replyToError(error, recording.request));
      else recordings.push(recording);
    }
    isWaiting = recordings.length > 0;
    if (isWaiting) setTimeout(recordTogether, LOCK_PAUSE);
  }

  return take;
}

function toJob({ record, request }: Recording): Job<Reply> {
  return {
    run: () => record(request),
    failed: (error) => replyToError(error, request),
  };
}

function replyToError(error: unknown, { method, path }: Request): Reply {
  if (isUnavailable(error)) {
    console.error(`503 ${method} ${path}: the store: ${String(error)}`);
    return UNAVAILABLE;
  }
  console.error(error);
  return INTERNAL;
}
