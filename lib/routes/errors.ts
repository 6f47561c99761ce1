/** Turns an error into a reply. */
import { errorReply, type Reply } from '../http/reply.ts';
import type { Request } from '../http/request.ts';
import { isUnavailable } from '../store/sqlite.ts';
import { LockTimeout } from '../turns.ts';

const UNAVAILABLE = errorReply(503, 'unavailable', ['Retry-After', '1']);
const INTERNAL = errorReply(500, 'internal');

export function replyToError(error: unknown, { method, path }: Request): Reply {
  if (error instanceof LockTimeout || isUnavailable(error)) {
    console.error(`503 ${method} ${path}: the store: ${String(error)}`);
    return UNAVAILABLE;
  }
  console.error(error);
  return INTERNAL;
}
