/** The join call-to-action: one row for each press. */
import { json, type Reply } from '../http/reply.ts';
import type { Request } from '../http/request.ts';
import type { Store } from '../store/open.ts';
import type { Session } from '../store/sessions.ts';
import { writeFor } from './gates.ts';

export function join(store: Store) {
  return async (_: Request, session: Session): Promise<Reply> => {
    const clickedAt = Date.now();
    await writeFor(store, session, () =>
      store.joins.record({ email: session.email, session: session.id, clickedAt }),
    );
    return json(200, { ok: true });
  };
}
