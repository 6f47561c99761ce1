/** Connects a handler to node:http: makes the request value, and writes the reply value. */
import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { CutShort, NO_HOST, type Reply } from './reply.ts';
import type { Handler, Request } from './request.ts';

/**
 * Connections with a streamed reply in progress: no error reply may be written into it. A stop does
 * not wait for a reply that the client can resume with a range.
 */
export const streaming = new WeakMap<Duplex, 'complete' | 'resumable'>();

/**
 * @param handler answers every request; it must not throw
 * @param everyReply headers of every reply, names and values in turn
 */
export function listener(handler: Handler, everyReply: readonly string[]): RequestListener {
  const completed = completeHeaders(everyReply);

  async function answer(response: ServerResponse, reply: Reply): Promise<void> {
    if (response.destroyed) return;
    try {
      const headers = completed(reply);
      response.writeHead(reply.status, headers);
      if (isWhole(reply.body)) response.end(reply.body);
      else if (response.req.method === 'HEAD') response.end();
      else await stream(response, reply.body, headers.includes('Accept-Ranges'));
    } catch (error) {
      // The reply was truncated.
      console.error(error instanceof CutShort ? error.message : error);
      response.destroy();
    }
  }

  // Written together, after all requests of this turn of the event loop are read. Each write may
  // wake its receiver, which costs more than the request.
  const ready: [ServerResponse, Reply][] = [];
  const writeReady = () => {
    for (const [response, reply] of ready.splice(0)) void answer(response, reply);
  };

  return (incoming, response) => {
    const reply = lacksHost(incoming) ? NO_HOST : handler(toRequest(incoming));
    if (reply instanceof Promise) void reply.then((settled) => answer(response, settled));
    else if (ready.push([response, reply]) === 1) setImmediate(writeReady);
    // A pipelined request: node:http stops reading if too many replies wait.
    if (!response.socket) writeReady();
  };
}

/** RFC 9112 3.2 requires 400; that of node:http would lack the headers of every reply. */
const lacksHost = ({ httpVersion, headers }: IncomingMessage): boolean =>
  headers.host === undefined && httpVersion === '1.1';

/** Path and query. Those of a target in absolute form are all that counts (RFC 9112 3.2.2). */
const TARGET = /^(?:https?:\/\/[^/?#]+)?([^?]*)\??(.*)$/is;

function toRequest(incoming: IncomingMessage): Request {
  const { method = '', url = '', headers } = incoming;
  const [, path, query = ''] = TARGET.exec(url) ?? [];
  const peer = incoming.socket.remoteAddress ?? '';
  return { method, path: path || '/', query, headers, peer, body: incoming };
}

/** Completes the headers of a reply. Those that replies share are put together only once. */
function completeHeaders(everyReply: readonly string[]): (reply: Reply) => string[] {
  const known = new WeakMap<Reply['headers'], string[]>();
  return ({ status, headers, body }) => {
    const found = known.get(headers) ?? [...everyReply, ...headers];
    known.set(headers, found);
    return isWhole(body) && status !== 304
      ? [...found, 'Content-Length', String(Buffer.byteLength(body))]
      : found;
  };
}

const isWhole = (body: Reply['body']): body is string | Uint8Array =>
  typeof body === 'string' || body instanceof Uint8Array;

async function stream(
  response: ServerResponse,
  body: AsyncIterable<string | Uint8Array>,
  isResumable: boolean,
): Promise<void> {
  const { socket } = response.req;
  // A pipelined request waits here until the replies before its own are sent.
  if (!response.socket) await once(response, 'socket');
  streaming.set(socket, isResumable ? 'resumable' : 'complete');
  for await (const part of body) {
    await write(response, part);
    if (response.destroyed) return;
  }
  response.end();
  streaming.delete(socket);
}

/** Resolves when the part is written to the socket, or the socket is closed. */
const write = (response: ServerResponse, part: string | Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    // node:http does not call back for a socket that is being closed.
    response.once('close', resolve);
    response.write(part, () => {
      response.off('close', resolve);
      resolve();
    });
  });

/** Status lines for errors of node:http's parser. */
const REFUSALS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/**
 * Answers input that is not HTTP, too large or too slow, and closes the connection. Before that,
 * the replies of this turn of the event loop are written.
 */
export function refuse(everyReply: readonly string[]) {
  return (error: NodeJS.ErrnoException, socket: Duplex): unknown =>
    setImmediate(respond, error, socket);

  function respond(error: NodeJS.ErrnoException, socket: Duplex): void {
    if (!socket.writable || error.code === 'ECONNRESET' || streaming.has(socket)) {
      socket.destroy();
      return;
    }
    const lines = [`HTTP/1.1 ${REFUSALS[error.code ?? ''] ?? '400 Bad Request'}`];
    for (let i = 0; i < everyReply.length; i += 2)
      lines.push(`${everyReply[i]}: ${everyReply[i + 1]}`);
    lines.push('Cache-Control: no-store', 'Content-Length: 0', 'Connection: close', '', '');
    socket.end(lines.join('\r\n'), () => socket.destroy());
  }
}
