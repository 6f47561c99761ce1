/** The join call-to-action: one row for each press. */
import { json, type Reply } from '../http/reply.ts';
import type { Request } from '../http/request.ts';
import type { ServerStore } from '../store/open.ts';
import type { Session } from '../store/sessions.ts';

export function join(store: ServerStore) {
  return async (_: Request, session: Session): Promise<Reply | undefined> => {
    const recorded = await store.write('recordJoin', session, Date.now());
    return recorded ? json(200, { ok: true }) : undefined;
  };
}
