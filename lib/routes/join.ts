/** The join call-to-action: one row for each press. */
import { json, type Reply } from '../http/reply.ts';
import type { Request } from '../http/request.ts';
import type { Store } from '../store/open.ts';
import type { Session } from '../store/sessions.ts';

export function join(store: Store) {
  return async (_: Request, { id, email }: Session): Promise<Reply> => {
    const clickedAt = Date.now();
    await store.write(() => store.joins.record({ email, session: id, clickedAt }));
    return json(200, { ok: true });
  };
}
