/**
 * Connects `http` and `store`, which do not know each other, by group commit. The requests of one
 * turn of the event loop share two transactions: one for those that only read, then one for those
 * that may write. Replies leave after the commit, so what a reply says is on disk.
 */
import { readBody } from './http/body.ts';
import { errorReply, type Reply } from './http/reply.ts';
import type { Request } from './http/request.ts';
import { findRoute, type Outcome, type Route, type Routes } from './http/router.ts';
import type { Exchange, Take } from './http/server.ts';
import { type Database, isLocked, isUnavailable } from './store/sqlite.ts';

/** In ms: the longest wait for the lock of another program, and the pause between tries. */
const LOCK_TIMEOUT = 5000;
const LOCK_PAUSE = 20;

const UNAVAILABLE = errorReply(503, 'unavailable');
const INTERNAL = errorReply(500, 'internal');

/** A request to answer. */
type Call = {
  readonly exchange: Exchange;
  readonly route: Route;
  /** When it has waited too long for a lock, by `performance.now()`. */
  readonly deadline: number;
};

type Answer = { readonly call: Call; readonly outcome: Outcome };

/**
 * @param db must not be used by others in this process
 * @param unknown answers an unknown URL
 */
export function createTurns(db: Database, routes: Routes, unknown: Route): Take {
  // SQLite must not block the event loop while it waits.
  db.exec('pragma busy_timeout = 0');
  let readers: Call[] = [];
  /** Also those that wait for a lock. */
  let writers: Call[] = [];
  let turn: NodeJS.Immediate | undefined;
  let lockTimer: NodeJS.Timeout | undefined;

  const readTogether = db.transaction((calls: readonly Call[]) => calls.map(answerSafely));
  const writeTogether = db.transaction((calls: readonly Call[]) => calls.map(answer));

  function take(exchange: Exchange): void {
    add(exchange, findRoute(routes, exchange.request) ?? unknown);
  }

  function add(exchange: Exchange, route: Route): void {
    const call = { exchange, route, deadline: performance.now() + LOCK_TIMEOUT };
    if (mayWrite(call)) writers.push(call);
    else readers.push(call);
    if (!turn) turn = setImmediate(endTurn);
  }

  function endTurn(): void {
    turn = undefined;
    if (readers.length > 0) answerReaders();
    if (writers.length > 0 && !lockTimer) answerWriters();
  }

  function answerReaders(): void {
    const calls = readers;
    readers = [];
    let answers: readonly Answer[];
    try {
      answers = readTogether(calls);
    } catch (error) {
      // After an error of the disk, SQLite has ended the transaction by itself.
      console.error(`503: the store: ${String(error)}`);
      for (const { exchange } of calls) exchange.send(UNAVAILABLE);
      return;
    }
    finish(answers);
  }

  function answerWriters(): void {
    lockTimer = undefined;
    const calls = writers;
    writers = [];
    writeAll(calls);
  }

  function writeAll(calls: readonly Call[]): void {
    let answers: readonly Answer[];
    try {
      // With the lock from the start, nobody else writes between a check and what depends on it.
      answers = writeTogether.immediate(calls);
    } catch (error) {
      recover(calls, error);
      return;
    }
    finish(answers);
  }

  /** Nothing was written, and nothing was sent. */
  function recover(calls: readonly Call[], error: unknown): void {
    if (isLocked(error)) waitForLock(calls, error);
    else if (isUnavailable(error) || calls.length === 1) refuse(calls, error);
    // One of them has a bug, so each is tried alone, where it harms no other.
    else for (const call of calls) writeAll([call]);
  }

  function waitForLock(calls: readonly Call[], error: unknown): void {
    const now = performance.now();
    for (const call of calls) {
      if (call.deadline > now) writers.push(call);
      else refuse([call], error);
    }
    if (writers.length > 0) lockTimer ??= setTimeout(answerWriters, LOCK_PAUSE);
  }

  /** Sends the replies, and reads the bodies that are wanted. */
  function finish(answers: readonly Answer[]): void {
    for (const { call, outcome } of answers) {
      const { request, send } = call.exchange;
      if (!('maxBytes' in outcome)) send(outcome);
      // The guards have let it through again, so its client may know why the body is refused.
      else if (request.bodyRefusal) send(request.bodyRefusal);
      else readBodyOf(call, outcome.maxBytes);
    }
  }

  async function readBodyOf({ exchange, route }: Call, maxBytes: number): Promise<void> {
    const result = await readBody(exchange.incoming, maxBytes);
    if (result === 'gone') return;
    add({ ...exchange, request: { ...exchange.request, ...result } }, route);
  }

  return take;
}

/** Until its body is read, a route must take as long as an unknown URL, so it only reads. */
function mayWrite({ route, exchange }: Call): boolean {
  if (route.writes === 'with its body') return exchange.request.body !== undefined;
  return route.writes === 'at once';
}

function answer(call: Call): Answer {
  return { call, outcome: call.route.handler(call.exchange.request) };
}

/** For requests that write nothing: a bug in one harms no other. */
function answerSafely(call: Call): Answer {
  try {
    return answer(call);
  } catch (error) {
    return { call, outcome: replyToError(error, call.exchange.request) };
  }
}

function refuse(calls: readonly Call[], error: unknown): void {
  for (const { exchange } of calls) exchange.send(replyToError(error, exchange.request));
}

function replyToError(error: unknown, { method, path }: Request): Reply {
  if (isUnavailable(error)) {
    console.error(`503 ${method} ${path}: the store: ${String(error)}`);
    return UNAVAILABLE;
  }
  console.error(error);
  return INTERNAL;
}
