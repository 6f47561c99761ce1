/** Turns the messages of node:http into requests, and writes replies. */
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import timers from 'node:timers/promises';
import type { Reply } from './reply.ts';
import { type Request, readRequest } from './request.ts';

/** In ms. */
const OPTIONS: http.ServerOptions = {
  keepAliveTimeout: 65_000,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5000,
};

/** Node limits the bytes of replies that wait on a connection, but not pipelined requests. */
const MAX_REQUESTS_PER_SOCKET = 500;

/** In ms: a stop closes the port once no connection has come for so long. */
const STOP_QUIET = 50;

/** In ms: a stop closes the port after this at the latest. */
const STOP_ACCEPTING = 1000;

/** In ms: when a stop closes connections whose requests are not answered yet. */
const STOP_TIMEOUT = 10_000;

/** A request, and how to reply to it. */
export type Exchange = {
  readonly request: Request;
  /** The raw message; its body is not read yet. */
  readonly incoming: IncomingMessage;
  readonly send: (reply: Reply) => void;
};

/** Gets every request. It may reply later. */
export type Take = (exchange: Exchange) => void;

export type HttpServer = {
  readonly server: Server;
  /** Answers what is in flight, closes every connection, and calls `done`. */
  readonly stop: (done: () => void) => void;
};

export function createServer(take: Take): HttpServer {
  let inFlight = 0;

  const server = http.createServer(OPTIONS, (incoming, response) => {
    inFlight += 1;
    response.on('close', endRequest);
    if (!server.listening) response.setHeader('Connection', 'close');
    const send = (reply: Reply): void => write(response, reply);
    take({ request: readRequest(incoming), incoming, send });
  });
  server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET;

  function endRequest(): void {
    inFlight -= 1;
    closeIfAnswered();
  }

  /** Connections that have sent nothing yet, as browsers open them, would hold a stop. */
  function closeIfAnswered(): void {
    if (!server.listening && inFlight === 0) server.closeAllConnections();
  }

  async function stop(done: () => void): Promise<void> {
    await waitForQuiet();
    server.close(done);
    closeIfAnswered();
    setTimeout(() => server.closeAllConnections(), STOP_TIMEOUT).unref();
  }

  /** Closing the port resets the connections that wait to be accepted. */
  async function waitForQuiet(): Promise<void> {
    const latest = performance.now() + STOP_ACCEPTING;
    let isQuiet = false;
    server.on('connection', () => {
      isQuiet = false;
    });
    while (!isQuiet && performance.now() < latest) {
      isQuiet = true;
      await timers.setTimeout(STOP_QUIET);
      // Connections that came during a slow commit are accepted before this.
      await timers.setImmediate();
    }
  }

  return { server, stop };
}

function write(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, [...headers]);
  if (typeof body !== 'function') response.end(body);
  else if (response.socket) stream(response, body());
  // A reply behind others on its connection opens its file when its turn comes.
  else response.once('socket', () => stream(response, body()));
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
