/** The last resort of every route: what a handler throws becomes a reply that tells nothing. */
import { failure } from '../http/reply.ts';
import type { Handler } from '../http/request.ts';
import { asUnavailable, StoreUnavailable } from '../store/errors.ts';

/**
 * A handler that never throws: 503 where the store is unavailable, 500 for a mistake of ours.
 *
 * @param route what the log calls it; a request's own path may be anything that a visitor wrote
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
      // A client that disconnects while sending its body is not an error.
      if (!request.body.readableAborted) console.error(error);
      return failure(500, 'internal');
    }
  };
}
