/** The form that invites, and the text to send to whom it invited: the service itself sends no mail. */
import { Failure, type Invite, postInvite } from './svcops-api.ts';
import { element, find } from './svcops-elements.ts';

const form = find('#invite-form', HTMLFormElement);
const email = find('#invite-email', HTMLInputElement);
const firstName = find('#invite-name', HTMLInputElement);
const submit = find('button', HTMLButtonElement, form);
const message = find('#invite-message', HTMLElement);
const invitation = find('#invitation', HTMLElement);

const { site = '', title = '' } = document.body.dataset;

/** Calls `refresh` whenever somebody has been invited. */
export function inviteBy(refresh: () => Promise<unknown>): void {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (submit.ariaDisabled === 'true') return;
    submit.ariaDisabled = 'true';
    await invite(refresh);
    submit.ariaDisabled = null;
  });
}

async function invite(refresh: () => Promise<unknown>): Promise<void> {
  // The text for whoever was invited before must not be sent to somebody else.
  invitation.replaceChildren();
  try {
    const invited = await postInvite(email.value, firstName.value);
    say('done', `${invited.email} is invited.`);
    const hint = element('p', '', 'Invitation to send: this service sends no mail itself');
    invitation.replaceChildren(hint, invitationFor(invited));
    form.reset();
    email.focus();
    await refresh();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const field = error.code === 'invalid_first_name' ? firstName : email;
    say('failed', MESSAGES[error.code || error.kind] ?? `Not invited (${error.code}).`);
    if (error.kind === 'refused') field.ariaInvalid = 'true';
    field.focus();
  }
}

const MESSAGES: Readonly<Record<string, string>> = {
  invalid_email: 'Not invited: that is not an email address such as ada@example.com.',
  invalid_first_name: 'Not invited: a first name has at most 100 characters, all of them letters.',
  already_invited: 'Already on the invite list: nothing has changed.',
  offline: 'Not invited: no connection to the service. Please try again.',
  ended: 'Not invited: your session has ended, or you are no longer an administrator.',
  unavailable: 'Not invited: the service cannot write just now. Please try again.',
};

function say(outcome: 'done' | 'failed', what: string): void {
  for (const field of [email, firstName]) field.ariaInvalid = null;
  message.className = outcome;
  message.textContent = what;
}

/** The text to send to somebody who is invited, and a button that copies it. */
export function invitationFor({ email, firstName }: Pick<Invite, 'email' | 'firstName'>) {
  const text = element('textarea');
  text.readOnly = true;
  text.rows = 8;
  text.ariaLabel = `Invitation to send to ${email}`;
  text.textContent = [
    firstName ? `Hello ${firstName},` : 'Hello,',
    '',
    `you are invited to a private preview of ${title}:`,
    site,
    '',
    `Log in there with this address, ${email}. There is no password.`,
  ].join('\n');
  const copy = element('button', '', 'Copy the invitation');
  copy.type = 'button';
  const copied = element('span');
  copied.role = 'status';
  copy.addEventListener('click', async () => {
    text.select();
    try {
      await navigator.clipboard.writeText(text.value);
      copied.textContent = 'Copied.';
    } catch {
      // Browsers keep the clipboard from pages that came without https.
      copied.textContent = 'The browser does not let this page copy; the text is selected for you.';
    }
  });
  return element('div', 'invitation', text, element('p', '', copy, ' ', copied));
}
