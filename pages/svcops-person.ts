/** One person's whole story, in a panel that the address names: `#person=ada%40example.com` can be linked to. */
import { Failure, type Person, type PersonReply, read } from './svcops-api.ts';
import { element, find, formatCount, timeElement } from './svcops-elements.ts';
import { invitationFor } from './svcops-invitation.ts';
import { showShares } from './svcops-overview.ts';
import { readable } from './svcops-readable.ts';
import { type Entry, type Story, story } from './svcops-story.ts';
import { adminBadge, statusElement } from './svcops-tables.ts';

const panel = find('#person', HTMLDialogElement);
const title = find('#person-title', HTMLElement);
const close = find('#person-close', HTMLButtonElement);
const trouble = find('#person-trouble', HTMLElement);
const summary = find('#person-summary', HTMLElement);
const devices = find('#person-devices', HTMLElement);
const activity = find('#person-activity', HTMLElement);
const more = find('#person-more', HTMLButtonElement);
const shown = find('#person-shown', HTMLElement);

const FRAGMENT = /^#person=(.+)$/;

/** Entries read at first and with each "Show more". */
const STEP = 50;

let current: Story | undefined;
/** The person whom the summary tells of, as it came: it is made anew only for another. */
let summarized = '';
/** Whether the panel was opened from the page: going back closes it. */
let cameFromPage = false;

export function wirePerson(): void {
  addEventListener('hashchange', ({ oldURL }) => {
    cameFromPage = !FRAGMENT.test(new URL(oldURL).hash);
    follow();
  });
  close.addEventListener('click', () => panel.close());
  // A press on the backdrop is a press on the dialog itself.
  panel.addEventListener('click', (event) => event.target === panel && panel.close());
  panel.addEventListener('close', leave);
  more.addEventListener('click', () => load((story) => story.more(STEP)));
  follow();
}

/** Reads the person's story again, if the panel is open. */
export async function refreshPerson(): Promise<void> {
  if (current) await load((story) => story.refresh(STEP));
}

/** Shows what the address names. */
function follow(): void {
  const email = namedPerson();
  if (email === undefined) {
    current = undefined;
    panel.close();
    return;
  }
  current = story(email);
  title.textContent = readable(email);
  summarized = '';
  for (const part of [summary, devices, activity, trouble, shown]) part.replaceChildren();
  more.hidden = true;
  if (!panel.open) panel.showModal();
  panel.scrollTop = 0;
  load((story) => story.refresh(STEP));
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
  current = undefined;
  if (!FRAGMENT.test(location.hash)) return;
  if (cameFromPage) history.back();
  else history.replaceState(null, '', location.pathname);
}

async function load(task: (story: Story) => Promise<readonly Entry[]>): Promise<void> {
  const asked = current;
  if (!asked) return;
  try {
    const [about, entries] = await Promise.all([
      read<PersonReply>('person', { email: asked.email }),
      task(asked),
    ]);
    if (asked !== current) return;
    show(asked, about, entries);
    trouble.replaceChildren();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (asked === current) trouble.textContent = MESSAGES[error.kind];
  }
}

const MESSAGES: Readonly<Record<Failure['kind'], string>> = {
  offline: 'No connection to the service. Trying again every 30 seconds.',
  ended: 'Your session has ended, or you are no longer an administrator.',
  unavailable: 'The service cannot answer just now. Trying again every 30 seconds.',
  refused: 'That is not an email address.',
};

function show(asked: Story, { person, devices: used }: PersonReply, entries: readonly Entry[]) {
  if (!person) {
    summarized = '';
    summary.replaceChildren(element('p', '', 'Nothing is known of this address.'));
    activity.replaceChildren();
    return;
  }
  const told = JSON.stringify(person);
  if (told !== summarized) summary.replaceChildren(...aboutPerson(person));
  summarized = told;
  showShares(
    devices,
    used.map(({ deviceType, os, browser, count }) => ({
      name: [deviceType, os, browser].filter(Boolean).join(', '),
      count,
    })),
  );
  activity.replaceChildren(...entries.map(activityItem));
  if (entries.length === 0) activity.append(element('li', 'none', 'None yet.'));
  more.hidden = asked.isWhole();
  shown.textContent = `${formatCount(entries.length)} shown${more.hidden ? ', that is all' : ''}`;
}

function aboutPerson(person: Person): Node[] {
  const { status, invitedBy, invitedAt, joinClicks, lastSeenAt, firstJoinAt, lastJoinAt } = person;
  const facts: (readonly [string, Node | string])[] = [
    ['First name', person.firstName ?? '–'],
    ['Invited by', readable(invitedBy ?? 'nobody, or no longer')],
    ['Invited', timeElement(invitedAt)],
    ['Last seen', timeElement(lastSeenAt)],
    ['Logins', formatCount(person.logins)],
    ['Views', formatCount(person.timelineViews)],
    ['Join clicks', formatCount(joinClicks)],
  ];
  if (joinClicks > 0) {
    facts.push(['First join click', timeElement(firstJoinAt)]);
    facts.push(['Last join click', timeElement(lastJoinAt)]);
  }
  const marks = element('p', 'marks');
  marks.append(
    status ? statusElement(status) : element('span', 'status', 'not on the invite list'),
  );
  if (person.isAdmin) marks.append(' ', adminBadge());
  const list = element('dl', 'facts');
  for (const [name, value] of facts)
    list.append(element('div', '', element('dt', '', name), element('dd', '', value)));
  if (status !== 'not_come') return [marks, list];
  // Whoever has not come may need to be asked again.
  const summary = element('summary', '', 'Invitation to send');
  return [marks, list, element('details', '', summary, invitationFor(person))];
}

function activityItem({ kind, at, what, device }: Entry): HTMLElement {
  return element(
    'li',
    kind,
    timeElement(at),
    element('span', 'what', what),
    element('span', 'device', device),
  );
}
