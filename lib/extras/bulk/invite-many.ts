/**
 * Invites the people of a list in one request. It says what each line is, then saves the new ones.
 */
import { suggestDomain } from '../../addresses/address.ts';
import { withReadable } from '../../addresses/normalize.ts';
import type { WithBody } from '../../http/json-body.ts';
import { errorReply, jsonReply, type Reply } from '../../http/reply.ts';
import type { VisitorContext } from '../../routes/guards.ts';
import type { ServerStore } from '../../store/open.ts';
import { type ListEntry, readList } from './read-list.ts';
import type { InviteLine, InviteManyReply } from './reply.ts';

/** How much of a row is shown, in characters. */
const SHOWN_LENGTH = 200;

/** Largest body, in bytes. */
export const MAX_LIST_BYTES = 1024 * 1024;

export const inviteMany =
  (store: ServerStore) =>
  ({
    visitor,
    replyWithoutSession,
    body: { text, save },
  }: VisitorContext & WithBody): Reply | Promise<Reply> => {
    // The body may arrive long after the headers, so the session is checked again.
    if (!store.isAdmin(visitor)) return replyWithoutSession();
    if (typeof text !== 'string') return errorReply(400, 'invalid_text');
    const { entries, ...reading } = readList(text);
    const lines = entries.map((entry) => toLine(entry, store));
    const reply = (shown: readonly InviteLine[], added: number) =>
      jsonReply<InviteManyReply>(200, { lines: shown.map(withReadable), ...reading, added });
    if (save !== true) return reply(lines, 0);

    return store.write(({ invites, sessions }) => {
      if (!sessions.isAdmin(visitor)) return replyWithoutSession();
      const invitedAt = invites.newMoment();
      const add = ({ email, firstName }: InviteLine): boolean => {
        const invite = { email, firstName, invitedBy: visitor.email, invitedAt };
        return invites.add(invite, { by: visitor.email, via: 'page' });
      };
      // Another administrator may have invited some of them since the comparison.
      const saved = lines.map((line) =>
        line.status !== 'new' || add(line) ? line : { ...line, status: 'invited' as const },
      );
      return reply(saved, saved.filter(({ status }) => status === 'new').length);
    });
  };

/** Compares an entry with the invite list. A refused one is not looked up: there may be many. */
function toLine(entry: ListEntry, { invites }: ServerStore): InviteLine {
  const { line, email, firstName, isDoubtful, reason, typedEmail } = entry;
  const text = entry.text.slice(0, SHOWN_LENGTH);
  const read = { line, text, email, firstName, isDoubtful: false, reason, suggestion: null };
  if (reason !== null) return { ...read, status: 'refused' };
  // An invite that another program wrote may have the address as it was typed.
  const invite = invites.find(email) ?? invites.find(typedEmail);
  if (!invite) {
    const suggestion = suggestDomain(email) ?? null;
    return { ...read, status: 'new', isDoubtful, suggestion };
  }
  const isOther = firstName !== null && firstName !== invite.firstName;
  return { ...read, email: invite.email, status: isOther ? 'renames' : 'invited' };
}
