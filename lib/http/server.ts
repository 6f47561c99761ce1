/** Turns the messages of node:http into requests, and writes replies. */
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
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

/** In ms: a stop waits for such a moment without a new connection, and at most for so long. */
const STOP_PAUSE = 50;
const STOP_ACCEPTING = 1000;

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
  let inFlight = 0;

  const server = http.createServer(OPTIONS, (incoming, response) => {
    inFlight += 1;
    response.once('close', () => {
      inFlight -= 1;
      closeQuietly();
    });
    const send = (reply: Reply): void => write(response, reply);
    take({ request: readRequest(incoming), incoming, send });
  });
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET;

  function write(response: ServerResponse, { status, headers, body }: Reply): void {
    // The proxy opens no other connection for this one.
    if (!server.listening) response.shouldKeepAlive = false;
    response.writeHead(status, [...headers]);
    if (typeof body !== 'function') response.end(body);
    else if (response.socket) stream(response, body());
    // A reply behind others on its connection opens its file when its turn comes.
    else response.once('socket', () => stream(response, body()));
  }

  function stop(done: () => void): void {
    // Closing the port resets the connections that wait to be accepted. A moment without any is
    // the time to do it.
    const quiet = setTimeout(close, STOP_PAUSE);
    server.on('connection', () => quiet.refresh());
    const latest = setTimeout(close, STOP_ACCEPTING);

    function close(): void {
      clearTimeout(quiet);
      clearTimeout(latest);
      server.close(done);
      closeQuietly();
    }
    setTimeout(() => server.closeAllConnections(), STOP_TIMEOUT).unref();
  }

  /** Node leaves connections open that have sent nothing yet, as browsers open them. */
  function closeQuietly(): void {
    if (!server.listening && inFlight === 0) server.closeAllConnections();
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
