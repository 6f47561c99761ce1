/** The tables of the page: the invite list, joins, the log of joins, events and changes. */
import type { ListedInvite } from '../../lib/records.ts';
import { lists, type Query, type ReadRows, search } from './api.ts';
import { element, FEW, find } from './elements.ts';
import { mailLink } from './letters.ts';
import { list, type Rows } from './list.ts';
import { report } from './live.ts';
import { showFirstTime } from './overview.ts';
import {
  actor,
  type Content,
  describeChange,
  describeView,
  formatCount,
  nameDevice,
  personLink,
  readableOf,
  row,
  shown,
  statusElement,
  timeElement,
  withBadge,
} from './parts.ts';

/** Sections in view, and what reads the stale tables in them. */
const inView = new Set<Element>();
const readers = new Map<Element, () => void>();
const view = new IntersectionObserver((changes) => {
  for (const { isIntersecting, target } of changes) {
    if (!isIntersecting) inView.delete(target);
    else {
      inView.add(target);
      readers.get(target)?.();
    }
  }
});

/** Shows a list as the table in a section of the page, with a cell for each heading. */
function table<Row extends { readonly email: string | null; readonly id?: number }>(
  section: string,
  read: ReadRows<Row>,
  cells: (row: Row) => readonly Content[],
  showTotal?: (total: number | undefined) => void,
) {
  const within = find(section, HTMLElement);
  const headings = [...within.querySelectorAll('th')];
  const empty = find('.empty', HTMLElement, within);
  const csv = find('.export', HTMLAnchorElement, within);
  /** The numbers of the overview are in view with it. */
  const shownIn = showTotal ? [within, find('#overview', HTMLElement)] : [within];

  let query: Query = {};
  let isRead = false;
  let isStale = false;

  const refresh = list<Row, Rows<Row>>({
    within,
    body: find('tbody', HTMLTableSectionElement, within),
    step: FEW,
    make(each) {
      const tr = row(headings, cells(each));
      tr.dataset.key = String(each.id ?? each.email);
      return tr;
    },
    read(count) {
      isRead = true;
      isStale = false;
      return read(count, query);
    },
    show({ rows, total }) {
      empty.hidden = rows.length > 0;
      showTotal?.(total);
    },
    report,
  });
  for (const each of shownIn) {
    readers.set(each, () => isStale && refresh().catch(report));
    view.observe(each);
  }

  return {
    /** Reads the table again, if it is not in view as soon as it is. */
    async refresh(): Promise<void> {
      isStale = true;
      if (!isRead || shownIn.some((each) => inView.has(each))) await refresh();
    },
    /** The part of a request's query that sorts and filters. */
    query: () => query,
    /** Sorts and filters the table and its export by a query of the service. */
    filter(wanted: Query): void {
      if (search(wanted) === search(query)) return;
      query = wanted;
      csv.search = search({ ...query, format: 'csv' });
      if (isRead) refresh(true).catch(report);
    },
  };
}

const person = (email: string | null, readable = email ?? '') =>
  email?.includes('@') ? personLink({ email, readable }) : email;

/** Opens a letter: an invitation to guests who have not logged in, a reminder before they join. */
function writeLink(row: ListedInvite): Content {
  if (row.status === null || row.status === 'joined') return '';
  const link = element('a', 'write', 'Write');
  link.href = mailLink(row.status === 'pending' ? 'invitation' : 'reminder', row);
  link.ariaLabel = `Write to ${readableOf(row)}`;
  return link;
}

/** A number, or a dash instead of 0. */
const count = (number: number): Content => (number > 0 ? formatCount(number) : null);

export const invites = table('#people', lists.invites, (row) => [
  withBadge(personLink(row), row.isAdmin && 'Admin'),
  statusElement(row.status),
  row.firstName,
  count(row.logins),
  count(row.timelineViews),
  count(row.joinClicks),
  timeElement(row.lastSeenAt),
  element('span', 'by', shown(actor(row.invitedBy))),
  timeElement(row.invitedAt),
  writeLink(row),
]);

export const joins = table(
  '#joins',
  lists.summary,
  (row) => [personLink(row), row.firstName, formatCount(row.clicks), timeElement(row.lastAt)],
  showFirstTime,
);

export const clicks = table('#clicks', lists.clicks, (row) => [
  personLink(row),
  row.firstName,
  timeElement(row.clickedAt),
  String(row.id),
  element('code', '', row.session),
]);

export const events = table('#events', lists.events, (row) => [
  timeElement(row.occurredAt),
  element('span', row.type, row.type === 'login' ? 'Login' : 'View'),
  personLink(row),
  row.meta && describeView(row.meta),
  nameDevice(row.deviceType),
  nameDevice(row.os),
  row.browser,
  String(row.id),
  element('code', '', row.session),
]);

export const changes = table('#changes', lists.changes, (row) => [
  timeElement(row.at),
  describeChange(row),
  person(row.email, row.readable),
  row.detail,
  actor(row.by),
]);

/** Reads all tables again, as far as they are shown. */
export const refreshTables = (): Promise<unknown> =>
  Promise.all([invites, joins, clicks, events, changes].map((each) => each.refresh()));
