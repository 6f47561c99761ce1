/** Turns the messages of node:http into requests, and writes replies. */
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import net, { type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import timers from 'node:timers/promises';
import type { Reply } from './reply.ts';
import { type Request, readRequest } from './request.ts';

/** In ms. The proxy has to close an idle connection first: deploy/Caddyfile does after 2 s. */
const OPTIONS: http.ServerOptions = {
  keepAliveTimeout: 65_000,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5000,
};

/** Node limits the bytes of replies that wait on a connection, but not pipelined requests. */
const MAX_REQUESTS_PER_SOCKET = 500;

/** In ms: the longest wait of a stop for a moment without a new connection. */
const STOP_ACCEPTING = 1000;

/** In ms: a stop leaves idle connections open for this time, so that the proxy closes them first. */
const STOP_LINGER = 2500;

/** In ms: how often a stop looks whether connections are new, or have become quiet. */
const STOP_PAUSE = 50;

/** In ms: when a stop closes all connections. */
const STOP_TIMEOUT = 10_000;

/** A request, and how to reply to it. */
export type Exchange = {
  readonly request: Request;
  /** The raw message; its body is not read yet. */
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
  /** Of each open connection, the reply to its latest request. */
  const latestReplies = new Map<Socket, ServerResponse | undefined>();
  let accepted = 0;
  let isPortClosed = false;

  const server = http.createServer(OPTIONS, (incoming, response) => {
    latestReplies.set(incoming.socket, response);
    const send = (reply: Reply): void => write(response, reply);
    take({ request: readRequest(incoming), incoming, send });
  });
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET;
  server.on('connection', (socket) => {
    accepted += 1;
    latestReplies.set(socket, undefined);
    socket.once('close', () => latestReplies.delete(socket));
  });

  function write(response: ServerResponse, { status, headers, body }: Reply): void {
    // The replies to earlier requests must not close the connection before the latest.
    const isLatest = latestReplies.get(response.req.socket) === response;
    if (isPortClosed && isLatest) response.setHeader('Connection', 'close');
    response.writeHead(status, [...headers]);
    if (typeof body !== 'function') response.end(body);
    else if (response.socket) stream(response, body());
    // A reply behind others on its connection opens its file when its turn comes.
    else response.once('socket', () => stream(response, body()));
  }

  function stop(done: () => void): void {
    closePort(done);
    const end = (): void => {
      server.closeAllConnections();
      done();
    };
    setTimeout(end, STOP_TIMEOUT).unref();
  }

  /**
   * Closing the port resets the connections that wait to be accepted, so it is closed when none has
   * come for a moment. Until then, no reply closes its connection, because the proxy would open
   * another one.
   */
  async function closePort(done: () => void): Promise<void> {
    const latest = performance.now() + STOP_ACCEPTING;
    let before: number;
    do {
      before = accepted;
      await timers.setTimeout(STOP_PAUSE);
      // Runs right after new connections are accepted.
      await timers.setImmediate();
    } while (accepted > before && performance.now() < latest);
    isPortClosed = true;
    // The method of http.Server would also close connections whose reply is still being flushed.
    net.Server.prototype.close.call(server, done);
    await timers.setTimeout(STOP_LINGER, undefined, { ref: false });
    setInterval(closeQuietConnections, STOP_PAUSE).unref();
  }

  function closeQuietConnections(): void {
    for (const [socket, latest] of latestReplies)
      if (latest === undefined || latest.writableFinished) socket.destroy();
  }

  return { server, stop };
}

async function stream(response: ServerResponse, body: Readable): Promise<void> {
  response.strictContentLength = true;
  try {
    await pipeline(body, response, { end: false });
    response.end();
  } catch {
    // The client went away, or the file became shorter, and the client would wait for the rest.
    response.destroy();
  }
}
