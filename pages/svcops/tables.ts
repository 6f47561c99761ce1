/** The tables of the page: the invite list, joins, the log of joins, events and changes. */

import type { ServedLayout } from '../../lib/records.ts';
import type {
  ChangesReply,
  EventsReply,
  InvitesReply,
  JoinsReply,
} from '../../lib/routes/replies.ts';
import { type Query, read, urlOf } from './api.ts';
import { button, element, find } from './elements.ts';
import { exportLink, showExport } from './extras/export/export.ts'; // extra: export
import { letterButton } from './extras/letters/letters.ts'; // extra: letters
import { type Column, grid, list, type Rows } from './list.ts';
import { report } from './live.ts';
import {
  actor,
  type Content,
  changed,
  describeChange,
  formatCount,
  nameDevice,
  personLink,
  shown,
  statusElement,
  timeElement,
  withBadge,
} from './parts.ts';

/** A list of the service as a table, which can be sorted. */
function table<Row extends { readonly email: string | null; readonly id?: number }, Reply>(
  section: string,
  path: string,
  columns: readonly Column<Row>[],
  rowsOf: (reply: Reply) => Rows<Row>,
  end: 'first' | 'newest' = 'newest',
) {
  const within = find(section, HTMLElement);
  const empty = find('.empty', HTMLElement, within);
  const { headings, body, row } = grid(find('.table', HTMLElement, within), columns);
  /** The query: the filters, and the sorting after a heading was pressed. */
  let filters: Query = {};
  let sorting: Query = {};
  /** How many rows match the filters. */
  let count = 0;

  const readAgain = list<Row, Rows<Row>>({
    within,
    body,
    end,
    make: (rows) => rows.map((each) => row(each, String(each.id ?? each.email))),
    read: async (limit) => rowsOf(await read<Reply>(path, { ...filters, ...sorting, limit })),
    show: ({ rows, total }) => {
      empty.hidden = rows.length > 0;
      count = total ?? rows.length;
      showExport(within, url({ format: 'csv' }), rows.length > 0); // extra: export
    },
    whereAll: () => [exportLink(url({ format: 'csv' }), 'Export CSV for all'), '.'], // extra: export
  });

  /** The query of the list with its filters and its sorting. */
  const query = (): Query => ({ ...filters, ...sorting });

  /** The URL of the list. @param more of the query */
  const url = (more: Query): string => urlOf(path, { ...query(), ...more });

  /** Equal for equal filters and sortings, even if `before` moves on with the clock. */
  const identity = (): string => url({ before: filters.before ? 'moving' : '' });

  /** Reads the table. If filters or sorting have changed, begins with the first rows. */
  function show(newFilters: Query, newSorting = sorting): Promise<void> {
    const before = identity();
    filters = newFilters;
    sorting = newSorting;
    // The link exports with the new filters, even if the list cannot be read.
    showExport(within, url({ format: 'csv' }), count > 0); // extra: export
    return readAgain(identity() !== before);
  }

  /** Makes a heading sort the list. @param sort a name, and `desc` if that is the first order */
  function sortBy(th: HTMLElement, heading: string, sort: string): void {
    const [column = '', first = 'asc'] = sort.split(' ');
    // The list has the service's order until a heading is pressed.
    th.ariaSort = column === 'invitedAt' ? 'descending' : 'none';
    const press = button(heading, () => {
      const order = nextOrder(th.ariaSort, first);
      for (const each of headings) {
        if (each.ariaSort) each.ariaSort = 'none';
      }
      th.ariaSort = order === 'asc' ? 'ascending' : 'descending';
      show(filters, { sort: column, order }).catch(report);
    });
    th.replaceChildren(press);
  }

  for (const [i, column] of columns.entries()) {
    const [heading, , , sort] = column;
    const th = headings[i];
    if (th && sort) sortBy(th, heading, sort);
  }

  return { show, query, count: () => count };
}

/** The order after a press of a heading: reversed if the list is already sorted by it. */
function nextOrder(ariaSort: string | null, first: string): string {
  if (ariaSort === 'ascending') return 'desc';
  if (ariaSort === 'descending') return 'asc';
  return first;
}

/** `Phone`, or `Phone (link)` if a link chose the layout. */
const describeLayout = ({ view, forced }: ServedLayout): string =>
  `${view === 'mobile' ? 'Phone' : 'Desktop'}${forced ? ' (link)' : ''}`;

/** A number, or a dash instead of 0. */
const count = (number: number): Content => (number > 0 ? formatCount(number) : null);

export const invites = table(
  '#people',
  'invites',
  [
    ['Email', (row) => withBadge(personLink(row), row.isAdmin && 'Admin'), '', 'email'],
    ['Status', (row) => statusElement(row.status), '', 'status'],
    ['First name', (row) => row.firstName, 'first-name', 'firstName'],
    ['Logins', (row) => count(row.logins), 'number desk', 'logins desc'],
    ['Views', (row) => count(row.timelineViews), 'number desk', 'timelineViews desc'],
    ['Joins', (row) => count(row.joinClicks), 'number desk', 'joinClicks desc'],
    ['Last seen', (row) => timeElement(row.lastSeenAt), '', 'lastSeenAt desc'],
    [
      'Invited by',
      (row) => element('span', 'by', shown(actor(row.invitedBy))),
      'wide',
      'invitedBy',
    ],
    ['Invited', (row) => timeElement(row.invitedAt), 'desk invited', 'invitedAt desc'],
    ['Letter', letterButton], // extra: letters
  ],
  ({ invites: rows, ...page }: InvitesReply) => ({ rows, ...page }),
  'first',
);

export const joins = table(
  '#joins',
  'joins',
  [
    ['Email', (row) => withBadge(personLink(row), row.firstTime && 'First time')],
    ['First name', (row) => row.firstName],
    ['Joins', (row) => formatCount(row.clicks), 'number'],
    ['Last join', (row) => timeElement(row.lastAt)],
  ],
  ({ summary: rows, next, stats }: JoinsReply) => ({
    rows,
    next: next.summary,
    total: stats.users,
  }),
  'first',
);

export const clicks = table(
  '#clicks',
  'joins',
  [
    ['Email', personLink],
    ['First name', (row) => row.firstName],
    ['Time', (row) => timeElement(row.clickedAt)],
    ['ID', (row) => String(row.id), 'number detail'],
    ['Session', (row) => element('code', '', row.session), 'detail'],
  ],
  ({ clicks: rows, next, stats }: JoinsReply) => ({ rows, next: next.clicks, total: stats.clicks }),
);

export const events = table(
  '#events',
  'events',
  [
    ['Time', (row) => timeElement(row.occurredAt)],
    ['Type', (row) => element('span', row.type, row.type === 'login' ? 'Login' : 'View')],
    ['Email', personLink],
    ['Layout', (row) => row.meta && describeLayout(row.meta)],
    ['Device', (row) => nameDevice(row.deviceType)],
    ['System', (row) => nameDevice(row.os)],
    ['Browser', (row) => row.browser],
    ['ID', (row) => String(row.id), 'number detail'],
    ['Session', (row) => element('code', '', row.session), 'detail'],
  ],
  ({ events: rows, next }: EventsReply) => ({ rows, next }),
);

export const changes = table(
  '#changes',
  'changes',
  [
    ['Time', (row) => timeElement(row.at)],
    ['Action', describeChange],
    ['Person', changed],
    ['Detail', (row) => row.detail],
    ['By', (row) => actor(row.by)],
  ],
  ({ changes: rows, next }: ChangesReply) => ({ rows, next }),
);
