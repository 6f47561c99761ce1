/**
 * Reads the filters of the administrator's lists from a query. The export of lists uses them too.
 */
import { EVENT_TYPES, type EventFilter } from '../store/events.ts';
import { ALL_ACTS, INVITE_SORTS, type InviteSearch, STATUSES } from '../store/people-search.ts';
import type { Period } from '../store/period.ts';
import type { Query } from './query.ts';

/** The filters and the order of the invite list. */
export const readInviteSearch = (query: Query): InviteSearch => ({
  sort: query.oneOf('sort', INVITE_SORTS) ?? 'invitedAt',
  order: query.oneOf('order', ['asc', 'desc']) ?? 'desc',
  text: query.text('q'),
  statuses: query.someOf('status', STATUSES),
  did: query.oneOf('did', ALL_ACTS),
  invitedAt: query.time('invitedAt'),
  invitedBefore: query.time('before'),
  period: query.period(),
});

export type JoinQuery = {
  /** The list to read. Without it, both are read. */
  readonly of: 'summary' | 'clicks' | undefined;
  readonly email: string | undefined;
  readonly period: Period | undefined;
};

export const readJoinFilter = (query: Query): JoinQuery => ({
  of: query.oneOf('of', ['summary', 'clicks']),
  email: query.email('email'),
  period: query.period(),
});

export const readEventFilter = (query: Query): EventFilter => ({
  type: query.oneOf('type', EVENT_TYPES),
  email: query.email('email'),
  period: query.period(),
});
