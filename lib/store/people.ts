/** People with their totals: the invite list, or one person. */
import type { Database } from 'better-sqlite3';
import { foldText, readableEmail } from '../addresses/normalize.ts';
import type { ListedInvite, PeopleCounts, Person, PersonTotals, Status } from '../records.ts';
import { readNamedRow } from './first-name.ts';
import { type PageQuery, pageOfPeople } from './paging.ts';
import { ALL_TIME, EVENTS_OF_PERIOD, type Period, type PeriodFilter, periodSql } from './period.ts';
import { requireRow, statementCache } from './sqlite.ts';

/** The index of a status is its number in sql/count.sql. */
export const STATUSES = ['pending', 'logged_in', 'viewed', 'joined'] as const satisfies Status[];

const EVENTS = `from events where ${EVENTS_OF_PERIOD}`;
/** By id: reading all rows by the index of addresses takes longer. */
const CLICKS = `from project_joins not indexed where ${periodSql('clicked_at')}`;

/** What people do, and its rows of a period. */
const ACTS = {
  login: `${EVENTS} and event_type = 'login'`,
  view: `${EVENTS} and event_type = 'timeline_view'`,
  join: CLICKS,
} as const;

export type Act = keyof typeof ACTS;

export const ALL_ACTS = Object.keys(ACTS) as readonly Act[];

/** The SQL expression of each sort. */
const SORTS = {
  email: 'email',
  firstName: "fold(ifnull(first_name, ''))",
  invitedBy: 'invited_by',
  invitedAt: 'invited_at',
  // Before the invited people, those who are not invited any more.
  status: 'iif(invited_at is null, -1, ifnull(status, 0))',
  logins: 'ifnull(logins, 0)',
  timelineViews: 'ifnull(timeline_views, 0)',
  joinClicks: 'ifnull(join_clicks, 0)',
  lastSeenAt: 'last_seen',
} as const;

type InviteSort = keyof typeof SORTS;

export const INVITE_SORTS = Object.keys(SORTS) as readonly InviteSort[];

/** The period is that of `invitedAt`; with `did`, that of the act. */
export type InviteSearch = PeriodFilter & {
  readonly sort: InviteSort;
  readonly order: 'asc' | 'desc';
  /** Part of the address or of the first name; case and accents are ignored. */
  readonly text?: string | undefined;
  /** Any of these. */
  readonly statuses?: readonly Status[] | undefined;
  /** Who did this in the period, also people who are not invited any more. */
  readonly did?: Act | undefined;
};

const PERSON = `email, first_name as firstName, is_admin as isAdmin, invited_by as invitedBy,
  invited_at as invitedAt, iif(invited_at is null, null, ifnull(status, 0)) as status,
  ifnull(logins, 0) as logins, ifnull(timeline_views, 0) as timelineViews,
  ifnull(join_clicks, 0) as joinClicks, last_seen as lastSeenAt`;

type Row = Omit<Person, 'isAdmin' | 'status'> & {
  readonly isAdmin: 0 | 1 | null;
  readonly status: 0 | 1 | 2 | 3 | null;
};

export type PeopleReader = ReturnType<typeof peopleReader>;

/** @param db has the tables of `logCounter` */
export function peopleReader(db: Database) {
  db.function('fold', { deterministic: true }, foldText);
  db.function('readable', { deterministic: true }, readableEmail);
  const prepareSearch = statementCache<string>(db);
  const select = db.prepare<[string], Row>(
    `select ${PERSON}, first_join as firstJoinAt, last_join as lastJoinAt
     from (select ? as email) left join invites using (email) left join people using (email)
     where invited_at is not null or logins is not null`,
  );
  const seen = db.prepare<[object], PersonTotals>(
    `select email, sum(login) as logins, sum(view) as timelineViews, max(at) as lastSeenAt
     from (select email, event_type = 'login' as login, event_type = 'timeline_view' as view,
         occurred_at as at ${EVENTS}
       union all select email, 0, 0, clicked_at ${CLICKS})
     group by email having sum(login + view) > 0 order by lastSeenAt desc, email limit @limit`,
  );
  const countSql = (act: Act) => `count(*) filter (where ${lastActSql(act)})`;
  const lastActs = db.prepare<[Period], PeopleCounts>(
    `select ${countSql('login')} as loggedIn, ${countSql('view')} as viewed,
       ${countSql('join')} as joined from people`,
  );
  const distinct = db.prepare<[Period], PeopleCounts>(
    `select count(distinct iif(event_type = 'login', email, null)) as loggedIn,
       count(distinct iif(event_type = 'timeline_view', email, null)) as viewed,
       (select count(distinct email) ${CLICKS}) as joined
     ${EVENTS}`,
  );

  const hasLater = db
    .prepare<[Period], 0 | 1>('select exists (select 1 from days where day > @to)')
    .pluck();
  /**
   * Whether no counted day is later than a period. Then people acted in it if their last act is on or
   * after its first day, which takes no search in the logs.
   */
  const reachesNewestDay = (period: Period): boolean => hasLater.get(period) === 0;

  /** The addresses of all people in a list, in its order. */
  function search(query: InviteSearch): readonly string[] {
    const { period = ALL_TIME, text, statuses } = query;
    return prepareSearch(searchSql(query, reachesNewestDay(period)))
      .pluck()
      .all({
        ...period,
        text: text && foldText(text.trim()),
        statuses: JSON.stringify(statuses?.map((status) => STATUSES.indexOf(status))),
      });
  }

  /** A person who was ever invited or recorded. */
  function find(email: string): Person | undefined {
    const row = select.get(email);
    if (!row) return undefined;
    const status = row.status === null ? null : STATUSES[row.status];
    return { ...readNamedRow(row), isAdmin: row.isAdmin === 1, status };
  }

  /** A person in a list by a search, who is still in it. */
  function findListed({ did }: InviteSearch, email: string): ListedInvite | undefined {
    const person = find(email);
    if (!person || (!did && person.invitedAt === null)) return undefined;
    const { firstJoinAt, lastJoinAt, ...listed } = person;
    return listed;
  }

  return {
    find,
    search,
    reachesNewestDay,
    /** How many different people did each act in a period. */
    countActive: (period: Period): PeopleCounts =>
      requireRow((reachesNewestDay(period) ? lastActs : distinct).get(period)),
    /** A page of a list. @param emails of all its people, from an earlier `search` */
    list(query: PageQuery & InviteSearch, emails?: readonly string[]) {
      return pageOfPeople(emails ?? search(query), query, (email) => findListed(query, email));
    },
    /** People who have logged in or viewed, most recent first. */
    seen: ({ limit, period = ALL_TIME }: PageQuery & PeriodFilter) => ({
      rows: seen.all({ ...period, limit }),
    }),
  };
}

/** Whether a person did an act since `@from`. */
const lastActSql = (act: Act): string => `last_${act} >= @from * 86400000`;

/** @param reachesNewestDay of the period of the query */
function searchSql(query: InviteSearch, reachesNewestDay: boolean): string {
  const { sort, order, text, statuses, did } = query;
  const conditions: string[] = [];
  if (!did) conditions.push(periodSql('invited_at'));
  else if (reachesNewestDay) conditions.push(`ifnull(${lastActSql(did)}, false)`);
  else conditions.push(`email in (select email ${ACTS[did]})`);
  if (statuses) conditions.push('invited_at is not null', HAS_STATUS);
  if (text) conditions.push(HAS_TEXT);
  // An index has the invites by time and address.
  const ties = sort === 'invitedAt' ? order : 'asc';
  return `select email
    from ${did ? 'people left join invites' : 'invites left join people'} using (email)
    where ${conditions.join(' and ')}
    order by ${SORTS[sort]} ${order}, email ${ties}`;
}

const HAS_STATUS = 'ifnull(status, 0) in (select value from json_each(@statuses))';

/** Few addresses need the functions, which are slow. */
const HAS_TEXT = `(
  instr(email, @text)
  or instr(${SORTS.firstName}, @text)
  or (email glob '*[^ -~]*' and instr(fold(email), @text))
  or (instr(email, 'xn--') and instr(fold(readable(email)), @text))
)`;
