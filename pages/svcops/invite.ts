/** The form that invites one guest. */
import { readInvitedEmail, unwrapAddress } from '../../lib/addresses.ts';
import { find } from '../everyone/shared.ts';
import { Failure, type InviteReply, report, send } from './api.ts';
import { copyButton, element, personLink, whileBusy } from './elements.ts';
import { invitedGuests } from './guests.ts';

const form = find('#invite-form', HTMLFormElement);
const email = find('#invite-email', HTMLInputElement);
const firstName = find('#invite-name', HTMLInputElement);
const submit = find('#invite-form button', HTMLButtonElement);
const done = find('#invited-one', HTMLElement);

/** What the service can refuse. */
export const REFUSALS: Readonly<Record<string, string>> = {
  invalid_email: 'Enter a full email address, like ada@example.com.',
  invalid_first_name: 'Use at most 100 ordinary characters.',
};

/** @param changed reads the invite list again after an invitation */
export function startInvite(changed: () => Promise<void>): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    whileBusy(submit, () => invite(changed).catch((error) => refuse(error, changed)));
  });
}

/** @param changed is not waited for, so that the next guest can be invited */
async function invite(changed: () => Promise<void>): Promise<void> {
  clear();
  const typed = { email: unwrapAddress(email.value), firstName: firstName.value };
  const { invite: guest } = await send<InviteReply>('/api/svcops/invites', typed);
  offer('Invited', guest);
  form.reset();
  email.focus();
  changed();
}

/** The link to send, and the way to the page of the person. */
function offer(words: string, guest: InviteReply['invite']): void {
  done.append(
    element('span', 'done', `${words} `, personLink(guest.email), '. '),
    element('code', '', guest.link),
    ' ',
    copyButton(guest.link, guest.email),
  );
}

async function refuse(error: unknown, changed: () => Promise<void>): Promise<void> {
  const code = error instanceof Failure ? error.code : '';
  const refusal = REFUSALS[code];
  if (code === 'already_invited') await offerInvited(changed);
  else if (refusal === undefined) report(error);
  else showRefusal(code === 'invalid_first_name' ? firstName : email, refusal);
}

/** Another administrator may have invited the guest since the list was read. */
async function offerInvited(changed: () => Promise<void>): Promise<void> {
  await changed();
  const address = readInvitedEmail(unwrapAddress(email.value));
  const guest = invitedGuests().find((each) => each.email === address);
  if (guest) offer('Already invited:', guest);
}

function showRefusal(field: HTMLInputElement, refusal: string): void {
  find(`#${field.id}-error`, HTMLElement).textContent = refusal;
  field.ariaInvalid = 'true';
  field.focus();
}

function clear(): void {
  done.replaceChildren();
  for (const field of [email, firstName]) {
    find(`#${field.id}-error`, HTMLElement).textContent = '';
    field.ariaInvalid = null;
  }
}
