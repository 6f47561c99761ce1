/**
 * The people who were ever invited or recorded, with their totals: one person, or the invite list,
 * sorted by any column, filtered by text and status, in pages by key.
 */
import type { Database } from 'better-sqlite3';
import type {
  EventType,
  ListedInvite,
  Person,
  PersonDevice,
  PersonTotals,
  Status,
} from '../../records.ts';
import { fold } from './fold.ts';
import { LATEST, type Part, pager, type TimeAndEmail } from './page.ts';
import { type InPeriod, type Period, timeIn } from './period.ts';

/** The index of a status is its number in the store. */
export const STATUSES = ['not_come', 'logged_in', 'viewed', 'joined'] as const satisfies Status[];

/** Searched beside the address. Null in the store if another program has written the row. */
const FOLDED = 'ifnull(folded, fold_person(first_name, email))';

/** The expression that each sort uses. First names sort without case and accents. */
const SORTS = {
  email: 'email',
  firstName: FOLDED,
  invitedBy: 'invited_by',
  invitedAt: 'invited_at',
  status: 'status',
  logins: 'logins',
  timelineViews: 'timeline_views',
  joinClicks: 'join_clicks',
  lastSeenAt: 'ifnull(last_seen_at, 0)',
} as const;

type InviteSort = keyof typeof SORTS;

export const INVITE_SORTS = Object.keys(SORTS) as readonly InviteSort[];

const TEXT_SORTS: readonly InviteSort[] = ['email', 'firstName', 'invitedBy'];

/** The period is that of the invites. */
export type InviteSearch = InPeriod & {
  readonly sort: InviteSort;
  readonly order: 'asc' | 'desc';
  /** Part of the address or of the first name, without regard to case and accents. */
  readonly text?: string | undefined;
  readonly status?: Status | undefined;
  /** Only administrators. */
  readonly admins?: true;
};

/** The position of a row in a sorted list: the value of the sort, and the person's id. */
export type SearchPosition = readonly [key: string | number, id: number];

/** The newest events of each type that a person's devices are counted in. */
const DEVICE_EVENTS = 100;

const COLUMNS = `email, first_name as firstName, is_admin as isAdmin, invited_by as invitedBy,
  invited_at as invitedAt, status, logins, timeline_views as timelineViews,
  join_clicks as joinClicks, last_seen_at as lastSeenAt`;

type Stored<T> = Omit<T, 'isAdmin' | 'status'> & {
  readonly isAdmin: 0 | 1;
  readonly status: 0 | 1 | 2 | 3;
};

type FoundRow = Stored<ListedInvite> & { readonly id: number; readonly key: string | number };

export function people(db: Database) {
  const select = db.prepare<[string], Stored<Person>>(
    `select ${COLUMNS}, first_join_at as firstJoinAt, last_join_at as lastJoinAt
     from people where email = ?`,
  );
  const newest = (type: string) =>
    `select * from (
       select device_type, os, browser, occurred_at from events
       where email = @email and event_type = '${type}' order by id desc limit ${DEVICE_EVENTS})`;
  const selectDevices = db.prepare<[{ email: string }], PersonDevice>(
    `select device_type as deviceType, os, browser, count(*) as count, max(occurred_at) as lastAt
     from (${newest('login')} union all ${newest('timeline_view')})
     group by 1, 2, 3 order by count desc, 1, 2, 3`,
  );

  const readInvites = pager<FoundRow, SearchPosition>(db, ({ key, id }) => [key, id]);
  const readSeen = pager<PersonTotals, TimeAndEmail>(db, (row) => [row.lastSeenAt, row.email]);

  return {
    find(email: string): Person | undefined {
      const row = select.get(email);
      const status = row && row.invitedAt !== null ? STATUSES[row.status] : null;
      return row && { ...row, isAdmin: row.isAdmin === 1, status };
    },
    /** The devices of a person's newest 100 logins and 100 views, most used first. */
    devices: (email: string): readonly PersonDevice[] => selectDevices.all({ email }),
    /** Invited people, sorted and filtered. */
    list({ limit, after, ...search }: Part<SearchPosition> & InviteSearch) {
      const { rows, next } = readInvites(listSql(search, after !== undefined), {
        text: search.text && fold(search.text.trim()),
        status: search.status && STATUSES.indexOf(search.status),
        ...search.period,
        limit,
        key: after?.[0],
        id: after?.[1],
      });
      return { rows: rows.map(toListed), next };
    },
    /** People who have logged in or viewed, most recent first. */
    seen: ({ limit, after: [at, last] = [LATEST, ''] }: Part<TimeAndEmail>) =>
      readSeen(
        `select email, logins, timeline_views as timelineViews, last_seen_at as lastSeenAt
         from people where last_seen_at <= @at and (last_seen_at < @at or email > @last)
         order by last_seen_at desc, email limit @limit`,
        { limit, at, last },
      ),
    /** The same, with the numbers of a period alone. For tools: it counts for seconds. */
    seenIn: (period: Period): Iterable<PersonTotals> =>
      db.prepare<[Period], PersonTotals>(SEEN_IN).iterate(period),
  };
}

const ofPersonIn = (type: EventType): string =>
  `from events where email = people.email and event_type = '${type}'
     and id between first and last and id not in others`;

/**
 * Counts in the index of each person's events alone, because reading ten years of a log takes
 * minutes. The index has no times, but each day knows its first and last id. Days overlap only if
 * the clock was set back: `others` are the rows of other days between these ids.
 */
const SEEN_IN = `with
  ids (first, last) as (
    select min(first_event), max(last_event) from day_totals where day between @from and @to),
  others (id) as materialized (
    select id from ids, day_totals, events
    where day not between @from and @to and first_event <= last and last_event >= first
      and id between max(first_event, first) and min(last_event, last)
      and not (${timeIn('occurred_at')})),
  seen (person, logins, timelineViews, newest) as (
    select email, (select count(*) ${ofPersonIn('login')}),
      (select count(*) ${ofPersonIn('timeline_view')}),
      max(ifnull((select max(id) ${ofPersonIn('login')}), 0),
        ifnull((select max(id) ${ofPersonIn('timeline_view')}), 0))
    from people, ids)
  select email, logins, timelineViews, occurred_at as lastSeenAt
  from seen join events on id = newest order by lastSeenAt desc, email`;

const toListed = ({ id, key, ...row }: FoundRow): ListedInvite => ({
  ...row,
  isAdmin: row.isAdmin === 1,
  status: STATUSES[row.status],
});

/** Whether a value is a position in a list with this sort. */
export const isSearchPosition =
  (sort: InviteSort) =>
  (value: unknown): value is SearchPosition =>
    Array.isArray(value) &&
    value.length === 2 &&
    (TEXT_SORTS.includes(sort) ? typeof value[0] === 'string' : Number.isSafeInteger(value[0])) &&
    Number.isSafeInteger(value[1]);

/**
 * Scans all people once. The scan has the direction of the list, because ids mostly grow with the
 * time of the invite. In the other direction, most rows would enter the sorter and leave it again.
 */
function listSql(
  { sort, order, text, status, admins, period }: InviteSearch,
  behind: boolean,
): string {
  const conditions = [
    'invited_at is not null',
    status && 'status = @status',
    text && `(instr(email, @text) > 0 or instr(${FOLDED}, @text) > 0)`,
    admins && 'is_admin',
    period && timeIn('invited_at'),
  ];
  return `select ${COLUMNS}, id, ${SORTS[sort]} as key from people
    where id in (
      select id from (
        select id, ${SORTS[sort]} as key from people not indexed
        where ${conditions.filter(Boolean).join(' and ')}
        ${order === 'desc' ? 'order by id desc limit -1' : ''}
      )
      ${behind ? `where (key, id) ${order === 'asc' ? '>' : '<'} (@key, @id)` : ''}
      order by key ${order}, id ${order} limit @limit
    )
    order by key ${order}, id ${order}`;
}
