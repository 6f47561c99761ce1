/** A flood of login attempts, each from an address of its own, over a few connections. */
import { once } from 'node:events';
import net from 'node:net';

const CONNECTIONS = 4;

/** Requests written at a time on a connection. */
const BATCH = 100;

/** The nth of 16 million private IPv4 addresses. */
export const address = (n: number): string => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

/**
 * Tries to log in once from each of the addresses.
 *
 * @returns how many were answered, by status
 */
export async function flood(port: number, addresses: number): Promise<ReadonlyMap<string, number>> {
  const statuses = new Map<string, number>();
  let next = 0;

  async function sender(): Promise<void> {
    const socket = net.connect(port, '127.0.0.1').setEncoding('latin1');
    while (next < addresses) {
      const first = next;
      next = Math.min(addresses, next + BATCH);
      const requests = Array.from({ length: next - first }, (_, i) => request(first + i));
      socket.write(requests.join(''));
      let text = '';
      let answered = 0;
      while (answered < requests.length) {
        text += (await once(socket, 'data'))[0];
        answered = text.match(/\r\n\r\n\{[^}]*\}/g)?.length ?? 0;
      }
      for (const [, status = ''] of text.matchAll(/HTTP\/1\.1 (\d+)/g))
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    socket.destroy();
  }

  await Promise.all(Array.from({ length: CONNECTIONS }, sender));
  return statuses;
}

const BODY = '{"email":"nobody@flood.example"}';

const request = (n: number): string =>
  `POST /auth/login HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address(n)}\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;
