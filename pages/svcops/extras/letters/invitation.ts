/** The invitation of the guest who was just invited. */
import type { Addressee } from '../../../../lib/extras/letters/letters.ts';
import { find } from '../../elements.ts';
import { showLetter } from './letters.ts';

const invitation = find('#invitation', HTMLElement);

/** Hides the invitation of the last person. It must not be sent to the next one. */
export function hideInvitation(): void {
  invitation.hidden = true;
}

export function showInvitation(invited: Addressee): void {
  showLetter(invitation, invited, 'invitation');
  invitation.hidden = false;
}
