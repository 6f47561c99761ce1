/**
 * Answers requests in turns: those that have arrived when a turn of the event loop ends share the
 * transactions of the store. First one that reads, and the replies of it leave. Who records goes on
 * to one that writes, and these replies leave after its commit, so that what is said is on disk.
 * While another program holds the lock of the store, only who records waits for it.
 */
import type { IncomingMessage } from 'node:http';
import { readBody } from './body.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';
import type { BodyStep, Route } from './router.ts';

/** In ms: how long a request waits for the lock, and how often it asks. */
const LOCK_TIMEOUT = 5000;
const LOCK_PAUSE = 20;

/** A request on its way to its reply. */
export type Exchange = {
  readonly route: Route;
  readonly incoming: IncomingMessage;
  readonly send: (reply: Reply) => void;
  request: Request;
  /** The body that is still to be read. */
  body: BodyStep | undefined;
  reply: Reply | undefined;
  /** When it found the store locked, by `performance.now()`. */
  lockedSince: number | undefined;
};

/** What a turn needs of the store; `lib/store/transactions.ts` says what each promises. */
export type Transactions = {
  readonly read: (job: () => void) => void;
  readonly record: (jobs: readonly RecordingJob[]) => readonly Reply[] | 'locked';
};

type RecordingJob = {
  readonly run: () => Reply;
  readonly failed: (error: unknown) => Reply;
};

/** Makes a reply of an error: of one step, or of a whole transaction. */
export type OnError = (error: unknown, request: Request) => Reply;

/** The store was locked for too long. */
export class LockTimeout extends Error {}

/** @returns a function that takes a request, and answers it in the next turn, or a later one */
export function createTurns(
  transactions: Transactions,
  onError: OnError,
): (exchange: Exchange) => void {
  let arrived: Exchange[] = [];
  let recording: Exchange[] = [];
  let isWaitingForLock = false;

  function arrive(exchange: Exchange): void {
    arrived.push(exchange);
    if (arrived.length === 1) setImmediate(takeTurn);
  }

  function takeTurn(): void {
    const turn = arrived;
    arrived = [];
    readTogether(turn);
    for (const exchange of turn) {
      if (exchange.reply) exchange.send(exchange.reply);
      else if (exchange.body) addBody(exchange, exchange.body);
      else recording.push(exchange);
    }
    if (recording.length > 0 && !isWaitingForLock) recordTogether();
  }

  function readTogether(turn: readonly Exchange[]): void {
    try {
      transactions.read(() => {
        for (const exchange of turn) exchange.reply = readStep(exchange);
      });
    } catch (error) {
      for (const exchange of turn) exchange.reply = onError(error, exchange.request);
    }
  }

  function readStep({ route, request, body }: Exchange): Reply | undefined {
    try {
      const step = body ? body.admit : route.read;
      return step?.(request);
    } catch (error) {
      return onError(error, request);
    }
  }

  /** A body comes in its own time; then the request joins the turn of that moment. */
  async function addBody(exchange: Exchange, { maxBytes }: BodyStep): Promise<void> {
    const read = await readBody(exchange.incoming, maxBytes);
    if (read === undefined) return;
    if ('refused' in read) return exchange.send(read.refused);
    exchange.request = { ...exchange.request, body: read.body };
    exchange.body = undefined;
    arrive(exchange);
  }

  /** All that record, in order of arrival, also those who have waited for the lock. */
  function recordTogether(): void {
    const turn = recording;
    recording = [];
    isWaitingForLock = false;
    const replies = recordAll(turn);
    if (replies === 'locked') waitForLock(turn);
    else for (const [i, reply] of replies.entries()) turn[i]?.send(reply);
  }

  function recordAll(turn: readonly Exchange[]): readonly Reply[] | 'locked' {
    try {
      return transactions.record(turn.map(toJob));
    } catch (error) {
      return turn.map(({ request }) => onError(error, request));
    }
  }

  function toJob({ route, request }: Exchange): RecordingJob {
    return {
      run() {
        const reply = route.record?.(request);
        if (reply === undefined) throw new Error(`nothing replied to ${request.path}`);
        return reply;
      },
      failed: (error) => onError(error, request),
    };
  }

  function waitForLock(turn: readonly Exchange[]): void {
    const now = performance.now();
    for (const exchange of turn) {
      exchange.lockedSince ??= now;
      if (now - exchange.lockedSince < LOCK_TIMEOUT) recording.push(exchange);
      else exchange.send(onError(new LockTimeout(), exchange.request));
    }
    isWaitingForLock = recording.length > 0;
    if (isWaitingForLock) setTimeout(recordTogether, LOCK_PAUSE);
  }

  return arrive;
}
