/** The form that invites, and the invitation to send: the service itself sends no mail. */
import { meantDomain } from '../../lib/address.ts';
import { Failure, postInvite } from './api.ts';
import { addToList } from './bulk-invite.ts';
import { afterPause, element, find, say, update } from './elements.ts';
import { type Invited, letter } from './letters.ts';
import { readableOf } from './parts.ts';

const form = find('#invite-form', HTMLFormElement);
const email = find('#invite-email', HTMLInputElement);
const firstName = find('#invite-name', HTMLInputElement);
const submit = find('button', HTMLButtonElement, form);
const message = find('#invite-message', HTMLElement);
const doubt = find('#invite-doubt', HTMLElement);
const invitation = find('#invitation', HTMLElement);
const writeTo = letter('Invitation', invitation);

type Outcome = {
  readonly text: string;
  readonly invited?: Invited;
  /** The field that is wrong. */
  readonly wrong?: HTMLInputElement;
};

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  if (submit.ariaDisabled === 'true') return;
  submit.ariaDisabled = 'true';
  const address = email.value.trim();
  // The invitation of the previous person must not be sent to this one.
  invitation.hidden = true;
  say(message, `Inviting ${address}…`);
  const { text, invited, wrong } = await invite(address, firstName.value);
  submit.ariaDisabled = null;
  // Another address may have been typed in the meantime: keep it, its focus and its validity.
  const same = email.value.trim() === address;
  if (invited && same) form.reset();
  ask();
  say(message, same || invited ? text : `${address}: ${text}`, invited ? 'done' : 'failed');
  for (const field of [email, firstName])
    field.ariaInvalid = same && field === wrong ? 'true' : null;
  if (same && form.contains(document.activeElement)) (wrong ?? email).focus();
  invitation.hidden = !invited;
  if (invited) writeTo(invited);
  // Also an invite without a reply may be written.
  dispatchEvent(new Event('invited'));
});

/** Asks about a domain that is probably misspelt. */
function ask(): void {
  const [local = '', typed = ''] = email.value.trim().toLowerCase().split('@');
  const meant = meantDomain(typed);
  update(doubt);
  if (!meant) return;
  const mend = element('button', '', meant);
  mend.addEventListener('click', () => {
    email.value = `${local}@${meant}`;
    update(doubt);
    email.focus();
  });
  update(doubt, 'Did you mean ', mend, '?');
}

email.addEventListener('input', afterPause(ask));
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
    return { text: `${readableOf(invited)} is on the invite list.`, invited };
  } catch (error) {
    const { kind, code, message } = error instanceof Failure ? error : new Failure('offline');
    if (kind === 'ended') return { text: `Not invited. ${message}` };
    // The reply may have been lost after the invite was written.
    if (kind !== 'refused') return { text: 'No response. You can safely try again.', wrong: email };
    return {
      text: REFUSALS[code] ?? `Not invited. The service answered ${code}.`,
      wrong: code === 'invalid_first_name' ? firstName : email,
    };
  }
}

const REFUSALS: Readonly<Record<string, string>> = {
  invalid_email: 'Enter an email address such as ada@example.com.',
  invalid_first_name: 'Enter a first name of at most 100 characters.',
  already_invited: 'Already on the invite list. Nothing was changed.',
};
