/** One person's panel. The address names the person, as in `#person=ada%40example.com`. */
import type { Page, Person, PersonReply } from '../../lib/records.ts';
import { Failure, read } from './api.ts';
import { element, find, update } from './elements.ts';
import { letterFor } from './letters.ts';
import { list } from './list.ts';
import { explain } from './live.ts';
import {
  dash,
  describeDevice,
  formatCount,
  showShares,
  statusElement,
  timeElement,
  withBadge,
} from './parts.ts';
import { readable } from './readable.ts';
import { type Entry, readStory } from './story.ts';

const panel = find('#person', HTMLDialogElement);
const title = find('#person-title', HTMLElement);
const close = find('#person-close', HTMLButtonElement);
const trouble = find('#person-trouble', HTMLElement);
const known = find('#person-known', HTMLElement);
const marks = find('#person-marks', HTMLElement);
const facts = find('#person-facts', HTMLElement);
const devices = find('#person-devices', HTMLElement);
const activity = find('#person-activity', HTMLElement);

const FRAGMENT = /^#person=(.+)$/;

/** The person shown; `undefined` while the panel is closed. */
let email: string | undefined;
/** Whether the panel was opened from the page: then closing it goes back in the history. */
let cameFromPage = false;

/** The texts can be sent at any time. */
const letters = (['invitation', 'reminder'] as const).map((kind) => ({
  kind,
  box: find(`#person-${kind}`, HTMLDetailsElement),
}));

const story = list<Entry, PersonReply & Page<Entry, number>>({
  within: known,
  body: activity,
  step: 50,
  make({ kind, id, at, what, device }) {
    const [did, by] = [element('span', 'what', what), element('span', 'device', device)];
    const entry = element('li', kind, timeElement(at), did, by);
    entry.dataset.key = `${kind} ${id}`;
    return entry;
  },
  async read(count) {
    const address = email ?? '';
    const [person, activity] = await Promise.all([
      read<PersonReply>('person', { email: address }),
      readStory(address, count),
    ]);
    return { ...person, ...activity };
  },
  show: ({ person, devices: used }) => {
    known.hidden = !person;
    update(trouble, person ? '' : 'Nothing is known of this address.');
    if (person) showPerson(person);
    const shares = used.map((device) => ({ name: describeDevice(device), count: device.count }));
    showShares(devices, shares, 'None yet.');
  },
  attempt: refreshPerson,
});

export function wirePerson(): void {
  addEventListener('hashchange', ({ oldURL }) => {
    cameFromPage = !FRAGMENT.test(new URL(oldURL).hash);
    follow();
  });
  close.addEventListener('click', () => panel.close());
  closeByBackdrop();
  panel.addEventListener('close', leave);
  follow();
}

/** Closes the panel by a press on the backdrop, but not by a selection that is dragged there. */
function closeByBackdrop(): void {
  // Events on the backdrop have the panel as their target and lie to the left of it.
  const isOnBackdrop = ({ target, offsetX }: MouseEvent) => target === panel && offsetX < 0;
  let pressed = false;
  panel.addEventListener('pointerdown', (event) => {
    pressed = isOnBackdrop(event);
  });
  panel.addEventListener('click', (event) => {
    if (pressed && isOnBackdrop(event)) panel.close();
  });
}

/** Shows the person that the address names, or closes the panel. */
function follow(): void {
  email = namedPerson();
  if (email === undefined) {
    panel.close();
    return;
  }
  title.textContent = readable(email);
  known.hidden = true;
  for (const { box } of letters) box.open = false;
  update(trouble);
  if (!panel.open) panel.showModal();
  panel.scrollTop = 0;
  story.reset();
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

/** Removes the person from the address after the panel was closed. */
function leave(): void {
  email = undefined;
  if (!FRAGMENT.test(location.hash)) return;
  if (cameFromPage) history.back();
  else history.replaceState(null, '', location.pathname + location.search);
}

/** Reads the person again if the panel is open, and shows errors in the panel. */
export async function refreshPerson(): Promise<void> {
  if (email === undefined) return;
  try {
    await story.refresh();
  } catch (error) {
    const isInvalid = error instanceof Failure && error.code === 'invalid_query';
    update(trouble, ...(isInvalid ? ['That is not an email address.'] : explain(error)));
  }
}

function showPerson(person: Person): void {
  const { firstName, invitedBy, status, joinClicks } = person;
  const values: readonly (readonly [string, Node | string])[] = [
    ['First name', firstName ?? dash()],
    ['Invited by', invitedBy === null ? dash() : readable(invitedBy)],
    ['Invited', timeElement(person.invitedAt)],
    ['Last seen', timeElement(person.lastSeenAt)],
    ['Logins', formatCount(person.logins)],
    ['Views', formatCount(person.timelineViews)],
    ['Join clicks', formatCount(joinClicks)],
    ['First join click', timeElement(person.firstJoinAt)],
    ['Last join click', timeElement(person.lastJoinAt)],
  ];
  update(marks, withBadge(statusElement(status), person.isAdmin));
  update(
    facts,
    ...values
      .slice(0, joinClicks > 0 ? undefined : -2)
      .map(([name, value]) =>
        element('div', '', element('dt', '', name), element('dd', '', value)),
      ),
  );
  for (const { kind, box } of letters) {
    const isFor = kind === 'reminder' ? status === 'not_come' : status !== null;
    // It stays while somebody reads or copies it.
    box.hidden = !isFor && !box.open;
    update(find('div', HTMLElement, box), letterFor(kind, person));
  }
}
