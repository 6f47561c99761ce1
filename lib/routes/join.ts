/** The join call-to-action: one row for each press. */
import { json, type Reply } from '../http/reply.ts';
import type { Request } from '../http/request.ts';
import type { ServerStore } from '../store/open.ts';
import type { Session } from '../store/sessions.ts';
import { recordJoin } from '../store/writes.ts';

export function join(store: ServerStore) {
  return async (_: Request, session: Session): Promise<Reply | undefined> => {
    const now = Date.now();
    const recorded = await store.write(() => recordJoin(store, session, now));
    return recorded ? json(200, { ok: true }) : undefined;
  };
}
