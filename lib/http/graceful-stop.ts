/**
 * Stops a server without losing a request. A proxy may send a POST on an idle connection while the
 * server closes it, and must not retry. So idle connections linger, and close after a reply.
 */
import type { Server } from 'node:http';
import net from 'node:net';
import type { Connection } from './listener.ts';

/** How long idle connections linger, in ms. The shipped proxies close theirs after 100 ms. */
const LINGER = 250;

/** How long a stop waits for streamed replies, in ms. */
const STREAM_TIMEOUT = 5000;

/** Stops accepting, answers requests in progress within the request timeout, then calls `done`. */
export function stopGracefully(
  server: Server,
  connections: ReadonlyMap<net.Socket, Connection>,
  done: () => void,
): void {
  const begin = performance.now();
  const closeIdle = () => {
    const isLate = performance.now() > begin + STREAM_TIMEOUT;
    for (const [socket, { waiting, response }] of connections) {
      // For node:http, a connection whose reply waits for a slow client is idle too.
      const isIdle = response ? waiting === 0 && response.writableFinished : !socket.bytesRead;
      const isStreaming = response?.headersSent && !response.writableEnded;
      if (isIdle || (isLate && isStreaming)) socket.destroy();
    }
  };
  // In the check phase, after the poll phase has read the requests that have arrived.
  const closeSoon = () => setImmediate(closeIdle);
  setTimeout(() => setInterval(closeSoon, 20).unref(), LINGER).unref();
  setTimeout(() => server.closeAllConnections(), server.requestTimeout).unref();
  // A close would reset connections that wait in the kernel. Two turns of the event loop accept
  // them first. The close of http.Server would also close idle connections at once.
  setImmediate(() => setImmediate(() => net.Server.prototype.close.call(server, done)));
}
