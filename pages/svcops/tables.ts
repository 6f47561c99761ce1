/** The tables of the page: the invite list, joins, join clicks, events and changes. */
import { lists, type Query, type ReadRows, search } from './api.ts';
import { element, find } from './elements.ts';
import { list, type Rows } from './list.ts';
import { report } from './live.ts';
import {
  actor,
  type Content,
  describeChange,
  describeView,
  formatCount,
  personLink,
  row,
  statusElement,
  timeElement,
  withBadge,
} from './parts.ts';

/** Rows shown at first; fewer as cards (cards.css), which have no scrolling box. */
const STEP = matchMedia('(max-width: 37.5rem)').matches ? 20 : 100;

/** Shows a list as the table in a section of the page, with a cell for each heading. */
function table<Row extends { readonly email: string | null; readonly id?: number }>(
  section: string,
  read: ReadRows<Row>,
  cells: (row: Row) => readonly Content[],
) {
  const within = find(section, HTMLElement);
  const headings = [...within.querySelectorAll('th')];
  const scroll = find('.scroll', HTMLElement, within);
  const empty = find('.empty', HTMLElement, within);
  const csv = find('.export', HTMLAnchorElement, within);

  let query: Query = {};
  let isRead = false;

  const refresh = list<Row, Rows<Row>>({
    within,
    body: find('tbody', HTMLTableSectionElement, within),
    step: STEP,
    make(each) {
      const tr = row(headings, cells(each));
      tr.dataset.key = String(each.id ?? each.email);
      return tr;
    },
    read(count) {
      isRead = true;
      return read(count, query);
    },
    show({ rows }) {
      empty.hidden = rows.length > 0;
    },
    report,
  });

  return {
    refresh,
    /** The part of a request's query that sorts and filters. */
    query: () => query,
    /** Sorts and filters the table and its export by a query of the service. */
    filter(wanted: Query): void {
      if (search(wanted) === search(query)) return;
      query = wanted;
      csv.search = search({ ...query, format: 'csv' });
      if (isRead) refresh(true).then(() => scroll.scrollTo(0, 0), report);
    },
  };
}

const person = (email: string | null, readable = email ?? '') =>
  email?.includes('@') ? personLink({ email, readable }) : email;

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
  actor(row.invitedBy),
  timeElement(row.invitedAt),
]);

export const joins = table('#joins', lists.summary, (row) => [
  personLink(row),
  row.firstName,
  formatCount(row.clicks),
  timeElement(row.lastAt),
]);

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
  row.deviceType,
  row.os,
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
