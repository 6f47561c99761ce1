/**
 * The page of one person, whom the address names: `?person=ada%40example.com`. It shows only this
 * person's logs.
 */
import { readEmail } from '../../lib/addresses.ts';
import { find } from '../everyone/shared.ts';
import { clearTrouble, report, send } from './api.ts';
import { copyButton, element, partsOf } from './elements.ts';
import { startForm } from './form.ts';
import { statusElement } from './funnel.ts';
import { invitedElement, invitedGuests } from './guests.ts';

const title = find('#person-title', HTMLElement);
const about = find('#about', HTMLElement);
const form = find('#name-form', HTMLFormElement);
const firstName = find('#name-form input', HTMLInputElement);
const outcome = find('#name-form [role="status"]', HTMLElement);
const joins = find('#clicks', HTMLDetailsElement);

/** The email address of the person whom the address names; empty for everyone. */
export function shownPerson(): string {
  return readEmail(new URLSearchParams(location.search).get('person') ?? '') ?? '';
}

/** Who is on the screen, and whose logs were asked for last. */
let shown = '';
let asked = shownPerson();

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

/** Leads to the person of a new address, or back to the row. */
async function follow(readLogs: () => Promise<void>): Promise<void> {
  // A link to a section changes the address too.
  if (shownPerson() === asked) return;
  asked = shownPerson();
  await readLogs();
  clearTrouble();
  const left = shown;
  showPerson();
  outcome.textContent = '';
  if (shown === '') {
    joins.open = false;
    const row = `main a[href="?person=${encodeURIComponent(left)}"]`;
    document.querySelector<HTMLElement>(row)?.focus();
  } else {
    scrollTo({ top: 0, behavior: 'instant' });
    title.focus({ preventScroll: true });
  }
}

/** Follows links such as `?person=` without leaving the page, where typed text would be lost. */
function followAddress(changed: () => void): void {
  document.addEventListener('click', (event) => {
    const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey);
    const link = event.target instanceof Element ? event.target.closest('a[href^="?"]') : null;
    if (!isPlain || !(link instanceof HTMLAnchorElement)) return;
    event.preventDefault();
    history.pushState(null, '', link.href);
    changed();
  });
  addEventListener('popstate', changed);
}

/** @param changed reads the invite list again */
async function saveName(changed: () => Promise<void>): Promise<void> {
  await send('/api/svcops/invites/name', { email: shown, firstName: firstName.value });
  await changed();
  outcome.textContent = 'Saved.';
}

/**
 * @param readLogs reads the logs of the person whom the address names
 * @param changed reads the invite list again after a correction
 */
export function startPerson(readLogs: () => Promise<void>, changed: () => Promise<void>): void {
  followAddress(() => follow(readLogs).catch(report));
  startForm('#name-form', () => saveName(changed));
}
