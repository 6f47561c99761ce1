/**
 * Stops a server without losing a request that a proxy is sending. A proxy may send a request on a
 * kept connection at the moment when we would close it, and it must not send a POST again. So kept
 * connections stay open for a moment, and each is closed by the reply to its next request.
 */
import type { Server } from 'node:http';
import net, { type Socket } from 'node:net';

/** How long a stop waits for replies under way, in ms: as long as a request may take. */
const STOP_PATIENCE = 15_000;

/** How long a stop leaves kept connections open for one more request, in ms. */
const LINGER = 150;

/**
 * Makes the function that stops a server: it stops accepting, answers what is in flight, then calls `done`.
 *
 * @param server not listening yet
 */
export function gracefulStop(server: Server): (done: () => void) => void {
  const sockets = track(server);
  return (done) => stop(server, sockets, done);
}

function stop(server: Server, sockets: ReadonlySet<Socket>, done: () => void): void {
  server.maxRequestsPerSocket = 1;
  let closing: NodeJS.Timeout | undefined;
  const closeIdle = () => {
    server.closeIdleConnections();
    // A proxy opens connections for later, too; node:http does not count those as idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  const linger = setTimeout(() => {
    // Not in the timer itself but after the event loop has read: what seems idle there may have a request waiting.
    closing = setInterval(() => setImmediate(closeIdle), 20);
  }, LINGER);
  const closeAll = setTimeout(() => server.closeAllConnections(), STOP_PATIENCE);
  const closed = () => {
    clearTimeout(linger);
    clearInterval(closing);
    clearTimeout(closeAll);
    done();
  };
  // Connections that wait in the kernel would be reset; a whole turn of the event loop takes them in first. Then it is
  // not the close of http.Server, which closes idle connections at once.
  setImmediate(() => setImmediate(() => net.Server.prototype.close.call(server, closed)));
}

/** The open connections of a server. */
function track(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}
