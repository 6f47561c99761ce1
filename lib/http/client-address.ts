/** The client's network address, behind a proxy on this machine or without one. */
import { isIPv4, isIPv6 } from 'node:net';
import type { Request } from './request.ts';

/**
 * The address by which a client is limited. A proxy on this machine is trusted: it appends the
 * address that it sees to X-Forwarded-For, so only the last entry counts. A client cannot forge it.
 *
 * @returns an IPv4 address, or the first four groups (/64, a customer's network) of an IPv6 address
 */
export function clientAddress({ peer, headers }: Pick<Request, 'peer' | 'headers'>): string {
  const direct = canonical(peer) ?? peer;
  const forwarded = headers['x-forwarded-for'];
  if (!forwarded || !isLoopback(direct)) return direct;
  const last = String(forwarded).split(',').at(-1)?.trim() ?? '';
  return canonical(last) ?? direct;
}

/** Whether a request came over loopback without X-Forwarded-For. */
export const isUnproxied = ({ peer, headers }: Pick<Request, 'peer' | 'headers'>): boolean =>
  !headers['x-forwarded-for'] && isLoopback(canonical(peer));

/** The only address in use of the network of `::1` is `::1` itself. */
const isLoopback = (address = ''): boolean =>
  address.startsWith('127.') || address === '0:0:0:0::/64';

/** An IPv4 address, or the first 64 bits of an IPv6 address; `undefined` for other text. */
function canonical(address: string): string | undefined {
  // Copied, because V8's slice would retain the whole header.
  if (isIPv4(address)) return Buffer.from(address).toString();
  if (!isIPv6(address)) return undefined;
  // The URL parser normalizes IPv6 to hexadecimal groups.
  const text = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1);
  const [left = [], right = []] = text.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  const groups = [...left, ...zeros, ...right];
  if (!text.startsWith('::ffff:') || right.length !== 3)
    return `${groups.slice(0, 4).join(':')}::/64`;
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
