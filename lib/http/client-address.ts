/** Who is asking, by network address: behind the proxy on this machine, or directly. */
import { isIPv4, isIPv6 } from 'node:net';
import type { Request } from './request.ts';

/**
 * The address by which a client is limited. A proxy on this machine is trusted: it appends the
 * address that it sees to X-Forwarded-For, so only the last entry counts. A client cannot forge it.
 *
 * @returns an IPv4 address, or the first four groups (/64, one customer's network) of an IPv6 address
 */
export function clientAddress({ peer, headers }: Pick<Request, 'peer' | 'headers'>): string {
  const direct = canonical(peer);
  const forwarded = headers['x-forwarded-for'];
  if (!forwarded || !(direct?.startsWith('127.') || direct === LOOPBACK_V6)) return direct ?? peer;
  const last = String(forwarded).split(',').at(-1)?.trim() ?? '';
  return canonical(last) ?? direct ?? peer;
}

const LOOPBACK_V6 = '0:0:0:0::/64';

function canonical(address: string): string | undefined {
  // A copy: a slice would keep the whole header in memory while the limiter holds the address.
  if (isIPv4(address)) return Buffer.from(address).toString();
  if (!isIPv6(address)) return undefined;
  const groups = ipv6Groups(address);
  const [g0, g1, g2, g3, , , high = 0, low = 0] = groups;
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (mapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${[g0, g1, g2, g3].map((group = 0) => group.toString(16)).join(':')}::/64`;
}

/** The eight 16-bit groups of a valid IPv6 address. */
function ipv6Groups(address: string): number[] {
  // The URL parser writes any spelling (dotted tail, leading zeros) in one way: hexadecimal groups.
  const [unzoned = ''] = address.split('%');
  const text = new URL(`http://[${unzoned}]`).hostname.slice(1, -1);
  const [head = '', tail = ''] = text.split('::');
  const parse = (part: string) =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16));
  const left = parse(head);
  const right = parse(tail);
  return [...left, ...Array<number>(8 - left.length - right.length).fill(0), ...right];
}
