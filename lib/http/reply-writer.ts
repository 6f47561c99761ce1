/** Writes reply values through node:http. */
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { isWholeBody, type Reply } from './reply.ts';

/**
 * Makes a function that writes a reply. What it returns resolves after a streamed reply is written
 * or has failed. A whole reply is written at the end of this turn of the event loop: a write that
 * wakes its receiver costs more than the request, so they are written together.
 *
 * @param everyReply headers of every reply, names and values in turn
 */
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

  const ready: [ServerResponse, Reply][] = [];
  function writeReady(): void {
    for (const [response, reply] of ready.splice(0))
      response.writeHead(reply.status, completeHeaders(reply)).end(reply.body);
  }

  return async (response: ServerResponse, reply: Reply): Promise<void> => {
    const { socket, method } = response.req;
    if (socket.destroyed) return;
    if (isWholeBody(reply.body)) {
      if (ready.push([response, reply]) === 1) setImmediate(writeReady);
      return;
    }
    response.writeHead(reply.status, completeHeaders(reply));
    try {
      if (method === 'HEAD') response.end();
      else await pipeline(reply.body, response);
    } catch (error) {
      // A client disconnect is not an error.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE')
        console.error(error);
      socket.destroy();
    }
  };
}
