/**
 * Connects a handler to node:http: makes request values, and keeps the order of a connection.
 * `lib/http` knows HTTP: parsing, replies, files, limits. It knows no invite, session or URL.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { isWholeBody, NOT_FOUND, type Reply, statusOnly, withConnectionClose } from './reply.ts';
import { replyWriter } from './reply-writer.ts';
import type { Handler, Request } from './request.ts';

/** Requests that may wait behind a streamed reply. Browsers and proxies do not pipeline. */
const MOST_WAITING = 16;

/** A connection. Its requests are answered in order, each after the reply before it. */
type Connection = {
  readonly socket: IncomingMessage['socket'];
  /** The request in progress, and those behind it. */
  readonly queue: ServerResponse[];
  /** The streamed reply in progress. */
  streamed?: Reply | undefined;
  /** The response to the latest request. */
  latest?: ServerResponse;
};

/**
 * Answers what a server receives.
 *
 * @param server not listening yet
 * @param handler answers every request; it must not throw
 * @param everyReply headers of every reply, names and values in turn
 * @returns the open connections
 */
export function answerRequests(
  server: Server,
  handler: Handler,
  everyReply: readonly string[],
): ReadonlyMap<Duplex, Connection> {
  const connections = new Map<Duplex, Connection>();
  const { write, writeSoon, end } = replyWriter(everyReply);

  server.on('connection', (socket) => {
    const queue: ServerResponse[] = [];
    connections.set(socket, { socket, queue });
    // node:http resumes the socket after each reply.
    socket.on('resume', () => queue.length > 1 && socket.pause());
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', receive);
  // A server may ignore an unknown Expect header (RFC 9110 10.1.1).
  server.on('checkExpectation', receive);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const connection = connections.get(socket);
    if (!socket.writable || error.code === 'ECONNRESET') socket.destroy();
    // After the replies of this turn. A connection that is deleted already has its last reply.
    else if (connection)
      setImmediate(refuse, connection, statusOnly(REFUSALS[error.code ?? ''] ?? 400));
  });
  server.on('connect', (incoming, socket) => {
    const connection = connections.get(socket);
    // node:http has detached its own listeners.
    socket.on('error', () => undefined).on('timeout', () => socket.destroy());
    if (connection) refuse(connection, hasOneHost(incoming) ? NOT_FOUND : statusOnly(400));
  });
  return connections;

  function receive(incoming: IncomingMessage, response: ServerResponse): void {
    const connection = connections.get(incoming.socket);
    if (!connection) return;
    connection.latest = response;
    if (connection.queue.push(response) === 1) answerQueue(connection);
    else {
      // node:http still parses the rest of this packet.
      connection.socket.pause();
      closeIfCrowded(connection);
    }
  }

  function answerQueue(connection: Connection): void {
    const { socket, queue } = connection;
    for (; queue[0] && !socket.destroyed; queue.shift()) {
      const [response] = queue;
      if (!hasOneHost(response.req)) {
        // Ignore the requests behind it (RFC 9112 9.6).
        connections.delete(socket);
        writeSoon(response, withConnectionClose(statusOnly(400)));
        return;
      }
      const reply = handler(toRequest(response.req));
      if (reply instanceof Promise || !isWholeBody(reply.body)) {
        void answerLater(connection, response, reply);
        return;
      }
      writeSoon(response, reply);
    }
  }

  async function answerLater(
    connection: Connection,
    response: ServerResponse,
    unsettled: Reply | Promise<Reply>,
  ): Promise<void> {
    const { socket, queue } = connection;
    const reply = await unsettled;
    if (!isWholeBody(reply.body)) connection.streamed = reply;
    closeIfCrowded(connection);
    await write(response, reply);
    connection.streamed = undefined;
    queue.shift();
    answerQueue(connection);
    if (queue.length < 2) socket.resume();
  }

  /** Answers CONNECT or invalid bytes after the requests before them, and closes the connection. */
  function refuse({ socket, latest }: Connection, reply: Reply): void {
    const last = withConnectionClose(reply);
    if (latest && !latest.headersSent && !latest.req.complete) void write(latest, last);
    else if (latest && !latest.writableFinished) latest.once('finish', () => end(socket, last));
    else end(socket, last);
  }
}

function closeIfCrowded({ socket, streamed, queue }: Connection): void {
  if (streamed && queue.length > 1 + MOST_WAITING) socket.destroy();
}

/** Status by the code of a parser error. */
const REFUSALS: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Whether a request has one Host header; HTTP/1.0 needs none. Others get 400 (RFC 9112 3.2). The
 * 400 of node:http would lack the headers of every reply.
 */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') hosts += 1;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

/** Path and query; the host of an absolute target is ignored (RFC 9112 3.2.2). */
const TARGET = /^(?:https?:\/\/[^/?#]+)?([^?]*)\??(.*)$/is;

function toRequest(incoming: IncomingMessage): Request {
  const { method = '', url = '', headers } = incoming;
  const [, path, query = ''] = TARGET.exec(url) ?? [];
  const peer = incoming.socket.remoteAddress ?? '';
  return { method, path: path || '/', query, headers, peer, body: incoming };
}
