/** The form that invites one guest. */
import { readInvitedEmail, unwrapAddress } from '../../lib/addresses.ts';
import { find } from '../everyone/shared.ts';
import { Failure, type InviteReply, send } from './api.ts';
import { copyButton, element, personLink } from './elements.ts';
import { startForm } from './form.ts';
import { invitedGuests } from './guests.ts';

const form = find('#invite-form', HTMLFormElement);
const email = find('#invite-form [name="email"]', HTMLInputElement);
const firstName = find('#invite-form [name="firstName"]', HTMLInputElement);
const outcome = find('#invited', HTMLElement);

/** @param changed reads the invite list again after an invitation */
export function startInvite(changed: () => Promise<void>): void {
  startForm('#invite-form', () => invite(changed).catch((error) => offerInvited(error, changed)));
}

/** @param changed is not waited for, so that the next guest can be invited */
async function invite(changed: () => Promise<void>): Promise<void> {
  const typed = { email: unwrapAddress(email.value), firstName: firstName.value };
  const { invite: guest } = await send<InviteReply>('/api/svcops/invites', typed);
  offer('Invited', guest);
  form.reset();
  email.focus();
  changed();
}

/** Another administrator may have invited the guest since the list was read. */
async function offerInvited(error: unknown, changed: () => Promise<void>): Promise<void> {
  if (!(error instanceof Failure) || error.code !== 'already_invited') throw error;
  await changed();
  const address = readInvitedEmail(unwrapAddress(email.value));
  const guest = invitedGuests().find((each) => each.email === address);
  if (guest) offer('Already invited:', guest);
}

/** The link to send, and the way to the page of the person. */
function offer(words: string, { email: address, link }: InviteReply['invite']): void {
  outcome.append(
    element('span', 'done', `${words} `, personLink(address), '. '),
    element('code', '', link),
    ' ',
    copyButton(link, address),
  );
}
