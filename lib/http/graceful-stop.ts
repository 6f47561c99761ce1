/**
 * Stops a server without losing a request. A proxy may send a POST on an idle connection while the
 * server closes it, and must not retry. So idle connections linger, and close after a reply.
 */
import type { Server } from 'node:http';
import net from 'node:net';
import type { answerRequests } from './listener.ts';

/** How long idle connections linger, in ms. The shipped proxies close theirs after 100 ms. */
const LINGER = 250;

/** Stops accepting, answers requests in progress within the request timeout, then calls `done`. */
export function stopGracefully(
  server: Server,
  connections: ReturnType<typeof answerRequests>,
  done: () => void,
): void {
  const closeIdle = () => {
    server.closeIdleConnections();
    // node:http does not count a connection without a first request as idle.
    for (const { socket, streamed } of connections.values())
      if (socket.bytesRead === 0 || streamed?.isResumable) socket.destroy();
  };

  server.maxRequestsPerSocket = 1;
  // In the check phase, after the poll phase has read the requests that have arrived.
  const closeSoon = () => setImmediate(closeIdle);
  setTimeout(() => setInterval(closeSoon, 20).unref(), LINGER).unref();
  setTimeout(() => server.closeAllConnections(), server.requestTimeout).unref();
  // A close would reset connections that wait in the kernel. Two turns of the event loop accept
  // them first. The close of http.Server would also close idle connections at once.
  setImmediate(() => setImmediate(() => net.Server.prototype.close.call(server, done)));
}
