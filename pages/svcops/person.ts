/** The page of one person, whom the address names. It shows only this person's logs. */
import { find } from '../everyone/shared.ts';
import { shownPerson } from './address.ts';
import { Failure, report, send } from './api.ts';
import { copyButton, element, partsOf, whileBusy } from './elements.ts';
import { statusElement } from './funnel.ts';
import { invitedElement, invitedGuests } from './guests.ts';
import { REFUSALS } from './invite.ts';

const title = find('#person-title', HTMLElement);
const about = find('#about', HTMLElement);
const form = find('#name-form', HTMLFormElement);
const firstName = find('#name', HTMLInputElement);
const save = find('#name-form button', HTMLButtonElement);
const outcome = find('#name-outcome', HTMLElement);
const joins = find('#clicks', HTMLDetailsElement);

let shown = '';

/** Shows the person of the address, or everyone again. */
export function showPerson(): void {
  shown = shownPerson();
  document.body.classList.toggle('one', shown !== '');
  if (shown !== '') joins.open = true;
  const guest = invitedGuests().find(({ email }) => email === shown);
  form.hidden = guest === undefined;
  title.textContent = guest?.firstName ?? shown;
  about.replaceChildren(guest ? '' : 'No longer on the invite list.');
  if (!guest) return;
  firstName.value = guest.firstName ?? '';
  const { email, isAdmin, status, link } = guest;
  about.append(
    element(
      'p',
      '',
      element('span', '', ...partsOf(email)),
      statusElement(status),
      isAdmin ? 'Administrator' : '',
    ),
    element('p', 'quiet', element('span', '', 'Invited ', invitedElement(guest))),
    element('p', '', element('code', '', link), copyButton(link, email)),
  );
}

/** After a change of the address: leads to the person, or back to the row. */
export function followPerson(): void {
  const left = shown;
  showPerson();
  outcome.textContent = '';
  if (shown === left) return;
  if (shown === '') {
    joins.open = false;
    const row = `main a[href="?person=${encodeURIComponent(left)}"]`;
    document.querySelector<HTMLElement>(row)?.focus();
  } else {
    scrollTo({ top: 0, behavior: 'instant' });
    title.focus({ preventScroll: true });
  }
}

/** @param changed reads the invite list again */
async function saveName(changed: () => Promise<void>): Promise<void> {
  outcome.textContent = '';
  await send('/api/svcops/invites/name', { email: shown, firstName: firstName.value });
  await changed();
  outcome.textContent = 'Saved.';
}

function refuse(error: unknown): void {
  const refusal = error instanceof Failure ? REFUSALS[error.code] : undefined;
  if (refusal === undefined) report(error);
  else outcome.textContent = refusal;
}

/** @param changed reads the invite list again after a correction */
export function startPerson(changed: () => Promise<void>): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    whileBusy(save, () => saveName(changed).catch(refuse));
  });
}
