/** The four lists of the page: invites, people who want to join, join clicks and events. */
import {
  type Click,
  type Events,
  Failure,
  type Invite,
  type Invites,
  type Joins,
  type LoggedEvent,
  read,
  type Status,
  type Summary,
} from './api.ts';
import { dash, element, formatCount, personLink, timeElement } from './elements.ts';
import { list } from './list.ts';

export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  not_come: 'not yet come',
  logged_in: 'logged in',
  viewed: 'viewed',
  joined: 'joined',
};

export const statusElement = (status: Status) =>
  element('span', `status ${status}`, STATUS_WORDS[status]);

export const adminBadge = () => element('span', 'badge', 'Admin');

/** What the invite list is sorted and filtered by, as the service's query. */
export const inviteFilter = { sort: 'invitedAt', order: 'desc', q: '', status: '' };
export const eventFilter = { type: '', email: '' };

export const invites = list<Invite>({
  section: '#people',
  key: ({ email }) => email,
  cells: (row) => [
    element('span', '', personLink(row.email), ...(row.isAdmin ? [' ', adminBadge()] : [])),
    statusElement(row.status),
    row.firstName === null ? dash() : element('span', '', row.firstName),
    formatCount(row.logins),
    formatCount(row.timelineViews),
    formatCount(row.joinClicks),
    timeElement(row.lastSeenAt),
    row.invitedBy.includes('@') ? personLink(row.invitedBy) : element('span', '', row.invitedBy),
    timeElement(row.invitedAt),
  ],
  async read(limit, cursor) {
    const { invites: rows, next } = await read<Invites>('invites', {
      ...inviteFilter,
      limit,
      cursor,
    });
    return { rows, next };
  },
});

const joins = list<Summary>({
  section: '#joins',
  key: ({ email }) => email,
  cells: ({ email, clicks, firstAt, lastAt }) => [
    personLink(email),
    formatCount(clicks),
    timeElement(firstAt),
    timeElement(lastAt),
  ],
  async read(limit, summary) {
    const reply = await read<Joins>('joins', { of: 'summary', limit, summary });
    return { rows: reply.summary, next: reply.next.summary };
  },
});

const clicks = list<Click>({
  section: '#clicks',
  key: ({ id }) => id,
  cells: ({ id, email, session, clickedAt }) => [
    String(id),
    personLink(email),
    timeElement(clickedAt),
    sessionElement(session),
  ],
  async read(limit, cursor) {
    const reply = await read<Joins>('joins', { of: 'clicks', limit, clicks: cursor });
    return { rows: reply.clicks, next: reply.next.clicks };
  },
});

export const events = list<LoggedEvent>({
  section: '#events',
  key: ({ id }) => id,
  cells: ({ id, type, email, occurredAt, session, deviceType, os, browser, meta }) => [
    String(id),
    timeElement(occurredAt),
    element('span', type, type === 'login' ? 'login' : 'view'),
    personLink(email),
    meta ? `${meta.view}${meta.forced ? ', chosen' : ''}` : dash(),
    deviceType,
    os || dash(),
    browser || dash(),
    sessionElement(session),
  ],
  async read(limit, cursor) {
    try {
      const { events: rows, next } = await read<Events>('events', {
        ...eventFilter,
        limit,
        cursor,
      });
      return { rows, next };
    } catch (error) {
      // What looked like an address is none, so that it has no events.
      if (cursor === null && error instanceof Failure && error.code === 'invalid_query')
        return { rows: [], next: null };
      throw error;
    }
  },
});

const sessionElement = (session: string) => element('code', '', session);

/** Reads all lists again, as far as they are shown. */
export const refreshTables = (): Promise<unknown> =>
  Promise.all([invites, joins, clicks, events].map((each) => each.refresh()));
