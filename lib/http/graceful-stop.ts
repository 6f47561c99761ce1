/**
 * Stops a server without losing a request that a proxy is sending. A proxy may send a request on an
 * idle connection while the server closes it, and it must not send a POST again. So idle
 * connections stay open for a moment, and the reply to the next request on each closes it.
 */
import type { Server } from 'node:http';
import net, { type Socket } from 'node:net';
import { streaming } from './listener.ts';

/** How long a stop waits for replies in progress, in ms: as long as a request may take. */
const STOP_TIMEOUT = 15_000;

/** How long a stop leaves idle connections open for one more request, in ms. */
const LINGER = 150;

/**
 * Makes a function that stops accepting, answers the requests in progress, then calls `done`.
 *
 * @param server not listening yet
 */
export function gracefulStop(server: Server): (done: () => void) => void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  const closeIdle = () => {
    server.closeIdleConnections();
    // node:http does not count a connection without a first request as idle. Proxies open such.
    for (const socket of sockets)
      if (socket.bytesRead === 0 || streaming.get(socket) === 'resumable') socket.destroy();
  };

  return (done) => {
    server.maxRequestsPerSocket = 1;
    // After the event loop has read: a connection that seems idle may have a request waiting.
    const closeSoon = () => setImmediate(closeIdle);
    setTimeout(() => setInterval(closeSoon, 20).unref(), LINGER).unref();
    setTimeout(() => server.closeAllConnections(), STOP_TIMEOUT).unref();
    // A turn of the event loop accepts the connections that wait in the kernel. A close resets them.
    // The close of http.Server would also close idle connections at once.
    setImmediate(() => setImmediate(() => net.Server.prototype.close.call(server, done)));
  };
}
