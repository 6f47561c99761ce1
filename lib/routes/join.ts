/** The join call-to-action: one row for each press. */
import { json, type Reply } from '../http/reply.ts';
import type { Request } from '../http/request.ts';
import type { ServerStore } from '../store/open.ts';
import type { Session } from '../store/sessions.ts';

export function join({ joins }: ServerStore) {
  return (_: Request, { id, email }: Session): Reply => {
    joins.record({ email, session: id, clickedAt: Date.now() });
    return json(200, { ok: true });
  };
}
