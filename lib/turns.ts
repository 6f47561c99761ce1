/**
 * Group commit. Requests that arrive in the same turn of the event loop are answered in one
 * transaction, and their replies leave after its commit: what a reply says is on disk.
 */
import { readBody } from './http/body.ts';
import { errorReply, type Reply } from './http/reply.ts';
import type { Request } from './http/request.ts';
import { findRoute, type Outcome, type Route, type Routes } from './http/router.ts';
import type { Exchange } from './http/server.ts';
import { type Database, isLocked, isUnavailable } from './store/sqlite.ts';

/** In ms: the longest wait for the lock of another program, and the pause between tries. */
const LOCK_TIMEOUT = 5000;
const LOCK_PAUSE = 20;

const UNAVAILABLE = errorReply(503, 'unavailable');
const INTERNAL = errorReply(500, 'internal');

/** A request, its route, and how to reply. */
type Call = {
  readonly exchange: Exchange;
  readonly route: Route;
  /** With its body, once that has been read. */
  readonly request: Request;
  /** When it has waited too long for a lock, by `performance.now()`. */
  readonly deadline: number;
};

/**
 * @param db must not be used by others in this process
 * @param unknown answers an unknown URL
 * @returns a function that takes a request and answers it
 */
export function createTurns(
  db: Database,
  routes: Routes,
  unknown: Route,
): (exchange: Exchange) => void {
  // SQLite must not block the event loop while it waits.
  db.exec('pragma busy_timeout = 0');
  let turn: Call[] = [];
  let writers: Call[] = [];
  /** Runs while another program locks the store. */
  let lockTimer: NodeJS.Timeout | undefined;

  const readTogether = db.transaction((calls: readonly Call[]) => calls.map(read));
  const writeTogether = db.transaction((calls: readonly Call[]) => calls.map(handle));

  function take(exchange: Exchange): void {
    const { request } = exchange;
    add({ exchange, route: findRoute(routes, request) ?? unknown, request, deadline: 0 });
  }

  function add(call: Call): void {
    if (turn.length === 0) setImmediate(endTurn);
    turn.push(call);
  }

  function endTurn(): void {
    const calls = turn;
    turn = [];
    const deadline = performance.now() + LOCK_TIMEOUT;
    const readers = calls.filter((call) => !isWriting(call));
    if (readers.length > 0) readAll(readers);
    for (const call of calls) if (isWriting(call)) writers.push({ ...call, deadline });
    if (!lockTimer) write();
  }

  function readAll(calls: readonly Call[]): void {
    let outcomes: readonly Outcome[];
    try {
      outcomes = readTogether(calls);
    } catch (error) {
      // After an error of the disk, SQLite has ended the transaction by itself.
      console.error(`503: the store: ${String(error)}`);
      outcomes = calls.map(() => UNAVAILABLE);
    }
    finish(calls, outcomes);
  }

  function write(): void {
    lockTimer = undefined;
    const calls = writers;
    writers = [];
    if (calls.length > 0) writeAll(calls);
  }

  function writeAll(calls: readonly Call[]): void {
    let outcomes: readonly Outcome[];
    try {
      // With the lock from the start, nobody else writes between a check and what depends on it.
      outcomes = writeTogether.immediate(calls);
    } catch (error) {
      recover(calls, error);
      return;
    }
    finish(calls, outcomes);
  }

  /** Nothing was written, and nothing was sent. */
  function recover(calls: readonly Call[], error: unknown): void {
    if (isLocked(error)) waitForLock(calls, error);
    else if (isUnavailable(error) || calls.length === 1)
      for (const call of calls) call.exchange.send(replyToError(error, call));
    // One of them has a bug. Alone, it harms no other.
    else for (const call of calls) writeAll([call]);
  }

  function waitForLock(calls: readonly Call[], error: unknown): void {
    const now = performance.now();
    for (const call of calls) {
      if (call.deadline > now) writers.push(call);
      else call.exchange.send(replyToError(error, call));
    }
    if (writers.length > 0) lockTimer ??= setTimeout(write, LOCK_PAUSE);
  }

  /** The replies leave together, so that their clients send the next requests together too. */
  function finish(calls: readonly Call[], outcomes: readonly Outcome[]): void {
    for (const [i, call] of calls.entries()) finishOne(call, outcomes[i] ?? INTERNAL);
  }

  function finishOne(call: Call, outcome: Outcome): void {
    if ('maxBytes' in outcome) readAndAnswer(call, outcome.maxBytes);
    else call.exchange.send(outcome);
  }

  async function readAndAnswer({ exchange, route }: Call, maxBytes: number): Promise<void> {
    const read = await readBody(exchange.incoming, maxBytes);
    if (read === 'gone') return;
    if ('refused' in read) exchange.send(read.refused);
    else add({ exchange, route, request: { ...exchange.request, body: read.body }, deadline: 0 });
  }

  return take;
}

const handle = ({ route, request }: Call): Outcome => route.handler(request);

/** A bug in one harms no other: nothing is written here. */
function read(call: Call): Outcome {
  try {
    return handle(call);
  } catch (error) {
    return replyToError(error, call);
  }
}

/** A route with a body writes when that has been read. Before, it must look like an unknown URL. */
function isWriting({ route, request }: Call): boolean {
  return (
    route.writes === 'at once' || (route.writes === 'with its body' && request.body !== undefined)
  );
}

function replyToError(error: unknown, { request }: Call): Reply {
  if (!isUnavailable(error)) {
    console.error(error);
    return INTERNAL;
  }
  console.error(`503 ${request.method} ${request.path}: the store: ${String(error)}`);
  return UNAVAILABLE;
}
