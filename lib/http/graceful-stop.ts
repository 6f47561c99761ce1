/**
 * Stops a server without losing a request that a proxy is sending. A proxy may send a request on an
 * idle connection while the server closes it, and it must not send a POST again. So idle
 * connections stay open for a moment, and the reply to the next request on each closes it.
 */
import type { Server } from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import type { Connection } from './listener.ts';

/**
 * How long a stop leaves idle connections open for one more request, in ms. The shipped proxies
 * close a connection themselves after 100 ms without a request.
 */
const LINGER = 250;

/**
 * Makes a function that stops accepting, answers the requests in progress, then calls `done`. It
 * waits for them as long as a request may take.
 */
export function gracefulStop(
  server: Server,
  connections: ReadonlyMap<Duplex, Connection>,
): (done: () => void) => void {
  const closeIdle = () => {
    server.closeIdleConnections();
    // node:http does not count a connection without a first request as idle. Proxies open such.
    for (const { socket, streamed } of connections.values())
      if (socket.bytesRead === 0 || streamed?.isResumable) socket.destroy();
  };

  return (done) => {
    server.maxRequestsPerSocket = 1;
    // After the event loop has read: a connection that seems idle may have a request waiting.
    const closeSoon = () => setImmediate(closeIdle);
    setTimeout(() => setInterval(closeSoon, 20).unref(), LINGER).unref();
    setTimeout(() => server.closeAllConnections(), server.requestTimeout).unref();
    // A turn of the event loop accepts connections that wait in the kernel. A close resets them.
    // The close of http.Server would also close idle connections at once.
    setImmediate(() => setImmediate(() => net.Server.prototype.close.call(server, done)));
  };
}
