/** The form that invites a guest. */
import { suggestDomain } from '../../lib/addresses/address.ts';
import { unwrapAddress } from '../../lib/addresses/unwrap.ts';
import type { InviteReply } from '../../lib/routes/replies.ts';
import { Failure, post } from './api.ts';
import { button, find, say, update } from './elements.ts';
import { hideInvitation, showInvitation } from './extras/letters/invitation.ts'; // extra: letters
import { personLink, readableOf } from './parts.ts';

const form = find('#invite-form', HTMLFormElement);
const email = find('#invite-email', HTMLInputElement);
const firstName = find('#invite-name', HTMLInputElement);
const fields = [email, firstName];
const message = find('#invite-message', HTMLElement);

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const typed = typedAddress().toLowerCase();
  const meant = suggestDomain(typed);
  if (meant) ask(typed.replace(/@.*/, `@${meant}`));
  else send();
});

/** The address in the field, without the text around it. */
const typedAddress = (): string => unwrapAddress(email.value).address;

/** Asks about a domain that is probably misspelt. */
function ask(meant: string): void {
  hideInvitation(); // extra: letters
  const mend = button(`Did you mean ${meant}?`, () => {
    email.value = meant;
    send();
  });
  say(message, '');
  update(message, mend, ' ', button('Invite anyway', send));
  mend.focus();
}

async function send(): Promise<void> {
  if (email.readOnly) return;
  const address = typedAddress();
  for (const field of fields) field.readOnly = true;
  hideInvitation(); // extra: letters
  say(message, `Inviting ${address}…`);
  const entered = Object.fromEntries(new FormData(form));
  const reply = await post<InviteReply>('invites', { ...entered, email: address })
    .then(({ invite }) => invite)
    .catch((error) => (error instanceof Failure ? error : new Failure('offline')));
  for (const field of fields) {
    field.readOnly = false;
    field.ariaInvalid = null;
  }
  if (reply instanceof Failure) refuse(reply, address);
  else confirm(reply);
  // An invite without a reply may have been written, so read the lists again.
  dispatchEvent(new Event('invited'));
}

function confirm(invited: InviteReply['invite']): void {
  form.reset();
  email.focus();
  say(message, `Invited ${readableOf(invited)}.`, 'done');
  showInvitation(invited); // extra: letters
}

function refuse({ kind, code, message: why }: Failure, address: string): void {
  const refusal = REFUSALS[code] ?? `Not invited. The service answered ${code}.`;
  // Without a usable reply, the invite may have been written.
  const lost = kind === 'ended' ? `Not invited. ${why}` : 'No response. You can safely try again.';
  say(message, kind === 'refused' ? refusal : lost, 'failed');
  if (code === 'already_invited')
    message.replaceChildren(personLink({ email: address }), ' is already invited.');
  const wrong = code === 'invalid_first_name' ? firstName : email;
  if (kind !== 'ended') wrong.ariaInvalid = 'true';
  wrong.focus();
}

const REFUSALS: Readonly<Record<string, string>> = {
  invalid_email: 'Enter a full email address, like ada@example.com.',
  mixed_alphabets: 'This address has letters of two alphabets. Type it by hand.',
  invalid_first_name: 'Enter a first name of at most 100 characters.',
};
