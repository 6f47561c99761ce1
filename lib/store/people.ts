/** People with their totals: the invite list, or one person. */
import type { Database } from 'better-sqlite3';
import { foldText, readableEmail } from '../addresses/normalize.ts';
import type { ListedInvite, PeopleCounts, Person, PersonTotals, Status } from '../records.ts';
import { forNumbers } from './counting.ts';
import { readNamedRow } from './first-name.ts';
import { INVITE_FIELDS } from './invites.ts';
import { type PageOfPeople, type PageQuery, pageOfPeople } from './paging.ts';
import { ALL_TIME, EVENTS_OF_PERIOD, type Period, type PeriodFilter, periodSql } from './period.ts';
import { requireRow, statementCache } from './sqlite.ts';

/** The index of a status is its number in sql/count-tables.sql. */
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
  /** Who was invited at this moment: all guests of one save. In epoch ms. */
  readonly invitedAt?: number | undefined;
  /** Who was invited before this moment, in epoch ms. */
  readonly before?: number | undefined;
};

type Row = Omit<Person, 'isAdmin' | 'status'> & {
  readonly isAdmin: 0 | 1 | null;
  readonly status: 0 | 1 | 2 | 3 | null;
};

export type PeopleReader = {
  /** A person who was ever invited or recorded. */
  readonly find: (email: string) => Person | undefined;
  /** The addresses of all people in a list, in its order. */
  readonly search: (query: InviteSearch) => readonly string[];
  /** A page of a list. @param emails of all its people, from an earlier `search` */
  readonly list: (
    query: PageQuery & InviteSearch,
    emails?: readonly string[],
  ) => PageOfPeople<ListedInvite>;
  /** How many different people did each act in a period. */
  readonly countActive: (period: Period) => PeopleCounts;
  /**
   * Whether no counted day is later than a period. Then people acted in it if their last act is on or
   * after its first day, which takes no search in the logs.
   */
  readonly reachesNewestDay: (period: Period) => boolean;
  /** People who have logged in or viewed, most recent first. */
  readonly seen: (query: PageQuery & PeriodFilter) => { readonly rows: readonly PersonTotals[] };
};

/** @param db has the tables of `createCountTables` */
export function peopleReader(db: Database): PeopleReader {
  db.function('fold', { deterministic: true }, foldText);
  db.function('readable', { deterministic: true }, readableEmail);
  const prepareSearch = statementCache<string>(db);
  const numbers = forNumbers((name, column) => `ifnull(${column}, 0) as ${name}`);
  const select = db.prepare<[string], Row>(
    `select ${INVITE_FIELDS}, iif(invited_at is null, null, ifnull(status, 0)) as status,
       ${numbers}, last_seen as lastSeenAt, first_join as firstJoinAt, last_join as lastJoinAt
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
  const countByLastAct = db.prepare<[Period], PeopleCounts>(
    `select count(*) filter (where ${hasActedSince('login')}) as loggedIn,
       count(*) filter (where ${hasActedSince('view')}) as viewed,
       count(*) filter (where ${hasActedSince('join')}) as joined
     from people`,
  );
  const countInLogs = db.prepare<[Period], PeopleCounts>(
    `select count(distinct iif(event_type = 'login', email, null)) as loggedIn,
       count(distinct iif(event_type = 'timeline_view', email, null)) as viewed,
       (select count(distinct email) ${CLICKS}) as joined
     ${EVENTS}`,
  );
  const hasLaterDay = db
    .prepare<[Period], 0 | 1>('select exists (select 1 from days where day > @to)')
    .pluck();

  const reachesNewestDay = (period: Period): boolean => hasLaterDay.get(period) === 0;

  function search(query: InviteSearch): readonly string[] {
    const { period = ALL_TIME, text, statuses, invitedAt, before } = query;
    const sql = searchSql(query, reachesNewestDay(period));
    return prepareSearch(sql)
      .pluck()
      .all({
        ...period,
        invitedAt,
        before,
        text: text && foldText(text.trim()),
        statuses: JSON.stringify(statuses?.map((status) => STATUSES.indexOf(status))),
      });
  }

  function find(email: string): Person | undefined {
    const row = select.get(email);
    if (!row) return undefined;
    const status = row.status === null ? null : STATUSES[row.status];
    return { ...readNamedRow(row), isAdmin: row.isAdmin === 1, status };
  }

  /** The row of a person whom a search has found; `undefined` if the list lost the person since. */
  function findListed({ did }: InviteSearch, email: string): ListedInvite | undefined {
    const person = find(email);
    if (!person || (!did && person.invitedAt === null)) return undefined;
    const { firstJoinAt, lastJoinAt, ...listed } = person;
    return listed;
  }

  return {
    find,
    search,
    list(query, emails) {
      const all = emails ?? search(query);
      return pageOfPeople(all, query, (email) => findListed(query, email));
    },
    countActive(period) {
      const count = reachesNewestDay(period) ? countByLastAct : countInLogs;
      return requireRow(count.get(period));
    },
    reachesNewestDay,
    seen({ limit, period = ALL_TIME }) {
      return { rows: seen.all({ ...period, limit }) };
    },
  };
}

/** Whether a person of the table `people` did an act on or after the first day of a period. */
const hasActedSince = (act: Act): string => `last_${act} >= @from * 86400000`;

/** @param reachesNewestDay of the period of the query */
function searchSql(query: InviteSearch, reachesNewestDay: boolean): string {
  const { sort, order, text, statuses, did, invitedAt, before } = query;
  const from = did ? 'people left join invites' : 'invites left join people';
  const conditions: string[] = [];
  if (!did) conditions.push(periodSql('invited_at'));
  else if (reachesNewestDay) conditions.push(`ifnull(${hasActedSince(did)}, false)`);
  else conditions.push(`email in (select email ${ACTS[did]})`);
  if (invitedAt !== undefined) conditions.push('invited_at = @invitedAt');
  if (before !== undefined) conditions.push('invited_at < @before');
  if (statuses) {
    conditions.push('invited_at is not null');
    conditions.push('ifnull(status, 0) in (select value from json_each(@statuses))');
  }
  if (text) conditions.push(HAS_TEXT);
  // An index has the invites by time and address.
  const ties = sort === 'invitedAt' ? order : 'asc';
  return `select email
    from ${from} using (email)
    where ${conditions.join(' and ')}
    order by ${SORTS[sort]} ${order}, email ${ties}`;
}

/** Few addresses need the functions, which are slow. */
const HAS_TEXT = `(
  instr(email, @text)
  or instr(${SORTS.firstName}, @text)
  or (email glob '*[^ -~]*' and instr(fold(email), @text))
  or (instr(email, 'xn--') and instr(fold(readable(email)), @text))
)`;
