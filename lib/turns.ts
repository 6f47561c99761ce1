/**
 * Group commit. The requests that arrive in one turn of the event loop share a transaction that
 * reads. Most are answered in it. The others have something to record: they share a transaction
 * that writes, and are answered after its commit, so that what a reply says is on disk. While
 * another program locks the store, only they wait.
 */
import { readBody } from './http/body.ts';
import { errorReply, type Reply } from './http/reply.ts';
import type { Request } from './http/request.ts';
import { findRoute, type Handler, type Route, type Routes } from './http/router.ts';
import type { Exchange } from './http/server.ts';
import { type Database, isLocked, isUnavailable } from './store/sqlite.ts';
import { beginReading, endReading, type Job, recordTogether } from './store/transactions.ts';

/** In ms: how long a request waits for a lock, and how often it tries again. */
const LOCK_TIMEOUT = 5000;
const LOCK_PAUSE = 20;

const UNAVAILABLE = errorReply(503, 'unavailable');
const INTERNAL = errorReply(500, 'internal');

/**
 * A reply that leaves at the end of the turn. The replies of a turn leave together, because then the
 * next requests of their clients arrive together too: a server of 64 busy clients takes half the
 * processor time for each.
 */
type Answered = { readonly send: (reply: Reply) => void; readonly reply: Reply };

/** Something to record, and where its reply goes. */
type Recorder = Job<Reply> & {
  readonly send: (reply: Reply) => void;
  /** When it first found the store locked, by `performance.now()`. */
  lockedSince: number | undefined;
};

/**
 * @param db is used by nobody else in this process, and waits for no lock
 * @param notFound answers an unknown URL
 * @returns a function that takes a request and answers it
 */
export function createTurns(
  db: Database,
  routes: Routes,
  notFound: Route,
): (exchange: Exchange) => void {
  let answered: Answered[] = [];
  let recorders: Recorder[] = [];
  let isTurn = false;
  let isWaiting = false;

  function take(exchange: Exchange): void {
    const { request, send } = exchange;
    const { answer, body } = findRoute(routes, request) ?? notFound;
    const refused = body && ask(request, body.admit);
    if (refused) answered.push({ send, reply: refused });
    else if (body) takeBody(exchange, body.maxBytes, answer);
    else takeAnswer(request, send, answer);
  }

  async function takeBody(exchange: Exchange, maxBytes: number, answer: Handler): Promise<void> {
    const { request, incoming, send } = exchange;
    const read = await readBody(incoming, maxBytes);
    if (read === 'gone') return;
    if ('refused' in read) send(read.refused);
    else takeAnswer({ ...request, body: read.body }, send, answer);
  }

  function takeAnswer(request: Request, send: Exchange['send'], answer: Handler): void {
    const reply = ask(request, answer);
    if (typeof reply !== 'function') {
      answered.push({ send, reply });
      return;
    }
    const failed = (error: unknown): Reply => replyToError(error, request);
    recorders.push({ run: reply, failed, send, lockedSince: undefined });
  }

  /** Asks in the transaction of this turn. */
  function ask<Answer>(request: Request, question: (request: Request) => Answer): Answer | Reply {
    try {
      beginTurn();
      return question(request);
    } catch (error) {
      return replyToError(error, request);
    }
  }

  function beginTurn(): void {
    if (isTurn) return;
    isTurn = true;
    setImmediate(endTurn);
    beginReading(db);
  }

  function endTurn(): void {
    isTurn = false;
    endReading(db);
    const turn = answered;
    answered = [];
    for (const { send, reply } of turn) send(reply);
    if (recorders.length > 0 && !isWaiting) record();
  }

  /** In order of arrival: those that have waited for a lock come first. */
  function record(): void {
    // A timer may call this while a turn reads.
    endReading(db);
    const turn = recorders;
    recorders = [];
    isWaiting = false;
    let replies: readonly Reply[];
    try {
      replies = recordTogether(db, turn);
    } catch (error) {
      if (isLocked(error)) {
        wait(turn, error);
        return;
      }
      replies = turn.map(({ failed }) => failed(error));
    }
    for (const [i, reply] of replies.entries()) turn[i]?.send(reply);
  }

  function wait(turn: readonly Recorder[], error: unknown): void {
    const now = performance.now();
    for (const recorder of turn) {
      recorder.lockedSince ??= now;
      if (now - recorder.lockedSince < LOCK_TIMEOUT) recorders.push(recorder);
      else recorder.send(recorder.failed(error));
    }
    isWaiting = recorders.length > 0;
    if (isWaiting) setTimeout(record, LOCK_PAUSE);
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
