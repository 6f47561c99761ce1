/** The join call-to-action: one row for each click. */
import { json } from '../http/reply.ts';
import type { Request } from '../http/request.ts';
import type { DoneReply, Session } from '../records.ts';
import type { Recording } from './guards.ts';

const reply = json<DoneReply>(200, { ok: true });

export const join = (_: Request, { id, email }: Session): Recording => ({
  reply,
  write: ({ joins }) => joins.record({ email, session: id, clickedAt: Date.now() }),
});
