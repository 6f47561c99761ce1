/** Finds the list that an administrator has just saved, even if the reply was lost. */
import type { InvitesReply } from '../../../../lib/routes/replies.ts';
import { read, readMe } from '../../api.ts';

export type SavedList = {
  /** The moment of all its invites, in epoch ms. */
  readonly invitedAt: number;
  /** The number of its guests. */
  readonly count: number;
};

/** How many of the newest guests are searched for a list: as many as a reply has. */
const NEWEST = { sort: 'invitedAt', order: 'desc', limit: '500' };

/**
 * @param emails of people who were new before the save
 * @returns `undefined` if this administrator has invited none of them
 * @throws {Failure} if the service cannot be read
 */
export async function findSavedList(emails: ReadonlySet<string>): Promise<SavedList | undefined> {
  const [me, newest] = await Promise.all([readMe(), read<InvitesReply>('invites', NEWEST)]);
  // Other administrators may have invited some of them in the meantime.
  const mine = newest.invites.find(
    ({ email, invitedBy }) => invitedBy === me.email && emails.has(email),
  );
  const invitedAt = mine?.invitedAt ?? undefined;
  if (invitedAt === undefined) return undefined;
  const query = { invitedAt: String(invitedAt), limit: '1' };
  const { total } = await read<InvitesReply>('invites', query);
  return { invitedAt, count: total };
}
