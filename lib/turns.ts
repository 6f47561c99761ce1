/**
 * Answers requests in turns: those that have arrived when a turn of the event loop ends share the
 * transactions of the store. First one that reads, and the replies of it leave. Who records goes on
 * to one that writes, and these replies leave after its commit, so that what is said is on disk.
 * While another program holds the lock of the store, only who records waits for it.
 */
import { readBody } from './http/body.ts';
import type { Reply } from './http/reply.ts';
import type { Request } from './http/request.ts';
import { type BodyStep, findRoute, type Route, type Routes } from './http/router.ts';
import type { Exchange } from './http/server.ts';
import type { Job, Transactions } from './store/transactions.ts';

/** In ms: how long a request waits for the lock, and how often it asks. */
const LOCK_TIMEOUT = 5000;
const LOCK_PAUSE = 20;

/** A request on its way to its reply. */
type Pending = {
  readonly exchange: Exchange;
  readonly route: Route;
  request: Request;
  /** The body that is still to be read. */
  body: BodyStep | undefined;
  /** What the transaction that reads has found. */
  reply: Reply | undefined;
  /** When it found the store locked, by `performance.now()`. */
  lockedSince: number | undefined;
};

/** Makes a reply of an error: of one step, or of a whole transaction. */
export type OnError = (error: unknown, request: Request) => Reply;

/** The store was locked for too long. */
export class LockTimeout extends Error {}

/**
 * @param notFound answers an unknown URL
 * @returns a function that takes a request, and answers it in the next turn, or in a later one
 */
export function createTurns(
  routes: Routes,
  notFound: Route,
  transactions: Transactions<Reply>,
  onError: OnError,
): (exchange: Exchange) => void {
  let arrived: Pending[] = [];
  let recording: Pending[] = [];
  let isWaitingForLock = false;

  function take(exchange: Exchange): void {
    const { request } = exchange;
    const route = findRoute(routes, request) ?? notFound;
    const { body } = route;
    arrive({ exchange, route, request, body, reply: undefined, lockedSince: undefined });
  }

  function arrive(pending: Pending): void {
    arrived.push(pending);
    if (arrived.length === 1) setImmediate(takeTurn);
  }

  function takeTurn(): void {
    const turn = arrived;
    arrived = [];
    readTogether(turn);
    for (const pending of turn) {
      if (pending.reply) pending.exchange.send(pending.reply);
      else if (pending.body) addBody(pending, pending.body);
      else recording.push(pending);
    }
    if (recording.length > 0 && !isWaitingForLock) recordTogether();
  }

  function readTogether(turn: readonly Pending[]): void {
    try {
      transactions.read(() => {
        for (const pending of turn) pending.reply = readStep(pending);
      });
    } catch (error) {
      for (const pending of turn) pending.reply = onError(error, pending.request);
    }
  }

  function readStep({ route, request, body }: Pending): Reply | undefined {
    try {
      const step = body ? body.admit : route.read;
      return step?.(request);
    } catch (error) {
      return onError(error, request);
    }
  }

  /** A body comes in its own time; then the request joins the turn of that moment. */
  async function addBody(pending: Pending, { maxBytes }: BodyStep): Promise<void> {
    const { incoming, send } = pending.exchange;
    const read = await readBody(incoming, maxBytes);
    if (read === undefined) return;
    if ('refused' in read) return send(read.refused);
    pending.request = { ...pending.request, body: read.body };
    pending.body = undefined;
    arrive(pending);
  }

  /** All that record, in order of arrival, also those who have waited for the lock. */
  function recordTogether(): void {
    const turn = recording;
    recording = [];
    isWaitingForLock = false;
    const replies = recordAll(turn);
    if (replies === 'locked') waitForLock(turn);
    else for (const [i, reply] of replies.entries()) turn[i]?.exchange.send(reply);
  }

  function recordAll(turn: readonly Pending[]): readonly Reply[] | 'locked' {
    try {
      return transactions.record(turn.map(toJob));
    } catch (error) {
      return turn.map(({ request }) => onError(error, request));
    }
  }

  function toJob({ route, request }: Pending): Job<Reply> {
    return {
      run() {
        const reply = route.record?.(request);
        if (reply === undefined) throw new Error(`nothing replied to ${request.path}`);
        return reply;
      },
      failed: (error) => onError(error, request),
    };
  }

  function waitForLock(turn: readonly Pending[]): void {
    const now = performance.now();
    for (const pending of turn) {
      const { exchange, request } = pending;
      pending.lockedSince ??= now;
      if (now - pending.lockedSince < LOCK_TIMEOUT) recording.push(pending);
      else exchange.send(onError(new LockTimeout('it is locked'), request));
    }
    isWaitingForLock = recording.length > 0;
    if (isWaitingForLock) setTimeout(recordTogether, LOCK_PAUSE);
  }

  return take;
}
