/** The form that invites one guest. */
import { unwrapAddress } from '../../lib/addresses.ts';
import { find } from '../everyone/shared.ts';
import { Failure, type InviteReply, report, send } from './api.ts';
import { copyButton, element, whileBusy } from './elements.ts';

const form = find('#invite-form', HTMLFormElement);
const email = find('#invite-email', HTMLInputElement);
const firstName = find('#invite-name', HTMLInputElement);
const submit = find('#invite-form button', HTMLButtonElement);
const done = find('#invited-one', HTMLElement);

const REFUSALS: Readonly<Record<string, string>> = {
  invalid_email: 'This is not a full email address, like ada@example.com.',
  invalid_first_name: 'A first name has at most 100 characters, and no control characters.',
  already_invited: 'This address is already invited. Its link is in the list below.',
};

/** @param changed reads the invite list again after an invitation */
export function startInvite(changed: () => Promise<void>): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    whileBusy(submit, () => invite(changed).catch(refuse));
  });
}

/** @param changed is not waited for, so that the next guest can be invited */
async function invite(changed: () => Promise<void>): Promise<void> {
  clear();
  const typed = { email: unwrapAddress(email.value), firstName: firstName.value };
  const { invite: guest } = await send<InviteReply>('/api/svcops/invites', typed);
  const words = element('span', 'done', `Invited ${guest.email}. `);
  done.append(words, element('code', '', guest.link), ' ', copyButton(guest.link, guest.email));
  form.reset();
  email.focus();
  changed();
}

function refuse(error: unknown): void {
  const code = error instanceof Failure ? error.code : '';
  const refusal = REFUSALS[code];
  if (refusal === undefined) {
    report(error);
    return;
  }
  const field = code === 'invalid_first_name' ? firstName : email;
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
