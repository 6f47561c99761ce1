/** The join call-to-action: one row for each click. */
import { json } from '../http/reply.ts';
import type { Request } from '../http/request.ts';
import type { DoneReply } from '../records.ts';
import type { Visitor } from '../store/rows/sessions.ts';
import type { Recording } from './guards.ts';

const reply = json<DoneReply>(200, { ok: true });

export const join = (_: Request, visitor: Visitor): Recording => ({
  reply,
  visit: { visitor, at: Date.now() },
});
