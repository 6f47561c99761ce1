/** The invitation of the guest who was just invited: the service itself sends no mail. */
import { type Addressee, mailto } from '../../../../lib/extras/letters/letters.ts';
import { find } from '../../elements.ts';
import { readableOf } from '../../parts.ts';
import { letterTo } from './letters.ts';

const invitation = find('#invitation', HTMLElement);
const letter = find('textarea', HTMLTextAreaElement, invitation);
const copied = find('[role=status]', HTMLElement, invitation);

/** Hides the invitation of the previous person, which must not be sent to the next one. */
export function hideInvitation(): void {
  invitation.hidden = true;
}

export function showInvitation(invited: Addressee): void {
  const written = letterTo(invited, 'invitation');
  letter.value = written.message;
  letter.ariaLabel = `Invitation for ${readableOf(invited)}`;
  find('a', HTMLAnchorElement, invitation).href = mailto(written);
  copied.textContent = '';
  invitation.hidden = false;
}

find('button', HTMLButtonElement, invitation).addEventListener('click', async () => {
  letter.select();
  try {
    await navigator.clipboard.writeText(letter.value);
    copied.textContent = 'Copied.';
  } catch {
    // Also where a page without HTTPS gets no clipboard.
    copied.textContent = 'Couldn’t copy. The text is selected, so you can copy it.';
  }
});
