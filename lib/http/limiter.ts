/** A fixed window for each client address, in memory. */
import { isIP, isIPv4, isIPv6, SocketAddress } from 'node:net';
import type { Request } from './request.ts';

type Window = { attempts: number; readonly endsAt: number };

/** Bounds the memory: beyond this, the oldest window is dropped. */
const MAX_WINDOWS = 100_000;

/**
 * @param duration of a window, in ms
 * @returns a function that counts an attempt of a client, and returns the ms to wait, 0 if allowed
 */
export function createLimiter(attempts: number, duration: number): (client: string) => number {
  const windows = new Map<string, Window>();
  return (client) => {
    const now = performance.now();
    let window = windows.get(client);
    if (!window || window.endsAt <= now) {
      window = { attempts: 0, endsAt: now + duration };
      windows.delete(client);
      windows.set(client, window);
      dropOldest(windows);
    }
    window.attempts += 1;
    const wait = window.endsAt - now;
    // Once a window, and without the address: it explains *I can't get in* to the operator.
    if (window.attempts === attempts + 1)
      console.error(
        `429: a client is refused for ${Math.ceil(wait / 60_000)} minutes: too many logins`,
      );
    return window.attempts <= attempts ? 0 : wait;
  };
}

/** A Map keeps the order of insertion. */
function dropOldest(windows: Map<string, Window>): void {
  const [oldest] = windows.keys();
  if (windows.size > MAX_WINDOWS && oldest !== undefined) windows.delete(oldest);
}

/**
 * The client of a request: what the proxy put at the end of `X-Forwarded-For`, else the peer. IPv6
 * counts by /64, because one household usually has the whole block.
 */
export function clientOf({ headers, peer }: Request): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '');
  const last = forwarded.slice(forwarded.lastIndexOf(',') + 1).trim();
  return networkOf(isIP(last) ? last : peer);
}

/**
 * `2001:db8::1` is of `2001:db8:0:0`. Makes a new string, because a slice would keep the whole header
 * in memory.
 */
function networkOf(address: string): string {
  if (isIPv4(address)) return new SocketAddress({ address }).address;
  if (!isIPv6(address)) return '';
  // The canonical form of the address without its zone, such as %eth0.
  const [plain = ''] = address.split('%');
  const canonical = new SocketAddress({ address: plain, family: 'ipv6' }).address;
  if (canonical.startsWith('::ffff:') && canonical.includes('.'))
    return canonical.slice('::ffff:'.length);
  const [start = '', end = ''] = canonical.split('::');
  const groups = start.split(':').filter(Boolean);
  const rest = end.split(':').filter(Boolean);
  while (groups.length + rest.length < 8) groups.push('0');
  return [...groups, ...rest].slice(0, 4).join(':');
}
