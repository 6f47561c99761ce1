/** One person's panel. The address names the person, as in `#person=ada%40example.com`. */

import type { Change, Person, WithReadable } from '../../lib/records.ts';
import type {
  ChangesReply,
  EventsReply,
  JoinsReply,
  PersonReply,
} from '../../lib/routes/replies.ts';
import { type Act, showDays, timeOf } from './activity.ts';
import { read } from './api.ts';
import { openDialog } from './dialogs.ts';
import { element, find, update } from './elements.ts';
import { letterButton } from './extras/letters/letters.ts'; // extra: letters
import { filterIn, personIn, withFragment } from './fragment.ts';
import { list, type Rows } from './list.ts';
import { report } from './live.ts';
import {
  actor,
  breakable,
  type Content,
  describeChange,
  describeDevice,
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
const activityTitle = find('#person-activity-title', HTMLElement);
const devicesPart = find('#person-devices-part', HTMLElement);
const devicesList = find('#person-devices', HTMLElement);
const changesPart = find('#person-changes-part', HTMLElement);
const changesList = find('#person-changes', HTMLElement);
const changesCut = find('#person-changes-cut', HTMLElement);

/** The person shown; empty while the panel is closed. */
let email = '';
/** Whether the panel was opened on this page. Then closing it goes back in the history. */
let cameFromPage = false;

/** How many changes to a person the panel lists. */
const MOST_CHANGES = '50';

type Reply = PersonReply & Rows<Act> & { readonly changes: ChangesReply };

const refreshList = list<Act, Reply>({
  within: known,
  body: find('#person-activity', HTMLElement),
  end: 'newest',
  noun: 'logins, views and joins',
  make: showDays,
  async read(limit) {
    const [{ person, devices }, { events, next }, joins, changes] = await Promise.all([
      read<PersonReply>('person', { email }),
      read<EventsReply>('events', { email, limit }),
      read<JoinsReply>('joins', { email, limit, of: 'clicks' }),
      read<ChangesReply>('changes', { email, limit: MOST_CHANGES }),
    ]);
    const acts: Act[] = [...events, ...joins.clicks].sort((a, b) => timeOf(b) - timeOf(a));
    // Each log was read up to the limit, so these contain the newest acts of both.
    const rows = acts.slice(0, Number(limit));
    const isWhole = rows.length === acts.length && next === null && joins.next.clicks === null;
    const total = person ? person.logins + person.timelineViews + person.joinClicks : undefined;
    return { person, devices, changes, rows, total, next: isWhole ? null : rows.length };
  },
  show({ person, devices, changes, rows }) {
    activityTitle.hidden = rows.length === 0;
    known.hidden = !person;
    unknown.hidden = person !== null;
    if (person) showPerson(person);
    const shares = devices.map((device) => ({ name: describeDevice(device), count: device.count }));
    showShares(devicesList, shares, '');
    devicesPart.hidden = devices.length === 0;
    update(changesList, ...changes.changes.map(changeItem));
    changesPart.hidden = changes.changes.length === 0;
    changesCut.hidden = changes.next === null;
  },
});

addEventListener('hashchange', ({ oldURL }) => {
  cameFromPage = personIn(oldURL) === '';
  follow();
});
panel.addEventListener('close', leave);
// The address has got the list's filter since the first click on a person. So a second click would
// add a second step to the history.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link?.classList.contains('person') && isShown(link)) event.preventDefault();
});
follow();

function isShown({ href }: HTMLAnchorElement): boolean {
  const person = personIn(href);
  return person !== '' && person === personIn(location.href);
}

/** Shows the person whom the address names, or closes the panel. */
function follow(): void {
  email = personIn(location.href);
  if (email === '') {
    panel.close();
    return;
  }
  update(title, ...breakable(email));
  for (const each of [known, unknown]) each.hidden = true;
  if (!panel.open) openDialog(panel);
  panel.scrollTop = 0;
  refreshPerson(true).catch(report);
}

/** Removes the person from the address after the panel has closed. */
function leave(): void {
  // The event comes after the call. In between, the panel may have been opened for another person.
  if (panel.open) return;
  email = '';
  if (personIn(location.href) === '') return;
  if (cameFromPage) history.back();
  else history.replaceState('list', '', withFragment(filterIn(location.href), ''));
}

/** If the panel is open, reads its person again. */
export async function refreshPerson(fromStart = false): Promise<void> {
  if (email !== '') await refreshList(fromStart);
}

function showPerson(person: WithReadable<Person>): void {
  const { firstName, status } = person;
  const address = readableOf(person);
  update(title, ...(firstName === null ? breakable(address) : [firstName]));
  const marks = withBadge(statusElement(status), person.isAdmin && 'Admin');
  update(
    find('#person-marks', HTMLElement),
    // Without a first name, the title is the address.
    ...(firstName === null ? [] : [element('span', '', ...breakable(address)), ' ']),
    marks,
    ' ',
    letterButton(person), // extra: letters
  );
  update(
    find('#person-facts', HTMLElement),
    ...factsOf(person).map(([name, value]) =>
      element('div', '', element('dt', '', name), element('dd', '', shown(value))),
    ),
  );
}

type Fact = readonly [name: string, value: Content];

/** Only existing facts: a guest who has not logged in has no logins. */
function factsOf(person: Person): readonly Fact[] {
  const { invitedBy, invitedAt, lastSeenAt, logins, timelineViews, joinClicks } = person;
  const facts: Fact[] = [];
  if (invitedAt !== null)
    facts.push(['Invited by', actor(invitedBy)], ['Invited', timeElement(invitedAt)]);
  if (lastSeenAt !== null) facts.push(['Last seen', timeElement(lastSeenAt)]);
  if (logins > 0) facts.push(['Logins', formatCount(logins)]);
  if (timelineViews > 0) facts.push(['Views', formatCount(timelineViews)]);
  if (joinClicks === 1) facts.push(['Joined', timeElement(person.firstJoinAt)]);
  if (joinClicks > 1)
    facts.push(
      ['Joins', formatCount(joinClicks)],
      ['First join', timeElement(person.firstJoinAt)],
      ['Last join', timeElement(person.lastJoinAt)],
    );
  return facts;
}

function changeItem(change: Change): HTMLElement {
  const detail = change.detail ? ` (${change.detail})` : '';
  const by = element('span', '', `${describeChange(change)}${detail} by `, shown(actor(change.by)));
  return element('li', '', shown(timeElement(change.at)), by);
}
