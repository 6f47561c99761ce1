/** One person's panel. The address names the person, as in `#person=ada%40example.com`. */
import { normalizeEmail } from '../../lib/addresses/address.ts';
import type { Change, Event, JoinClick, Person, WithReadable } from '../../lib/records.ts';
import type {
  ChangesReply,
  EventsReply,
  JoinsReply,
  PersonReply,
} from '../../lib/routes/replies.ts';
import { read } from './api.ts';
import { element, find, update } from './elements.ts';
import { letterButton } from './extras/letters/letters.ts'; // extra: letters
import { list, type Rows } from './list.ts';
import { report } from './live.ts';
import {
  actor,
  type Content,
  describeChange,
  describeDevice,
  describeView,
  formatCount,
  readableOf,
  shown,
  showShares,
  statusElement,
  timeElement,
  withBadge,
} from './parts.ts';

const panel = find('#person', HTMLDialogElement);
const title = find('#person-title', HTMLElement);
const known = find('#person-known', HTMLElement);
const unknown = find('#person-unknown', HTMLElement);

/** The person shown; empty while the panel is closed. */
let email = '';
/** Whether the panel was opened from the page: then closing it goes back in the history. */
let cameFromPage = false;

/** Changes to a person that the panel lists. */
const MOST_CHANGES = '50';

/** A login, a view or a join. */
type Act = Event | JoinClick;

const timeOf = (act: Act): number => ('clickedAt' in act ? act.clickedAt : act.occurredAt);

type Reply = PersonReply & Rows<Act> & { readonly changes: readonly Change[] };

const refreshList = list<Act, Reply>({
  within: known,
  body: find('#person-activity', HTMLElement),
  make(act) {
    const [kind, what, device] =
      'clickedAt' in act
        ? ['join', 'Joined', '']
        : [
            act.type,
            act.meta ? `Viewed (${describeView(act.meta)})` : 'Logged in',
            describeDevice(act),
          ];
    const words = [element('span', 'what', what), ' ', element('span', 'device', device)];
    const entry = element(
      'li',
      kind,
      shown(timeElement(timeOf(act))),
      element('span', '', ...words),
    );
    entry.dataset.key = `${kind} ${act.id}`;
    return entry;
  },
  async read(limit) {
    const [person, { events, next }, joins, { changes }] = await Promise.all([
      read<PersonReply>('person', { email }),
      read<EventsReply>('events', { email, limit }),
      read<JoinsReply>('joins', { email, limit, of: 'clicks' }),
      read<ChangesReply>('changes', { email, limit: MOST_CHANGES }),
    ]);
    const acts: Act[] = [...events, ...joins.clicks].sort((a, b) => timeOf(b) - timeOf(a));
    // The newest of each log have the newest of both in them.
    const rows = acts.slice(0, Number(limit));
    const isWhole = rows.length === acts.length && next === null && joins.next.clicks === null;
    return { ...person, changes, rows, next: isWhole ? null : rows.length };
  },
  show({ person, devices, changes, rows }) {
    find('#person-activity-title', HTMLElement).hidden = rows.length === 0;
    known.hidden = !person;
    unknown.hidden = person !== null;
    if (person) showPerson(person);
    update(find('#person-changes', HTMLElement), ...changes.map(changeItem));
    const shares = devices.map((device) => ({ name: describeDevice(device), count: device.count }));
    showShares(find('#person-devices', HTMLElement), shares, 'No devices yet.');
  },
});

addEventListener('hashchange', ({ oldURL }) => {
  cameFromPage = namedBy(oldURL) === '';
  follow();
});
panel.addEventListener('close', leave);
follow();

/** Shows the person that the address names, or closes the panel. */
function follow(): void {
  email = namedBy(location.href);
  if (email === '') {
    panel.close();
    return;
  }
  title.textContent = email;
  for (const each of [known, unknown]) each.hidden = true;
  if (!panel.open) panel.showModal();
  panel.scrollTop = 0;
  refreshPerson(true).catch(report);
}

/** The person that an address names; empty if that is no address. */
function namedBy(url: string): string {
  const fragment = new URL(url).hash.slice(1).replaceAll('+', '%2B');
  return normalizeEmail(new URLSearchParams(fragment).get('person') ?? '') ?? '';
}

/** Removes the person from the address after the panel was closed. */
function leave(): void {
  // The event comes later than the call. The panel may have been opened for another person since.
  if (panel.open) return;
  email = '';
  if (namedBy(location.href) === '') return;
  if (cameFromPage) history.back();
  else history.replaceState(null, '', location.pathname + location.search);
}

/** Reads the person again if the panel is open. */
export async function refreshPerson(fromStart = false): Promise<void> {
  if (email !== '') await refreshList(fromStart);
}

function showPerson(person: WithReadable<Person>): void {
  const { firstName, status } = person;
  const address = readableOf(person);
  title.textContent = firstName ?? address;
  const marks = withBadge(statusElement(status), person.isAdmin && 'Admin');
  update(
    find('#person-marks', HTMLElement),
    ...(firstName ? [`${address} `] : []),
    marks,
    ' ',
    letterButton(person), // extra: letters
  );
  const facts: readonly (readonly [name: string, value: Content])[] = [
    ['Invited by', actor(person.invitedBy)],
    ['Invited', timeElement(person.invitedAt)],
    ['Last seen', timeElement(person.lastSeenAt)],
    ['Logins', formatCount(person.logins)],
    ['Views', formatCount(person.timelineViews)],
    ['Joins', formatCount(person.joinClicks)],
    ['First join', timeElement(person.firstJoinAt)],
    ['Last join', timeElement(person.lastJoinAt)],
  ];
  update(
    find('#person-facts', HTMLElement),
    ...facts.map(([name, value]) =>
      element('div', '', element('dt', '', name), element('dd', '', shown(value))),
    ),
  );
}

function changeItem(change: Change): HTMLElement {
  const what = `${describeChange(change)}${change.detail ? ` (${change.detail})` : ''} by `;
  const by = element('span', '', what, shown(actor(change.by)));
  return element('li', '', shown(timeElement(change.at)), by);
}
