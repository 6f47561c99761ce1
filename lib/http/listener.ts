/**
 * Connects a handler to node:http: makes request values, answers a connection's requests in order,
 * writes the replies, and stops. `lib/http` knows HTTP. It knows no invite, session or URL.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import net from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CutReply, isWholeBody, type Reply, StaleReply } from './reply.ts';
import type { Handler, Request } from './request.ts';

type Connection = {
  /** Resolves when all requests that came before are answered. */
  answered: Promise<void>;
  /** How many requests have no answer yet. */
  waiting: number;
  /** The response to the current request, or to the last one. */
  response?: ServerResponse;
};

const POLICY = 'Content-Security-Policy';

/**
 * The most requests of a connection that wait for their replies. A client could send them faster
 * than they are answered, and fill the memory. Proxies send one at a time.
 */
const MAX_WAITING = 100;

/** A reply that waits, because all replies of one turn are written together. */
type ReadyReply = { readonly response: ServerResponse; readonly reply: Reply };

/**
 * How long idle connections stay open at a stop, in ms. The proxies of deploy/ close theirs after
 * 100 ms.
 */
const LINGER = 250;

/** How often a stop closes idle connections, in ms. */
const CLOSE_INTERVAL = 20;

/** How long a stop waits for streamed replies, in ms. */
const STREAM_TIMEOUT = 5000;

/**
 * Answers the requests that a server receives. A request that node:http refuses gets the reply of
 * node:http, without the headers of this service.
 *
 * @param server not listening yet
 * @param handler answers every request; it must not throw
 * @param general headers of every reply, names and values in turn
 * @returns a function that stops accepting, answers the requests in progress within the server's
 *   request timeout, then calls `done`
 */
export function answerRequests(
  server: Server,
  handler: Handler,
  general: readonly string[],
): (done: () => void) => void {
  const connections = new Map<net.Socket, Connection>();
  const ready: ReadyReply[] = [];
  /** Resolves after the replies that are ready are written. Without such replies, `undefined`. */
  let nextWrite: Promise<void> | undefined;
  const generalWithoutPolicy = withoutHeader(general, POLICY);

  server.on('connection', (socket) => {
    connections.set(socket, { answered: Promise.resolve(), waiting: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    const connection = connections.get(socket);
    // node:http parses the rest of a packet, even if the socket was destroyed.
    if (!connection || socket.destroyed) return;
    if (connection.waiting === MAX_WAITING) {
      socket.destroy();
      return;
    }
    connection.waiting += 1;
    // A client may send several requests at once. Each waits for the reply to the one before.
    connection.answered = connection.answered.then(() => answer(connection, response));
  });
  return stop;

  async function answer(connection: Connection, response: ServerResponse): Promise<void> {
    const { socket } = response.req;
    if (!socket.destroyed) {
      connection.response = response;
      const reply = await handler(toRequest(response.req));
      // During a stop, a connection closes after its last reply.
      if (!server.listening && connection.waiting === 1) response.setHeader('Connection', 'close');
      if (!socket.destroyed) await write(response, reply);
    }
    connection.waiting -= 1;
  }

  /** Resolves after the reply is written, or has failed. */
  function write(response: ServerResponse, reply: Reply): Promise<void> {
    if (!isWholeBody(reply.body)) return writeNow(response, reply);
    ready.push({ response, reply });
    // Each write is a system call and wakes the proxy, so the replies of one turn are written
    // together.
    if (nextWrite === undefined) nextWrite = writeInNextTurn();
    return nextWrite;
  }

  async function writeInNextTurn(): Promise<void> {
    await nextTurn();
    nextWrite = undefined;
    for (const { response, reply } of ready.splice(0)) void writeNow(response, reply);
  }

  async function writeNow(response: ServerResponse, reply: Reply): Promise<void> {
    try {
      if (isWholeBody(reply.body)) writeWhole(response, reply, reply.body);
      else await writeStream(response, reply, reply.body);
    } catch (error) {
      // A client disconnect is not an error.
      const isDisconnect = (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
      if (!isDisconnect) console.error(error instanceof CutReply ? error.message : error);
      response.req.socket.destroy();
    }
  }

  function writeWhole(response: ServerResponse, reply: Reply, body: string | Uint8Array): void {
    const all = withGeneral(reply.headers);
    if (reply.status !== 304) all.push('Content-Length', String(Buffer.byteLength(body)));
    response.writeHead(reply.status, all).end(body);
  }

  async function writeStream(response: ServerResponse, reply: Reply, body: Parts): Promise<void> {
    if (response.req.method === 'HEAD') {
      response.writeHead(reply.status, withGeneral(reply.headers)).end();
      return;
    }
    try {
      await writeParts(response, reply, body);
    } catch (error) {
      if (!(error instanceof StaleReply)) throw error;
      // For example, the file was replaced. The handler finds the new one.
      const secondReply = await handler(toRequest(response.req));
      if (isWholeBody(secondReply.body)) writeWhole(response, secondReply, secondReply.body);
      else await writeParts(response, secondReply, secondReply.body);
    }
  }

  /** Reads the first part before it writes the head. @throws {StaleReply} if that part does */
  async function writeParts(response: ServerResponse, reply: Reply, body: Parts): Promise<void> {
    const parts = body[Symbol.asyncIterator]();
    try {
      const first = await parts.next();
      if (response.req.socket.destroyed) return;
      response.writeHead(reply.status, withGeneral(reply.headers));
      await pipeline(allFrom(first, parts), response);
    } finally {
      await parts.return?.();
    }
  }

  /** All headers of a reply. A reply with its own policy does not get the general one. */
  function withGeneral(headers: readonly string[]): string[] {
    const hasOwnPolicy = headers.includes(POLICY);
    return [...(hasOwnPolicy ? generalWithoutPolicy : general), ...headers];
  }

  /**
   * A proxy may send a POST on an idle connection while the server closes it, and must not send it
   * again. So idle connections stay open for a moment, and close after a reply.
   */
  function stop(done: () => void): void {
    const streamsEnd = performance.now() + STREAM_TIMEOUT;

    function closeIdle(): void {
      const isLate = performance.now() > streamsEnd;
      for (const [socket, connection] of connections) {
        const { response } = connection;
        const isStreaming = response?.headersSent && !response.writableEnded;
        if (isIdle(socket, connection) || (isLate && isStreaming)) socket.destroy();
      }
    }
    function closeIdleRepeatedly(): void {
      // setImmediate runs after the event loop has read the requests that have arrived.
      setInterval(() => setImmediate(closeIdle), CLOSE_INTERVAL).unref();
    }
    function stopAccepting(): void {
      // http.Server.close() would close idle connections at once.
      net.Server.prototype.close.call(server, done);
    }

    setTimeout(closeIdleRepeatedly, LINGER).unref();
    setTimeout(() => server.closeAllConnections(), server.requestTimeout).unref();
    // Connections that wait in the kernel would be reset. They are accepted within two turns.
    setImmediate(() => setImmediate(stopAccepting));
  }
}

/**
 * Whether a connection has sent nothing yet, or has got all its replies. node:http also calls a
 * connection idle if its client still reads a reply. Closing it would cut the reply.
 */
function isIdle(socket: net.Socket, { waiting, response }: Connection): boolean {
  if (response === undefined) return socket.bytesRead === 0;
  return waiting === 0 && response.writableFinished;
}

/** @param headers names and values in turn */
function withoutHeader(headers: readonly string[], name: string): readonly string[] {
  const at = headers.indexOf(name);
  if (at < 0) return headers;
  return [...headers.slice(0, at), ...headers.slice(at + 2)];
}

type Parts = AsyncIterable<string | Uint8Array>;

/** All parts: the first one, which is already read, and the others. */
async function* allFrom<Part>(first: IteratorResult<Part>, parts: AsyncIterator<Part>) {
  for (let each = first; !each.done; each = await parts.next()) yield each.value;
}

/**
 * The path and the query of a request's target: `/timeline?view=mobile`, or
 * `http://localhost:3000/timeline?view=mobile`, whose host is ignored (RFC 9112 3.2.2). Every text
 * matches. If it is not a URL, it is a path without a route.
 */
const TARGET = /^(?:https?:\/\/[^/?#]+)?([^?]*)\??(.*)$/is;

function toRequest(incoming: IncomingMessage): Request {
  const { method = '', url = '', headers } = incoming;
  const [, path, query = ''] = TARGET.exec(url) ?? [];
  const peer = incoming.socket.remoteAddress ?? '';
  return { method, path: path || '/', query, headers, peer, body: incoming };
}
