/**
 * Viewers of a video, as a process of their own: viewers.js <port> <cookie> <viewers> <rate>. Each
 * reads at most `rate` bytes a second. Prints a line when all have received something, and the MB that
 * they have received in all once its input ends.
 */
import net from 'node:net';
import { FILM } from '../support/film.ts';

const [port, cookie, viewers, rate] = process.argv.slice(2);

/** How often a viewer reads, in ms. */
const TICK = 50;
const perTick = (Number(rate) * TICK) / 1000;

let waiting = Number(viewers);
let received = 0;
for (let i = 0; i < Number(viewers); i += 1) {
  let own = 0;
  let budget = perTick;
  const onread = {
    buffer: Buffer.allocUnsafe(64 * 1024),
    callback: (bytes: number) => {
      if (own === 0) waiting -= 1;
      if (own === 0 && waiting === 0) console.log('all watch');
      own += bytes;
      received += bytes;
      budget -= bytes;
      return budget > 0;
    },
  };
  const socket = net.connect({ port: Number(port), host: '127.0.0.1', onread });
  socket.on('error', () => undefined);
  // Fast viewers watch it more than once.
  socket.write(`GET ${FILM} HTTP/1.1\r\nHost: x\r\nCookie: ${cookie}\r\n\r\n`.repeat(5));
  setInterval(() => {
    budget = Math.min(budget + perTick, perTick);
    if (budget > 0) socket.resume();
  }, TICK);
}
process.stdin.on('end', () => {
  process.stdout.write(`${Math.round(received / 1e6)}\n`, () => process.exit(0));
});
process.stdin.resume();
