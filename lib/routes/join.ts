/** The join call-to-action: one row for each press. */
import { json, type Reply } from '../http/reply.ts';
import type { Request } from '../http/request.ts';
import type { ServerStore } from '../store/open.ts';
import type { Session } from '../store/rows/sessions.ts';

export function join({ joins }: ServerStore) {
  const recorded = json(200, { ok: true });

  return (_: Request, { id, email }: Session): Reply => {
    joins.record({ email, session: id, clickedAt: Date.now() });
    return recorded;
  };
}
