/** The form that invites, and the invitation to send: the service itself sends no mail. */
import { meantDomain } from '../../lib/address.ts';
import type { Addressee } from '../../lib/letters.ts';
import { Failure, postInvite } from './api.ts';
import { addToList } from './bulk-invite.ts';
import { element, find, say, update } from './elements.ts';
import { letterBox } from './letters.ts';
import { personLink, readableOf } from './parts.ts';

const form = find('#invite-form', HTMLFormElement);
const email = find('#invite-email', HTMLInputElement);
const firstName = find('#invite-name', HTMLInputElement);
const submit = find('button', HTMLButtonElement, form);
const message = find('#invite-message', HTMLElement);
const invitation = find('#invitation', HTMLElement);
const writeTo = letterBox(invitation);

type Outcome = {
  readonly text: readonly (Node | string)[];
  readonly invited?: Addressee;
  /** The field that is wrong. */
  readonly wrong?: HTMLInputElement;
};

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (submit.ariaDisabled === 'true') return;
  const [local = '', typed = ''] = email.value.trim().toLowerCase().split('@');
  const meant = meantDomain(typed);
  if (meant) ask(`${local}@${meant}`);
  else send();
});

/** Asks about a domain that is probably misspelt. */
function ask(meant: string): void {
  invitation.hidden = true;
  const choice = (text: string, address: string) => {
    const button = element('button', '', text);
    button.type = 'button';
    button.addEventListener('click', () => {
      email.value = address;
      send();
    });
    return button;
  };
  const mend = choice(meant, meant);
  say(message, '');
  update(message, 'Did you mean ', mend, '? ', choice('Invite anyway', email.value));
  mend.focus();
}

async function send(): Promise<void> {
  submit.ariaDisabled = 'true';
  const address = email.value.trim();
  const hadFocus = [form, message].some((each) => each.contains(document.activeElement));
  // The invitation of the previous person must not be sent to this one.
  invitation.hidden = true;
  say(message, `Inviting ${address}…`);
  const { text, invited, wrong } = await invite(address, firstName.value);
  submit.ariaDisabled = null;
  // Another address may have been typed in the meantime: keep it, its focus and its validity.
  const same = email.value.trim() === address;
  if (invited && same) form.reset();
  say(message, '', invited ? 'done' : 'failed');
  update(message, ...(same || invited ? text : [`${address}: `, ...text]));
  for (const field of [email, firstName])
    field.ariaInvalid = same && field === wrong ? 'true' : null;
  if (same && hadFocus) (wrong ?? email).focus();
  invitation.hidden = !invited;
  if (invited) writeTo('invitation', invited);
  // Also an invite without a reply may be written.
  dispatchEvent(new Event('invited'));
}

email.addEventListener('paste', (event) => {
  const text = event.clipboardData?.getData('text/plain').trim() ?? '';
  // Several addresses, or one with a name, are for the form that invites many.
  if (!/@.*[@\s<>,;]|[\s<>,;].*@/s.test(text)) return;
  event.preventDefault();
  addToList(text);
});

async function invite(address: string, name: string): Promise<Outcome> {
  try {
    const { invite: invited } = await postInvite(address, name);
    return { text: [`Invited ${readableOf(invited)}.`], invited };
  } catch (error) {
    const { kind, code, message } = error instanceof Failure ? error : new Failure('offline');
    if (kind === 'ended') return { text: [`Not invited. ${message}`] };
    // The reply may have been lost after the invite was written.
    if (kind !== 'refused')
      return { text: ['No response. You can safely try again.'], wrong: email };
    if (code === 'already_invited')
      return { text: [personLink({ email: address }), ' is already invited.'], wrong: email };
    return {
      text: [REFUSALS[code] ?? `Not invited. The service answered ${code}.`],
      wrong: code === 'invalid_first_name' ? firstName : email,
    };
  }
}

const REFUSALS: Readonly<Record<string, string>> = {
  invalid_email: 'Enter a full email address, like ada@example.com.',
  invalid_first_name: 'Enter a first name of at most 100 characters.',
};
