/** The last resort of every route: what a handler throws becomes a reply that tells nothing. */
import { failure } from '../http/reply.ts';
import type { Handler } from '../http/request.ts';
import { asUnavailable, StoreUnavailable } from '../store/errors.ts';

/**
 * A handler that never throws: 503 where the store cannot be used just now, 500 where we have made a mistake.
 *
 * @param route what the log calls it; the request's own path may be anything that a visitor wrote
 */
export function answeringFaults(route: string, handler: Handler): Handler {
  return async (request) => {
    try {
      return await handler(request);
    } catch (thrown) {
      const error = asUnavailable(thrown);
      if (error instanceof StoreUnavailable) {
        console.error(`503 ${route}: ${error.message}`);
        return failure(503, 'unavailable', ['Retry-After', '1']);
      }
      // A body that ends because its sender went away is nobody's mistake, and nobody reads the reply.
      if (!request.body.readableAborted) console.error(error);
      return failure(500, 'internal');
    }
  };
}
