/** One person's whole story, in a panel that the address names: `#person=ada%40example.com` can be linked to. */
import { Failure, type Person, type PersonReply, read } from './api.ts';
import { element, find, formatCount, sequence, timeElement, update } from './elements.ts';
import { invitationFor } from './invitation.ts';
import { explain } from './live.ts';
import { showShares } from './overview.ts';
import { readable } from './readable.ts';
import { type Entry, readStory, type Story } from './story.ts';
import { adminBadge, statusElement } from './tables.ts';

const panel = find('#person', HTMLDialogElement);
const title = find('#person-title', HTMLElement);
const close = find('#person-close', HTMLButtonElement);
const trouble = find('#person-trouble', HTMLElement);
const known = find('#person-known', HTMLElement);
const marks = find('#person-marks', HTMLElement);
const facts = find('#person-facts', HTMLElement);
const invitation = find('#person-invitation', HTMLDetailsElement);
const devices = find('#person-devices', HTMLElement);
const activity = find('#person-activity', HTMLElement);
const shown = find('#person-shown', HTMLElement);
const more = find('#person-more', HTMLButtonElement);

const showInvitation = sequence(
  find('div', HTMLElement, invitation),
  ({ email }) => email,
  invitationFor,
);
const showEntries = sequence(activity, ({ kind, id }) => `${kind} ${id}`, entryElement);

const FRAGMENT = /^#person=(.+)$/;

/** Entries read at first, and added by each "Show more". */
const STEP = 50;

/** Whose story is shown. */
let email: string | undefined;
let wanted = STEP;
let lastLoad = 0;
/** Whether the panel was opened from the page: going back closes it. */
let cameFromPage = false;

export function wirePerson(): void {
  addEventListener('hashchange', ({ oldURL }) => {
    cameFromPage = !FRAGMENT.test(new URL(oldURL).hash);
    follow();
  });
  close.addEventListener('click', () => panel.close());
  closeByBackdrop();
  panel.addEventListener('close', leave);
  more.addEventListener('click', () => {
    wanted += STEP;
    refreshPerson();
  });
  follow();
}

/** A press that begins and ends on the backdrop closes the panel; a selection that was dragged there does not. */
function closeByBackdrop(): void {
  // Events on the backdrop are the panel's own, to the left of it.
  const isOnBackdrop = ({ target, offsetX }: MouseEvent) => target === panel && offsetX < 0;
  let pressed = false;
  panel.addEventListener('pointerdown', (event) => {
    pressed = isOnBackdrop(event);
  });
  panel.addEventListener('click', (event) => {
    if (pressed && isOnBackdrop(event)) panel.close();
  });
}

/** Shows what the address names. */
function follow(): void {
  email = namedPerson();
  if (email === undefined) {
    panel.close();
    return;
  }
  wanted = STEP;
  title.textContent = readable(email);
  known.hidden = true;
  invitation.open = false;
  update(trouble);
  if (!panel.open) panel.showModal();
  panel.scrollTop = 0;
  refreshPerson();
}

function namedPerson(): string | undefined {
  const [, encoded] = FRAGMENT.exec(location.hash) ?? [];
  try {
    return encoded && decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/** The panel was closed: the address must not name anybody any longer. */
function leave(): void {
  email = undefined;
  if (!FRAGMENT.test(location.hash)) return;
  if (cameFromPage) history.back();
  else history.replaceState(null, '', location.pathname);
}

/** Reads the person's story again, if the panel is open. Only the answer to the last call is shown. */
export async function refreshPerson(): Promise<void> {
  const ownLoad = ++lastLoad;
  if (email === undefined) return;
  try {
    const [reply, story] = await Promise.all([
      read<PersonReply>('person', { email }),
      readStory(email, wanted),
    ]);
    if (ownLoad === lastLoad) show(reply, story);
  } catch (error) {
    if (ownLoad !== lastLoad) return;
    if (error instanceof Failure && error.code === 'invalid_query')
      update(trouble, 'That is not an email address.');
    else update(trouble, ...explain(error));
  }
}

function show({ person, devices: used }: PersonReply, { entries, whole }: Story): void {
  known.hidden = !person;
  update(trouble, person ? '' : 'Nothing is known of this address.');
  if (!person) return;
  showPerson(person);
  showShares(
    devices,
    used.map(({ deviceType, os, browser, count }) => ({
      name: [deviceType, os, browser].filter(Boolean).join(', '),
      count,
    })),
  );
  showEntries(entries);
  const count = entries.length === 0 ? 'None' : `${formatCount(entries.length)} shown`;
  update(shown, entries.length > 0 && whole ? `${count}, that is all` : count);
  if (whole && document.activeElement === more) activity.focus({ preventScroll: true });
  more.hidden = whole;
}

function showPerson(person: Person): void {
  const { status, invitedBy, invitedAt, joinClicks, lastSeenAt, firstJoinAt, lastJoinAt } = person;
  const values: (readonly [string, Node | string])[] = [
    ['First name', person.firstName ?? '–'],
    ['Invited by', readable(invitedBy ?? 'nobody, or no longer')],
    ['Invited', timeElement(invitedAt)],
    ['Last seen', timeElement(lastSeenAt)],
    ['Logins', formatCount(person.logins)],
    ['Views', formatCount(person.timelineViews)],
    ['Join clicks', formatCount(joinClicks)],
  ];
  if (joinClicks > 0) {
    values.push(['First join click', timeElement(firstJoinAt)]);
    values.push(['Last join click', timeElement(lastJoinAt)]);
  }
  const mark = status ? statusElement(status) : element('span', 'status', 'not on the invite list');
  update(marks, mark, ...(person.isAdmin ? [' ', adminBadge()] : []));
  update(
    facts,
    ...values.map(([name, value]) =>
      element('div', '', element('dt', '', name), element('dd', '', value)),
    ),
  );
  // Somebody who has not come may need to be asked again.
  invitation.hidden = status !== 'not_come' && !invitation.open;
  showInvitation([{ email: person.email, firstName: person.firstName }]);
}

function entryElement({ kind, at, what, device }: Entry): HTMLElement {
  return element(
    'li',
    kind,
    timeElement(at),
    element('span', 'what', what),
    element('span', 'device', device),
  );
}
