/** The only place that touches a socket: makes requests of what comes, and writes replies. */
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import net, { type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Reply } from './reply.ts';
import { type Request, readRequest } from './request.ts';

/** In ms. The proxy has to close an idle connection first: deploy/Caddyfile does after 2 s. */
const OPTIONS: http.ServerOptions = {
  keepAliveTimeout: 65_000,
  headersTimeout: 10_000,
  requestTimeout: 15_000,
};

/** node:http bounds the bytes of replies that wait on a connection, not the requests. */
const MAX_REQUESTS_PER_SOCKET = 500;

/** How many connections may wait to be accepted: Node's own number. */
const BACKLOG = 511;

/** When a stop begins to close quiet connections, in ms: the proxy has let go of them by then. */
const STOP_LINGER = 2500;
const STOP_TIMEOUT = 10_000;

/** How often a stop looks for connections that became quiet, in ms. */
const STOP_PAUSE = 100;

/** A request, and how to reply to it. */
export type Exchange = {
  readonly request: Request;
  /** Has the body. */
  readonly incoming: IncomingMessage;
  readonly send: (reply: Reply) => void;
};

export type HttpServer = {
  readonly server: Server;
  /** Answers what is in flight, closes every connection, and calls `done`. */
  readonly stop: (done: () => void) => void;
};

/** @param take gets every request, and replies to it at any time */
export function createServer(take: (exchange: Exchange) => void): HttpServer {
  const sockets = new Set<Socket>();
  const unanswered = new Set<ServerResponse>();
  let accepted = 0;
  let isStopping = false;

  const server = http.createServer(OPTIONS, (incoming, response) => {
    unanswered.add(response);
    response.once('close', () => unanswered.delete(response));
    const send = (reply: Reply): void => write(response, reply);
    take({ request: readRequest(incoming), incoming, send });
  });
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET;
  server.on('connection', (socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  function write(response: ServerResponse, { status, headers, body }: Reply): void {
    if (isStopping) response.setHeader('Connection', 'close');
    response.writeHead(status, headers);
    if (typeof body === 'string') response.end(body, 'latin1');
    else if (response.socket) stream(response, body());
    // A reply behind others on its connection opens its file when it is its turn.
    else response.once('socket', () => stream(response, body()));
  }

  function closeQuietConnections(): void {
    const busy = new Set(Array.from(unanswered, ({ req }) => req.socket));
    for (const socket of sockets) if (!busy.has(socket)) socket.destroy();
  }

  /** Node accepts one connection a turn of the event loop, and a close resets those that wait. */
  function closeOnceAllAreAccepted(done: () => void, turns = BACKLOG, former = -1): void {
    if (accepted !== former && turns > 0) {
      setImmediate(() => setImmediate(closeOnceAllAreAccepted, done, turns - 1, accepted));
      return;
    }
    // The method of http.Server would also close connections whose reply is still being flushed.
    net.Server.prototype.close.call(server, done);
  }

  function stop(done: () => void): void {
    isStopping = true;
    closeOnceAllAreAccepted(done);
    setTimeout(() => setInterval(closeQuietConnections, STOP_PAUSE).unref(), STOP_LINGER).unref();
    setTimeout(() => server.closeAllConnections(), STOP_TIMEOUT).unref();
  }

  return { server, stop };
}

async function stream(response: ServerResponse, body: Readable): Promise<void> {
  response.strictContentLength = true;
  try {
    await pipeline(body, response, { end: false });
    response.end();
  } catch {
    // The client has gone, or a file became shorter and the client would wait for the rest.
    response.destroy();
  }
}
