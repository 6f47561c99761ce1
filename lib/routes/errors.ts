/** Turns exceptions of handlers into replies. */
import { errorReply, type Reply } from '../http/reply.ts';
import type { Request } from '../http/request.ts';
import { StoreUnavailable, toStoreError } from '../store/errors.ts';
import { InvalidQuery } from './query.ts';

/**
 * 400 for an invalid query, 503 for an unavailable store, else 500.
 *
 * @param route named in the log, because a request's path can be any text
 */
export function replyToError(thrown: unknown, route: string, { body }: Request): Reply {
  if (thrown instanceof InvalidQuery) return errorReply(400, 'invalid_query');
  const error = toStoreError(thrown);
  if (error instanceof StoreUnavailable) {
    console.error(`503 ${route}: ${error.message}`);
    return errorReply(503, 'unavailable', ['Retry-After', '1']);
  }
  // A client that disconnects while sending its body is not an error.
  if (!body.readableAborted) console.error(error);
  return errorReply(500, 'internal');
}
