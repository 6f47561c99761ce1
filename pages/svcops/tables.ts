/** The four tables of the page: the invite list, joins, join clicks and events. */
import type { Event, JoinClick, JoinSummary, ListedInvite, Page } from '../../lib/records.ts';
import { type Query, readClicks, readEvents, readInvites, readSummary, search } from './api.ts';
import { element, find } from './elements.ts';
import { list } from './list.ts';
import { attempt } from './live.ts';
import {
  dash,
  describeView,
  formatCount,
  personLink,
  statusElement,
  timeElement,
  withBadge,
} from './parts.ts';

/** Rows read at first, and added by each "Show more". */
const STEP = 100;

type TableOptions<Row> = {
  readonly key: (row: Row) => string | number;
  /** The contents of a row's cells, in the order of the headings. */
  readonly cells: (row: Row) => readonly (Node | string)[];
  readonly read: (count: number, query: Query) => Promise<Page<Row>>;
};

function table<Row>(section: string, { key, cells, read }: TableOptions<Row>) {
  const within = find(section, HTMLElement);
  const headings = [...within.querySelectorAll('th')];
  const scroll = find('.scroll', HTMLElement, within);
  const empty = find('.empty', HTMLElement, within);
  const csv = find('.export', HTMLAnchorElement, within);

  let query: Query = {};

  const { refresh, reset } = list<Row, Page<Row>>({
    within,
    body: find('tbody', HTMLTableSectionElement, within),
    fallback: scroll,
    step: STEP,
    key,
    make: (row) =>
      element(
        'tr',
        '',
        ...cells(row).map((content, i) => element('td', headings[i]?.className, content)),
      ),
    read: (count) => read(count, query),
    show({ rows }) {
      empty.hidden = rows.length > 0;
    },
    attempt,
  });

  return {
    refresh,
    /** Sorts and filters the table and its export by a query of the service. */
    filter(wanted: Query): void {
      if (search(wanted) === search(query)) return;
      query = wanted;
      csv.search = search({ ...query, format: 'csv' });
      reset();
      attempt(async () => {
        await refresh();
        scroll.scrollTop = 0;
      });
    },
  };
}

export const invites = table<ListedInvite>('#people', {
  key: ({ email }) => email,
  cells: (row) => [
    withBadge(personLink(row.email), row.isAdmin),
    statusElement(row.status),
    row.firstName === null ? dash() : element('span', '', row.firstName),
    formatCount(row.logins),
    formatCount(row.timelineViews),
    formatCount(row.joinClicks),
    timeElement(row.lastSeenAt),
    row.invitedBy.includes('@') ? personLink(row.invitedBy) : element('span', '', row.invitedBy),
    timeElement(row.invitedAt),
  ],
  read: readInvites,
});

const joins = table<JoinSummary>('#joins', {
  key: ({ email }) => email,
  cells: ({ email, clicks, firstAt, lastAt }) => [
    personLink(email),
    formatCount(clicks),
    timeElement(firstAt),
    timeElement(lastAt),
  ],
  read: (count) => readSummary(count, { of: 'summary' }),
});

const clicks = table<JoinClick>('#clicks', {
  key: ({ id }) => id,
  cells: ({ id, email, session, clickedAt }) => [
    String(id),
    personLink(email),
    timeElement(clickedAt),
    element('code', '', session),
  ],
  read: (count) => readClicks(count, { of: 'clicks' }),
});

export const events = table<Event>('#events', {
  key: ({ id }) => id,
  cells: ({ id, type, email, occurredAt, session, deviceType, os, browser, meta }) => [
    String(id),
    timeElement(occurredAt),
    element('span', type, type === 'login' ? 'login' : 'view'),
    personLink(email),
    meta ? describeView(meta) : dash(),
    deviceType,
    os || dash(),
    browser || dash(),
    element('code', '', session),
  ],
  read: readEvents,
});

/** Reads all tables again, as far as they are shown. */
export const refreshTables = (): Promise<unknown> =>
  Promise.all([invites, joins, clicks, events].map((each) => each.refresh()));
