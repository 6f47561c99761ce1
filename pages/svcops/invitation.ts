/** The form that invites, and the invitation to send: the service itself sends no mail. */
import type { PersonReply } from '../../lib/records.ts';
import { Failure, postInvite, read } from './api.ts';
import { element, find } from './elements.ts';
import { type Invited, letterFor } from './letters.ts';
import { readable } from './readable.ts';

const form = find('#invite-form', HTMLFormElement);
const email = find('#invite-email', HTMLInputElement);
const firstName = find('#invite-name', HTMLInputElement);
const submit = find('button', HTMLButtonElement, form);
const message = find('#invite-message', HTMLElement);
const invitation = find('#invitation', HTMLElement);

type Outcome = {
  readonly text: string;
  readonly invited?: Invited;
  /** The field that is wrong. */
  readonly wrong?: HTMLInputElement;
};

/** Calls `readNow` after each attempt: an invite may be written although its reply is lost. */
export function wireInvitation(readNow: () => Promise<unknown>): void {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (submit.ariaDisabled === 'true') return;
    submit.ariaDisabled = 'true';
    const address = email.value.trim();
    // The invitation of the previous person must not be sent to this one.
    invitation.replaceChildren();
    say({ text: `Inviting ${address}…` });
    const outcome = await invite(address, firstName.value);
    submit.ariaDisabled = null;
    const { invited, wrong = email } = outcome;
    // Another address may have been typed in the meantime: keep it, its focus and its validity.
    const same = email.value.trim() === address;
    if (invited && same) form.reset();
    const named = same || invited ? outcome : { text: `${address}: ${outcome.text}` };
    say(named, invited ? 'done' : 'failed');
    if (same && form.contains(document.activeElement)) wrong.focus();
    readNow();
  });
}

async function invite(address: string, name: string): Promise<Outcome> {
  try {
    const { invite: invited } = await postInvite(address, name);
    return { text: `${readable(invited.email)} is invited.`, invited };
  } catch (error) {
    const { kind, code } = error instanceof Failure ? error : new Failure('offline');
    if (kind === 'ended')
      return {
        text: 'Not invited: your session has ended, or you are no longer an administrator.',
      };
    if (kind === 'refused')
      return {
        text: REFUSALS[code] ?? `Not invited: the service answered ${code}.`,
        wrong: code === 'invalid_first_name' ? firstName : email,
      };
  }
  // The reply may have been lost after the invite was written.
  say({ text: `No answer came. ${address} may be invited. Looking…` });
  try {
    const { person } = await read<PersonReply>('person', { email: address });
    return person?.status
      ? { text: `${readable(person.email)} is on the invite list.`, invited: person }
      : { text: `No answer came, and ${address} is not on the invite list. Please try again.` };
  } catch {
    return { text: `No answer came. ${address} may be invited: the invite list will tell.` };
  }
}

const REFUSALS: Readonly<Record<string, string>> = {
  invalid_email: 'Not invited: that is not an email address such as ada@example.com.',
  invalid_first_name: 'Not invited: a first name has at most 100 characters, all of them letters.',
  already_invited: 'Already on the invite list: nothing has changed.',
};

function say({ text, invited, wrong }: Outcome, className: 'done' | 'failed' | '' = ''): void {
  for (const field of [email, firstName]) field.ariaInvalid = field === wrong ? 'true' : null;
  message.className = className;
  message.textContent = text;
  if (!invited) return;
  const hint = element('p', '', 'Invitation to send: this service sends no mail itself');
  invitation.replaceChildren(hint, letterFor('invitation', invited));
}
