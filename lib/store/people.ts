/** People with their totals: the invite list, one person, and how many were active in a period. */
import type { Database } from 'better-sqlite3';
import { foldText, readableEmail } from '../addresses/normalize.ts';
import type { ListedInvite, PeopleCounts, Person, PersonTotals } from '../records.ts';
import { forNumbers } from './counting.ts';
import { readNamedRow } from './first-name.ts';
import { INVITE_FIELDS } from './invites.ts';
import { type PageOfPeople, type PageQuery, pageOfPeople } from './paging.ts';
import {
  FROM_CLICKS,
  FROM_EVENTS,
  hasActedSince,
  type InviteSearch,
  STATUSES,
  searchSql,
} from './people-search.ts';
import { ALL_TIME, type Period, type PeriodFilter } from './period.ts';
import { requireRow, statementCache } from './sqlite.ts';

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
   * Whether no counted day is later than a period. Then everybody whose last act is on or after its
   * first day acted in the period, and the logs need not be searched.
   */
  readonly reachesNewestDay: (period: Period) => boolean;
  /** People who have logged in or viewed, most recent first. */
  readonly seen: (query: PageQuery & PeriodFilter) => { readonly rows: readonly PersonTotals[] };
};

/** @param db has the tables of `createCountTables` */
export function peopleReader(db: Database): PeopleReader {
  db.function('fold', { deterministic: true }, foldText);
  db.function('readable', { deterministic: true }, readableEmail);
  const searchOf = statementCache((sql) => db.prepare<[object], string>(sql).pluck());
  const numbers = forNumbers((name, column) => `ifnull(${column}, 0) as ${name}`);
  const select = db.prepare<[string], Row>(
    `select ${INVITE_FIELDS}, iif(invited_at is null, null, ifnull(status, 0)) as status,
       ${numbers}, last_seen as lastSeenAt, first_join as firstJoinAt, last_join as lastJoinAt
     from (select ? as email) left join invites using (email) left join person_totals using (email)
     where invited_at is not null or logins is not null`,
  );
  const seen = db.prepare<[object], PersonTotals>(
    `select email, sum(login) as logins, sum(view) as timelineViews, max(at) as lastSeenAt
     from (select email, event_type = 'login' as login, event_type = 'timeline_view' as view,
         occurred_at as at ${FROM_EVENTS}
       union all select email, 0, 0, clicked_at ${FROM_CLICKS})
     group by email having sum(login + view) > 0 order by lastSeenAt desc, email limit @limit`,
  );
  const countByLastAct = db.prepare<[Period], PeopleCounts>(
    `select count(*) filter (where ${hasActedSince('login')}) as loggedIn,
       count(*) filter (where ${hasActedSince('view')}) as viewed,
       count(*) filter (where ${hasActedSince('join')}) as joined
     from person_totals`,
  );
  const countInLogs = db.prepare<[Period], PeopleCounts>(
    `select count(distinct iif(event_type = 'login', email, null)) as loggedIn,
       count(distinct iif(event_type = 'timeline_view', email, null)) as viewed,
       (select count(distinct email) ${FROM_CLICKS}) as joined
     ${FROM_EVENTS}`,
  );
  const hasLaterDay = db
    .prepare<[Period], 0 | 1>('select exists (select 1 from day_totals where day > @to)')
    .pluck();

  const reachesNewestDay = (period: Period): boolean => hasLaterDay.get(period) === 0;

  function search(query: InviteSearch): readonly string[] {
    const { period = ALL_TIME, text, statuses, invitedAt, invitedBefore } = query;
    const sql = searchSql(query, reachesNewestDay(period));
    return searchOf(sql).all({
      ...period,
      invitedAt,
      invitedBefore,
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

  /** The row of a person in a list; `undefined` if the person was deleted after the search. */
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
