/** Limits login attempts by client address. */
import type { Settings } from '../config.ts';
import { clientAddress, isUnproxied } from '../http/client-address.ts';
import { rateLimiter } from '../http/limiter.ts';
import { errorReply } from '../http/reply.ts';
import type { Context, Handler } from '../http/request.ts';

const ALL_SHARE =
  'a login came over loopback without X-Forwarded-For, so all visitors share one login limit; ' +
  'configure the proxy to send this header';

/** Makes a guard that answers 429 over the limit. */
export function loginLimit({ publicOrigin }: Settings) {
  const attempt = rateLimiter({ limit: 30, window: 3_600_000 });
  let expectsProxy = publicOrigin.startsWith('https:');

  return (handler: Handler<Context>): Handler<Context> =>
    (given) => {
      const { request } = given;
      if (expectsProxy && isUnproxied(request)) {
        expectsProxy = false;
        console.error(ALL_SHARE);
      }
      const wait = attempt(clientAddress(request));
      if (wait === 0) return handler(given);
      return errorReply(429, 'rate_limited', ['Retry-After', String(Math.ceil(wait / 1000))]);
    };
}
