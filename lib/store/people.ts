/** People with their totals: one person, or the invite list, sorted and filtered. */
import type { Database } from 'better-sqlite3';
import type { ListedInvite, Person, PersonDevice, PersonTotals, Status } from '../records.ts';
import { EVENTS_OF_PERSON } from './events.ts';
import { foldText } from './normalize.ts';
import { type PageQuery, pageReader, readAllPages } from './paging.ts';
import { type Period, type PeriodFilter, periodSql } from './period.ts';

/** The index of a status is its number in the store. */
export const STATUSES = ['not_come', 'logged_in', 'viewed', 'joined'] as const satisfies Status[];

/** `folded` is null if another program has written the row. */
const FOLDED = 'ifnull(folded, fold_person(first_name, email))';

/** The SQL expression of each sort. */
const SORTS = {
  email: 'email',
  firstName: FOLDED,
  invitedBy: 'invited_by',
  invitedAt: 'invited_at',
  // Lets SQLite scan people in order, so that a filter ends early.
  status: 'ifnull(status, 0)',
  logins: 'logins',
  timelineViews: 'timeline_views',
  joinClicks: 'join_clicks',
  lastSeenAt: 'ifnull(last_seen_at, 0)',
} as const;

type InviteSort = keyof typeof SORTS;

export const INVITE_SORTS = Object.keys(SORTS) as readonly InviteSort[];

const TEXT_SORTS: readonly InviteSort[] = ['email', 'firstName', 'invitedBy'];

/** The period is that of `invitedAt`. */
export type InviteSearch = PeriodFilter & {
  readonly sort: InviteSort;
  readonly order: 'asc' | 'desc';
  /** Part of the address or of the first name; case and accents are ignored. */
  readonly text?: string | undefined;
  readonly status?: Status | undefined;
  /** Only administrators. */
  readonly admins?: true;
};

/** The position of a row in a sorted list: the value of the sort, and the person's id. */
type SearchPosition = readonly [key: string | number, id: number];

type InviteQuery = PageQuery<SearchPosition> & InviteSearch;

/** Newest events of each type from which a person's devices are counted. */
const DEVICE_EVENTS = 100;

const COLUMNS = `email, first_name as firstName, is_admin as isAdmin, invited_by as invitedBy,
  invited_at as invitedAt, status, logins, timeline_views as timelineViews,
  join_clicks as joinClicks, last_seen_at as lastSeenAt`;

/** Both tables have a row for each person. SQLite skips the joined one if it is not used. */
const PEOPLE = 'people left join activity on person = id';
const ACTIVITY = 'activity left join people on id = person';

type Stored<T> = Omit<T, 'isAdmin' | 'status'> & {
  readonly isAdmin: 0 | 1;
  readonly status: 0 | 1 | 2 | 3;
};

type FoundRow = Stored<ListedInvite> & { readonly id: number; readonly key: string | number };

export function peopleReader(db: Database) {
  const select = db.prepare<[string], Stored<Person>>(
    `select ${COLUMNS}, first_join_at as firstJoinAt, last_join_at as lastJoinAt
     from ${PEOPLE} where email = ?`,
  );
  const device = 'device_type, os, browser, occurred_at';
  const selectDevices = db.prepare<[{ email: string }], PersonDevice>(
    `select device_type as deviceType, os, browser, count(*) as count, max(occurred_at) as lastAt
     from (
       select * from (select ${device} from events where email = @email and event_type = 'login'
         order by id desc limit ${DEVICE_EVENTS})
       union all
       select * from (select ${device} from ${EVENTS_OF_PERSON} and event_type = 'timeline_view'
         order by event_blocks.block desc, event desc limit ${DEVICE_EVENTS}))
     group by 1, 2, 3 order by count desc, 1, 2, 3`,
  );
  const seen = db.prepare<[], PersonTotals>(
    `select email, logins, timeline_views as timelineViews, last_seen_at as lastSeenAt
     from activity cross join people on id = person
     where last_seen_at is not null order by last_seen_at desc, email`,
  );
  const seenIn = db.prepare<[Period], PersonTotals>(
    `select email, logins, timelineViews, lastSeenAt from (
       select person, sum(logins) as logins, sum(timeline_views) as timelineViews,
         max(last_seen_at) as lastSeenAt
       from person_days where day between @from and @to group by person)
     cross join people on id = person
     where lastSeenAt is not null order by lastSeenAt desc, email`,
  );

  const readInvites = pageReader<FoundRow, SearchPosition>(db, ({ key, id }) => [key, id]);
  const list = (query: InviteQuery) => {
    const { text, status, after } = query;
    const { rows, next } = readInvites(listSql(query), {
      ...query,
      text: text && foldText(text.trim()),
      status: status && STATUSES.indexOf(status),
      key: after?.[0],
      id: after?.[1],
    });
    return { rows: rows.map(toListed), next };
  };

  return {
    find(email: string): Person | undefined {
      const row = select.get(email);
      const status = row && row.invitedAt !== null ? STATUSES[row.status] : null;
      return row && { ...row, isAdmin: row.isAdmin === 1, status };
    },
    /** The devices of a person's newest 100 logins and 100 views, most used first. */
    devices: (email: string): readonly PersonDevice[] => selectDevices.all({ email }),
    /** Invited people, sorted and filtered. */
    list,
    /** The whole list. Its pages are large, because each scans all people. */
    all: (search: InviteSearch) => readAllPages(list, search, undefined, 2000),
    /** People who have logged in or viewed, most recent first. Not iterated: see sqlite.ts. */
    seen: (period?: Period): readonly PersonTotals[] => (period ? seenIn.all(period) : seen.all()),
  };
}

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
 * Scans all people once; the order of the invites has an index. Ties are in scan order, which keeps
 * the sorter small.
 */
function listSql({ sort, order, text, status, admins, period, after }: InviteQuery): string {
  const ties = sort === 'invitedAt' ? order : 'asc';
  const key = SORTS[sort];
  const is = { asc: '>', desc: '<' };
  const [from, id, invited] =
    text || sort === 'invitedAt' || TEXT_SORTS.includes(sort)
      ? [PEOPLE, 'id', 'invited_at is not null']
      : [ACTIVITY, 'person', 'invited'];
  const conditions = [
    invited,
    status && `${SORTS.status} = @status`,
    text && `(instr(email, @text) > 0 or instr(${FOLDED}, @text) > 0)`,
    admins && 'is_admin',
    periodSql('invited_at', period),
    after && `${key} ${is[order]}= @key and (${key} ${is[order]} @key or ${id} ${is[ties]} @id)`,
  ];
  return `select ${COLUMNS}, id, ${key} as key from ${PEOPLE}
    where id in (
      select ${id} from ${from} where ${conditions.filter(Boolean).join(' and ')}
      order by ${key} ${order}, ${id} ${ties} limit @limit
    )
    order by ${key} ${order}, id ${ties}`;
}
