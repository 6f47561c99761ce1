/** Who joined, and the logs of join clicks and events, of everybody or of one person. */
import type { Event, JoinClick, JoinSummary } from '../../lib/records.ts';
import { find } from '../everyone/shared.ts';
import { go, shownPerson } from './address.ts';
import { type EventsReply, type JoinsReply, read, report } from './api.ts';
import { countOf, element, nameDevice, personLink, timeElement } from './elements.ts';
import { nameCell } from './guests.ts';
import { createList } from './list.ts';
import { createLog, type Part } from './log.ts';
import { countColumn, timeColumn } from './table.ts';

const type = find('#events-type', HTMLSelectElement);
const only = find('#only', HTMLElement);
const title = find('#logs-title', HTMLElement);

const showJoined = createList<JoinSummary>({
  section: '#joins',
  sortedBy: 'Last',
  describe: describeJoined,
  columns: [
    { heading: 'Email', cell: emailCell, value: ({ email }) => email },
    { heading: 'First name', cell: nameCell, value: ({ firstName }) => firstName },
    countColumn('Clicks', ({ clicks }) => clicks),
    timeColumn(
      'First',
      ({ firstAt }) => timeElement(firstAt),
      ({ firstAt }) => firstAt,
    ),
    timeColumn(
      'Last',
      ({ lastAt }) => timeElement(lastAt),
      ({ lastAt }) => lastAt,
    ),
  ],
});

const refreshClicks = createLog<JoinClick>({
  section: '#clicks',
  name: 'click',
  readPart: readClicks,
  columns: [
    { heading: 'Email', cell: emailCell },
    { heading: 'First name', cell: nameCell },
    { heading: 'Time', cell: ({ clickedAt }) => timeElement(clickedAt) },
    { heading: 'Session', cell: sessionCell },
  ],
});

const refreshEvents = createLog<Event>({
  section: '#events',
  name: 'event',
  readPart: readEvents,
  columns: [
    { heading: 'Email', cell: emailCell },
    { heading: 'Time', cell: ({ occurredAt }) => timeElement(occurredAt) },
    { heading: 'Event', cell: nameEvent },
    { heading: 'Device', cell: listDevice },
    { heading: 'Session', cell: sessionCell },
  ],
});

function describeJoined(joined: readonly JoinSummary[]): string {
  if (joined.length === 0) return 'Nobody has joined yet.';
  let clicks = 0;
  for (const person of joined) clicks += person.clicks;
  return `${countOf(joined.length, 'person', 'people')}, ${countOf(clicks, 'click')}`;
}

function emailCell({ email }: { readonly email: string }): HTMLElement {
  return personLink(email);
}

/** The beginning of a session's id is enough to tell visits apart. */
function sessionCell({ session }: { readonly session: string }): HTMLElement {
  const code = element('code', '', session.slice(0, 8));
  code.title = session;
  return code;
}

function nameEvent({ meta }: Event): string {
  if (meta === null) return 'Login';
  const layout = meta.view === 'mobile' ? 'phone' : 'desktop';
  return `View, ${layout} layout${meta.forced ? ' by link' : ''}`;
}

function listDevice({ deviceType, os, browser }: Event): string {
  const names = [deviceType, os, browser].filter((name) => name !== '');
  return names.map(nameDevice).join(', ');
}

async function readClicks(before: string): Promise<Part<JoinClick>> {
  const query = { email: shownPerson(), before };
  const { clicks, older, summary } = await read<JoinsReply>('/api/svcops/joins', query);
  if (summary) showJoined(summary);
  return { rows: clicks, older };
}

async function readEvents(before: string): Promise<Part<Event>> {
  const query = { email: shownPerson(), type: type.value, before };
  const { events, older } = await read<EventsReply>('/api/svcops/events', query);
  return { rows: events, older };
}

/** @throws {Failure} if the service does not answer */
export async function refreshLogs(): Promise<void> {
  await refreshPerson();
  if (shownPerson() === '') return;
  const { summary } = await read<JoinsReply>('/api/svcops/joins');
  if (summary) showJoined(summary);
}

/** Shows the logs of the person in the page's address. @throws {Failure} as above */
export async function refreshPerson(): Promise<void> {
  showFilter();
  await Promise.all([refreshClicks(), refreshEvents()]);
}

function showFilter(): void {
  const person = shownPerson();
  find('#only strong', HTMLElement).textContent = person;
  only.hidden = person === '';
}

/** Leads to the logs, whose filter says whose they are. */
export function enterLogs(): void {
  title.scrollIntoView();
  title.focus({ preventScroll: true });
}

export function startLogs(): void {
  type.addEventListener('change', () => refreshEvents().catch(report));
  find('#only button', HTMLButtonElement).addEventListener('click', () => {
    go('person', '');
    refreshPerson().catch(report);
    title.focus({ preventScroll: true });
  });
}
