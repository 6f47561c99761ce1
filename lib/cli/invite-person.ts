/** Invites one person, for `invite add`. */
import { linkTo } from '../addresses/link.ts';
import { readableEmail } from '../addresses/normalize.ts';
import type { Store } from '../store/open.ts';
import type { Writer } from '../store/tables.ts';

/** A person to invite. */
export type NewPerson = {
  readonly email: string;
  /** The address as it was typed. An invite that another program wrote may have this form. */
  readonly typedEmail: string;
  readonly firstName: string | null;
};

/** What happened to a person: `known` if nothing changed. */
export type Invited = {
  readonly email: string;
  readonly firstName: string | null;
  readonly outcome: 'invited' | 'renamed' | 'known';
  /** The link to send. */
  readonly link: string;
};

/**
 * Invites a person, or sets another first name.
 *
 * @param invitedAt epoch ms; the same for all people of a list
 */
export function invitePerson(
  store: Store,
  { invites }: Writer,
  { email: newEmail, typedEmail, firstName }: NewPerson,
  publicOrigin: string,
  invitedAt: number,
): Invited {
  const email = store.invites.find(typedEmail)?.email ?? newEmail;
  const link = linkTo(publicOrigin, readableEmail(email));
  if (invites.add({ email, firstName, invitedBy: 'cli', invitedAt }))
    return { email, firstName, outcome: 'invited', link };
  if (firstName !== null && invites.setFirstName(email, firstName))
    return { email, firstName, outcome: 'renamed', link };
  return { email, firstName, outcome: 'known', link };
}
