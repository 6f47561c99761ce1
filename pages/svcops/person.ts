/** One person's panel. The address names the person, as in `#person=ada%40example.com`. */
import { normalizeEmail } from '../../lib/address.ts';
import type { Change, ListPage, Person, WithReadable } from '../../lib/records.ts';
import type { PersonReply } from '../../lib/replies.ts';
import { readActivity, type Visit } from './activity.ts';
import { lists, read } from './api.ts';
import { element, find, update } from './elements.ts';
import { letterBox } from './letters.ts';
import { list } from './list.ts';
import { explain } from './live.ts';
import {
  actor,
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
const trouble = find('#person-trouble', HTMLElement);
const known = find('#person-known', HTMLElement);

/** The person shown; empty while the panel is closed. */
let email = '';
/** Whether the panel was opened from the page: then closing it goes back in the history. */
let cameFromPage = false;

/** Changes to a person that the panel lists. */
const MOST_CHANGES = 50;

const letter = find('#person-letter', HTMLElement);
const writeTo = letterBox(letter);

type Reply = PersonReply & ListPage<Visit, number> & { readonly changes: readonly Change[] };

const refreshActivity = list<Visit, Reply>({
  within: known,
  body: find('#person-activity', HTMLElement),
  step: 50,
  make({ entries, device }) {
    const lines = entries.map(({ kind, key, at, what }) => {
      const entry = element('li', kind, shown(timeElement(at)), element('span', 'what', what));
      entry.dataset.key = key;
      return entry;
    });
    const visit = element('li', '', element('p', 'device', device), element('ol', '', ...lines));
    // Its first entry: a visit that goes on is the same one.
    visit.dataset.key = `visit ${entries.at(-1)?.key}`;
    return visit;
  },
  size: ({ entries }) => entries.length,
  async read(count) {
    const [person, activity, { rows: changes }] = await Promise.all([
      read<PersonReply>('person', { email }),
      readActivity(email, count),
      lists.changes(MOST_CHANGES, { email }),
    ]);
    return { ...person, ...activity, changes };
  },
  show: ({ person, devices: used, changes, rows }) => {
    find('#person-activity-title', HTMLElement).hidden = rows.length === 0;
    known.hidden = !person;
    update(trouble, person ? '' : 'No record of this email address.');
    if (person) showPerson(person);
    update(find('#person-changes', HTMLElement), ...changes.map(changeItem));
    const shares = used.map((device) => ({ name: describeDevice(device), count: device.count }));
    showShares(find('#person-devices', HTMLElement), shares, 'No devices yet.');
  },
  report,
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
  known.hidden = true;
  letter.hidden = true;
  update(trouble);
  if (!panel.open) panel.showModal();
  panel.scrollTop = 0;
  refreshPerson(true);
}

/** The person that an address names; empty if that is no address. */
function namedBy(url: string): string {
  const fragment = new URL(url).hash.slice(1).replaceAll('+', '%2B');
  return normalizeEmail(new URLSearchParams(fragment).get('person') ?? '') ?? '';
}

/** Removes the person from the address after the panel was closed. */
function leave(): void {
  email = '';
  if (namedBy(location.href) === '') return;
  if (cameFromPage) history.back();
  else history.replaceState(null, '', location.pathname + location.search);
}

/** Reads the person again if the panel is open. */
export async function refreshPerson(fromStart = false): Promise<void> {
  if (email !== '') await refreshActivity(fromStart).catch(report);
}

/** Shows an error in the panel. */
function report(error: unknown): void {
  update(trouble, ...explain(error));
}

function showPerson(person: WithReadable<Person>): void {
  const { firstName, invitedBy, status, joinClicks } = person;
  const address = readableOf(person);
  title.textContent = firstName ?? address;
  const badge = person.isAdmin && 'Admin';
  const marks = withBadge(statusElement(status), badge);
  update(find('#person-marks', HTMLElement), ...(firstName ? [`${address} `] : []), marks);
  const joins = [
    fact('First join', timeElement(person.firstJoinAt)),
    fact('Last join', timeElement(person.lastJoinAt)),
  ];
  update(
    find('#person-facts', HTMLElement),
    fact('Invited by', actor(invitedBy)),
    fact('Invited', timeElement(person.invitedAt)),
    fact('Last seen', timeElement(person.lastSeenAt)),
    fact('Logins', formatCount(person.logins)),
    fact('Views', formatCount(person.timelineViews)),
    fact('Joins', formatCount(joinClicks)),
    ...(joinClicks > 0 ? joins : []),
  );
  // A letter in use stays.
  letter.hidden &&= status === null || status === 'joined';
  writeTo(status === 'pending' ? 'invitation' : 'reminder', person);
}

const changeItem = (change: Change): HTMLElement => {
  const what = `${describeChange(change)}${change.detail ? ` (${change.detail})` : ''} by `;
  const by = element('span', '', what, shown(actor(change.by)));
  return element('li', '', element('div', '', shown(timeElement(change.at)), by));
};

const fact = (name: string, value: Content) =>
  element('div', '', element('dt', '', name), element('dd', '', shown(value)));
