/** The form that invites, and the invitation to send: the service itself sends no mail. */
import { meantDomain } from '../../lib/addresses/address.ts';
import type { InviteReply } from '../../lib/routes/replies.ts';
import { Failure, post } from './api.ts';
import { button, find, say, update } from './elements.ts';
import { letterBox } from './letters.ts';
import { personLink, readableOf } from './parts.ts';

const form = find('#invite-form', HTMLFormElement);
const email = find('#invite-email', HTMLInputElement);
const firstName = find('#invite-name', HTMLInputElement);
const submit = find('button', HTMLButtonElement, form);
const message = find('#invite-message', HTMLElement);
const invitation = find('#invitation', HTMLElement);
const writeTo = letterBox(invitation);

type Invited = InviteReply['invite'];

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (submit.ariaDisabled === 'true') return;
  const typed = email.value.trim().toLowerCase();
  const meant = meantDomain(typed);
  if (meant) ask(typed.replace(/@.*/, `@${meant}`));
  else send();
});

/** Asks about a domain that is probably misspelt. */
function ask(meant: string): void {
  invitation.hidden = true;
  const mend = button(`Did you mean ${meant}?`, () => {
    email.value = meant;
    send();
  });
  say(message, '');
  update(message, mend, ' ', button('Invite anyway', send));
  mend.focus();
}

async function send(): Promise<void> {
  submit.ariaDisabled = 'true';
  const address = email.value.trim();
  const hadFocus = [form, message].some((each) => each.contains(document.activeElement));
  // The invitation of the previous person must not be sent to this one.
  invitation.hidden = true;
  say(message, `Inviting ${address}…`);
  const reply = await post<InviteReply>('invites', { email: address, firstName: firstName.value })
    .then(({ invite }) => invite)
    .catch((error) => (error instanceof Failure ? error : new Failure('offline')));
  submit.ariaDisabled = null;
  if (reply instanceof Failure) refuse(reply, address, hadFocus);
  else confirm(reply, address, hadFocus);
  // Also an invite without a reply may be written.
  dispatchEvent(new Event('invited'));
}

function confirm(invited: Invited, address: string, hadFocus: boolean): void {
  // Another address may have been typed in the meantime: keep it, its focus and its validity.
  mark(null);
  if (email.value.trim() === address) {
    form.reset();
    if (hadFocus) email.focus();
  }
  say(message, `Invited ${readableOf(invited)}.`, 'done');
  invitation.hidden = false;
  writeTo('invitation', invited);
}

function refuse({ kind, code, message: why }: Failure, address: string, hadFocus: boolean): void {
  const known = [personLink({ email: address }), ' is already invited.'];
  const refusal = REFUSALS[code] ?? `Not invited. The service answered ${code}.`;
  // Without a usable reply, the invite may have been written.
  const lost = kind === 'ended' ? `Not invited. ${why}` : 'No response. You can safely try again.';
  const text = kind === 'refused' ? refusal : lost;
  const isSame = email.value.trim() === address;
  const wrong = code === 'invalid_first_name' ? firstName : email;
  say(message, isSame ? '' : `${address}: `, 'failed');
  message.append(...(code === 'already_invited' ? known : [text]));
  mark(isSame && kind !== 'ended' ? wrong : null);
  if (isSame && hadFocus) wrong.focus();
}

function mark(wrong: HTMLInputElement | null): void {
  for (const each of [email, firstName]) each.ariaInvalid = each === wrong ? 'true' : null;
}

const REFUSALS: Readonly<Record<string, string>> = {
  invalid_email: 'Enter a full email address, like ada@example.com.',
  invalid_first_name: 'Enter a first name of at most 100 characters.',
};
