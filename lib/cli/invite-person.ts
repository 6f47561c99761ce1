/** Invites one person, for `invite add`. */
import { linkTo } from '../addresses/link.ts';
import { readableEmail } from '../addresses/normalize.ts';
import type { Writer } from '../store/open.ts';

/** What became of a person: `known` if nothing changed. */
export type Invited = {
  readonly email: string;
  readonly firstName: string | null;
  readonly outcome: 'invited' | 'renamed' | 'known';
  /** The link to send. */
  readonly link: string;
};

/** Invites a person, or sets another first name. */
export function invitePerson(
  { invites }: Writer,
  email: string,
  firstName: string | null,
  publicOrigin: string,
): Invited {
  const link = linkTo(publicOrigin, readableEmail(email));
  if (invites.add({ email, firstName, invitedBy: 'cli', invitedAt: Date.now() }))
    return { email, firstName, outcome: 'invited', link };
  if (firstName !== null && invites.setFirstName(email, firstName))
    return { email, firstName, outcome: 'renamed', link };
  return { email, firstName, outcome: 'known', link };
}
