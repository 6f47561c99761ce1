/**
 * Stops a server without losing a request that a proxy is sending. A proxy may send a request on an
 * idle connection while the server closes it, and it must not send a POST again. So idle connections
 * stay open for a moment, and each is closed by the reply to its next request.
 */
import type { Server } from 'node:http';
import net, { type Socket } from 'node:net';
import { streaming } from './listener.ts';

/** How long a stop waits for replies under way, in ms: as long as a request may take. */
const STOP_TIMEOUT = 15_000;

/** How long a stop leaves idle connections open for one more request, in ms. */
const LINGER = 150;

/**
 * Makes a function that stops accepting, answers what is in flight, then calls `done`.
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
    // node:http does not count connections without a first request as idle; proxies open such.
    for (const socket of sockets)
      if (socket.bytesRead === 0 || streaming.get(socket) === 'resumable') socket.destroy();
  };

  return (done) => {
    server.maxRequestsPerSocket = 1;
    let closing: NodeJS.Timeout | undefined;
    const linger = setTimeout(() => {
      // After the event loop has read: a connection that seems idle may have a request waiting.
      closing = setInterval(() => setImmediate(closeIdle), 20);
    }, LINGER);
    const closeAll = setTimeout(() => server.closeAllConnections(), STOP_TIMEOUT);
    const closed = () => {
      clearTimeout(linger);
      clearInterval(closing);
      clearTimeout(closeAll);
      done();
    };
    // A turn of the event loop accepts the connections that wait in the kernel; they would be reset.
    // The close of http.Server would close idle connections at once.
    setImmediate(() => setImmediate(() => net.Server.prototype.close.call(server, closed)));
  };
}
