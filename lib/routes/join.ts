/** The join call-to-action: one row for each click. */
import { json } from '../http/reply.ts';
import type { DoneReply } from '../records.ts';
import type { LoggedIn, Recording } from './guards.ts';

const reply = json<DoneReply>(200, { ok: true });

export const join = ({ session }: LoggedIn): Recording => ({
  reply,
  visit: { visitor: session, at: Date.now() },
});
