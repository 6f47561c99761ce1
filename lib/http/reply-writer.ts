/** Writes reply values through node:http, or to a socket that node:http has detached. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isWholeBody, type Reply, TruncatedReply } from './reply.ts';

/** @param everyReply headers of every reply, names and values in turn */
export function replyWriter(everyReply: readonly string[]) {
  /** Complete headers by the array of a reply's headers. */
  const known = new WeakMap<Reply['headers'], string[]>();

  function completeHeaders({ status, headers, body }: Reply): string[] {
    const found = known.get(headers) ?? [...everyReply, ...headers];
    known.set(headers, found);
    return isWholeBody(body) && status !== 304
      ? [...found, 'Content-Length', String(Buffer.byteLength(body))]
      : found;
  }

  /** Resolves after a streamed reply is written, or its client has disconnected. */
  async function write(response: ServerResponse, reply: Reply): Promise<void> {
    const { socket, method } = response.req;
    // The client has disconnected, or the rest of its request was invalid.
    if (socket.destroyed || response.headersSent) return;
    try {
      response.writeHead(reply.status, completeHeaders(reply));
      if (isWholeBody(reply.body)) response.end(reply.body);
      else if (method === 'HEAD') response.end();
      else await pipeline(reply.body, response);
    } catch (thrown) {
      // If the body failed and the client left too, both errors come.
      const error = thrown instanceof AggregateError ? thrown.errors[0] : thrown;
      if ((error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE') return;
      // The reply was truncated.
      console.error(error instanceof TruncatedReply ? error.message : error);
      socket.destroy();
    }
  }

  const ready: [ServerResponse, Reply][] = [];
  const writeReady = () => {
    for (const [response, reply] of ready.splice(0)) void write(response, reply);
  };

  return {
    write,

    /**
     * Writes a reply at the end of this turn of the event loop. A write that wakes its receiver
     * costs more than the request, so they are written together.
     */
    writeSoon(response: ServerResponse, reply: Reply): void {
      if (ready.push([response, reply]) === 1) setImmediate(writeReady);
      // A pipelined request: node:http pauses the socket if too many replies wait.
      if (!response.socket) writeReady();
    },

    /** Writes a reply without a request, and closes the connection. */
    end(socket: Duplex, reply: Reply): void {
      if (!socket.writable) return;
      const headers = [...completeHeaders(reply), 'Date', new Date().toUTCString()];
      const lines = [`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}`];
      for (let i = 0; i < headers.length; i += 2) lines.push(`${headers[i]}: ${headers[i + 1]}`);
      socket.end(`${lines.join('\r\n')}\r\n\r\n${reply.body}`, () => socket.destroy());
    },
  };
}
