/** An in-memory fixed-window rate limiter, and the network address by which a client is limited. */
import { isIPv4, isIPv6, SocketAddress } from 'node:net';
import type { Request } from './request.ts';

type Window = {
  attempts: number;
  /** On the monotonic clock, in ms. */
  readonly end: number;
};

/**
 * Makes a function that counts an attempt of a client. It returns 0 if the attempt is allowed, else
 * the ms until the client's window ends.
 *
 * @param limit attempts allowed in a window
 * @param duration ms from a client's first attempt to the end of its window
 * @param maxClients how many clients are kept. A new client replaces the one whose last attempt is
 *   the oldest.
 */
export function rateLimiter(limit: number, duration: number, maxClients = 100_000) {
  const windows = new Map<string, Window>();

  function deleteOldest(): void {
    const [oldest = ''] = windows.keys();
    windows.delete(oldest);
  }

  return (client: string): number => {
    const time = performance.now();
    const known = windows.get(client);
    const current = known && known.end > time ? known : { attempts: 0, end: time + duration };
    // A map keeps the order of insertion. This client moves to the end, so the oldest one stays
    // first.
    windows.delete(client);
    if (windows.size >= maxClients) deleteOldest();
    windows.set(client, current);
    current.attempts += 1;
    return current.attempts <= limit ? 0 : current.end - time;
  };
}

/** The parts of a request that identify its client. */
type Client = Pick<Request, 'peer' | 'headers'>;

/**
 * The address by which a client is limited. A proxy on this machine is trusted. It appends the
 * address that it sees to X-Forwarded-For, so only the last entry counts, and no client can forge
 * it.
 *
 * @returns an IPv4 address, or the first four groups (/64, a customer's network) of an IPv6 address
 */
export function clientAddress({ peer, headers }: Client): string {
  const direct = canonical(peer) ?? peer;
  if (!isLoopback(direct)) return direct;
  const forwarded = String(headers['x-forwarded-for'] ?? '');
  const last = forwarded.slice(forwarded.lastIndexOf(',') + 1);
  return canonical(addressOf(last)) ?? direct;
}

/** `"203.0.113.7"`, but not `203.0.113.7`. */
const QUOTED = /^(["'])(.*)\1$/;

/** `[2001:db8::1]` and `[2001:db8::1]:443`, but not `2001:db8::1`. */
const BRACKETED = /^\[([^\]]*)\](?::\d+)?$/;

/** `203.0.113.7:51000`, but not `2001:db8::1`. */
const WITH_PORT = /^([\d.]+):\d+$/;

/** The address in an entry of X-Forwarded-For, without quotes, brackets and a port. */
function addressOf(entry: string): string {
  const trimmed = entry.trim();
  const bare = QUOTED.exec(trimmed)?.[2]?.trim() ?? trimmed;
  return BRACKETED.exec(bare)?.[1] ?? WITH_PORT.exec(bare)?.[1] ?? bare;
}

/** The network of `::1`. Its other addresses are not in use. */
const IPV6_LOOPBACK = '0:0:0:0::/64';

/** @param client a client address, as `clientAddress` returns it */
export const isLoopback = (client: string): boolean =>
  client.startsWith('127.') || client === IPV6_LOOPBACK;

/** An IPv4 address, or the first 64 bits of an IPv6 address; `undefined` for other text. */
function canonical(address: string): string | undefined {
  // Copied, because a slice of V8 would keep the whole header in memory.
  if (isIPv4(address)) return Buffer.from(address).toString();
  if (!isIPv6(address)) return undefined;
  const withoutZone = address.replace(/%.*/, '');
  const { address: text } = new SocketAddress({ address: withoutZone, family: 'ipv6' });
  if (isMappedIPv4(text)) return text.slice(MAPPED_IPV4.length);
  return `${expandZeros(text).slice(0, 4).join(':')}::/64`;
}

const MAPPED_IPV4 = '::ffff:';

/** Whether an IPv6 address is an IPv4 address, as `::ffff:192.0.2.1` is. */
const isMappedIPv4 = (address: string): boolean =>
  address.startsWith(MAPPED_IPV4) && address.includes('.');

/** The eight groups of an IPv6 address: `2001:db8::1` is `2001 db8 0 0 0 0 0 1`. */
function expandZeros(address: string): readonly string[] {
  const [before = '', after = ''] = address.split('::');
  const left = before.split(':').filter((group) => group !== '');
  const right = after.split(':').filter((group) => group !== '');
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right];
}
