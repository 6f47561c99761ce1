/** The SQL of a search in the invite list: its filters, its order, and what people did. */
import type { Status } from '../records.ts';
import { EVENT_IN_PERIOD, type PeriodFilter, periodSql } from './period.ts';

/** The index of a status is its number in sql/count-tables.sql. */
export const STATUSES = ['pending', 'logged_in', 'viewed', 'joined'] as const satisfies Status[];

/** The events of a period. */
export const FROM_EVENTS = `from events where ${EVENT_IN_PERIOD}`;

/** The join clicks of a period, read by id. By the index of addresses, it would take longer. */
export const FROM_CLICKS = `from project_joins not indexed where ${periodSql('clicked_at')}`;

/** What people do, with the rows of a period. */
const ACTS = {
  login: `${FROM_EVENTS} and event_type = 'login'`,
  view: `${FROM_EVENTS} and event_type = 'timeline_view'`,
  join: FROM_CLICKS,
} as const;

type Act = keyof typeof ACTS;

export const ALL_ACTS = Object.keys(ACTS) as readonly Act[];

/** The SQL expression of each sort. */
const SORTS = {
  email: 'email',
  firstName: "fold(ifnull(first_name, ''))",
  invitedBy: 'invited_by',
  invitedAt: 'invited_at',
  // People who are no longer invited come first.
  status: 'iif(invited_at is null, -1, ifnull(status, 0))',
  logins: 'ifnull(logins, 0)',
  timelineViews: 'ifnull(timeline_views, 0)',
  joinClicks: 'ifnull(join_clicks, 0)',
  lastSeenAt: 'last_seen',
} as const;

type InviteSort = keyof typeof SORTS;

export const INVITE_SORTS = Object.keys(SORTS) as readonly InviteSort[];

/**
 * A search in the invite list. Its period is that of the invites, or with `did` that of the acts.
 */
export type InviteSearch = PeriodFilter & {
  readonly sort: InviteSort;
  readonly order: 'asc' | 'desc';
  /** Part of the address or of the first name; case and accents are ignored. */
  readonly text?: string | undefined;
  /** People with any of these statuses. */
  readonly statuses?: readonly Status[] | undefined;
  /** People who did this in the period, also those who are no longer invited. */
  readonly did?: Act | undefined;
  /** People who were invited at this moment, in epoch ms: all guests of one save. */
  readonly invitedAt?: number | undefined;
  /** People who were invited before this moment, in epoch ms. */
  readonly invitedBefore?: number | undefined;
};

/** Whether a person of `person_totals` did an act on or after the first day of a period. */
export const hasActedSince = (act: Act): string => `last_${act} >= @from * 86400000`;

/** A condition: a person did an act in the period of a search. */
function actedSql(act: Act, reachesNewestDay: boolean): string {
  if (reachesNewestDay) return `ifnull(${hasActedSince(act)}, false)`;
  return `email in (select email ${ACTS[act]})`;
}

/** The statement of a search. @param reachesNewestDay whether no counted day is after its period */
export function searchSql(query: InviteSearch, reachesNewestDay: boolean): string {
  const { sort, order, text, statuses, did, invitedAt, invitedBefore } = query;
  const from = did ? 'person_totals left join invites' : 'invites left join person_totals';
  const conditions: string[] = [];
  if (did) conditions.push(actedSql(did, reachesNewestDay));
  else conditions.push(periodSql('invited_at'));
  if (invitedAt !== undefined) conditions.push('invited_at = @invitedAt');
  if (invitedBefore !== undefined) conditions.push('invited_at < @invitedBefore');
  if (statuses) {
    conditions.push('invited_at is not null');
    conditions.push('ifnull(status, 0) in (select value from json_each(@statuses))');
  }
  if (text) conditions.push(HAS_TEXT);
  // The index has the invites by time and address.
  const ties = sort === 'invitedAt' ? order : 'asc';
  return `select email
    from ${from} using (email)
    where ${conditions.join(' and ')}
    order by ${SORTS[sort]} ${order}, email ${ties}`;
}

/** Only addresses beyond plain ASCII use these functions, because they are slow. */
const HAS_TEXT = `(
  instr(email, @text)
  or instr(${SORTS.firstName}, @text)
  or (email glob '*[^ -~]*' and instr(fold(email), @text))
  or (instr(email, 'xn--') and instr(fold(readable(email)), @text))
)`;
