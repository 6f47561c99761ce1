/** Writes reply values through node:http. */
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { isWholeBody, type Reply } from './reply.ts';

/**
 * Makes a function that writes a reply. It resolves after the reply is written, or has failed.
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
  /** Resolves after the replies of this turn are written. */
  let written: Promise<void> | undefined;

  function writeReady(): void {
    written = undefined;
    for (const [response, reply] of ready.splice(0))
      response.writeHead(reply.status, completeHeaders(reply)).end(reply.body);
  }

  return async (response: ServerResponse, reply: Reply): Promise<void> => {
    const { socket, method } = response.req;
    if (socket.destroyed) return;
    if (isWholeBody(reply.body)) {
      ready.push([response, reply]);
      // A write that wakes its receiver costs more than the request, so they are written together.
      written ??= setImmediate().then(writeReady);
      return written;
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
