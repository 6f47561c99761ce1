/**
 * Connects a handler to node:http: makes request values, and answers a connection's requests in
 * order. `lib/http` knows HTTP: parsing, replies, files, limits. It knows no invite, session or URL.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { withConnectionClose } from './reply.ts';
import { replyWriter } from './reply-writer.ts';
import type { Handler, Request } from './request.ts';

/** Unanswered requests of a connection. Browsers and proxies do not pipeline. */
const MOST_WAITING = 100;

export type Connection = {
  /** Resolves when the requests until now are answered. */
  answered: Promise<void>;
  /** Requests that are not answered. */
  waiting: number;
  /** Of the request that was answered last, or is being answered. */
  response?: ServerResponse;
};

/**
 * Answers what a server receives. What node:http refuses gets its own reply without our headers.
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
): ReadonlyMap<Socket, Connection> {
  const connections = new Map<Socket, Connection>();
  const write = replyWriter(everyReply);

  server.on('connection', (socket) => {
    connections.set(socket, { answered: Promise.resolve(), waiting: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    const connection = connections.get(socket);
    if (!connection) return;
    connection.waiting += 1;
    if (connection.waiting > MOST_WAITING) socket.destroy();
    connection.answered = connection.answered.then(() => answer(connection, response));
  });
  return connections;

  async function answer(connection: Connection, response: ServerResponse): Promise<void> {
    if (!response.req.socket.destroyed) {
      connection.response = response;
      const reply = await handler(toRequest(response.req));
      // A stop closes each connection after its last reply.
      const isLast = !server.listening && connection.waiting === 1;
      await write(response, isLast ? withConnectionClose(reply) : reply);
    }
    connection.waiting -= 1;
  }
}

/** Path and query; the host of an absolute target is ignored (RFC 9112 3.2.2). */
const TARGET = /^(?:https?:\/\/[^/?#]+)?([^?]*)\??(.*)$/is;

function toRequest(incoming: IncomingMessage): Request {
  const { method = '', url = '', headers } = incoming;
  const [, path, query = ''] = TARGET.exec(url) ?? [];
  const peer = incoming.socket.remoteAddress ?? '';
  return { method, path: path || '/', query, headers, peer, body: incoming };
}
