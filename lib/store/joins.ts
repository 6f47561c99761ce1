/** Join clicks: a row for each press of the join button. */
import type { Database } from 'better-sqlite3';
import type { JoinClick, JoinStats, JoinSummary, ListPage, NewJoinClick } from '../records.ts';
import { readNamedRow } from './first-name.ts';
import { type PageOfPeople, type PageQuery, pageOfPeople, pageReader } from './paging.ts';
import type { PeopleReader } from './people.ts';
import { ALL_TIME, type Period, type PeriodFilter, periodSql } from './period.ts';
import { requireRow, statementCache } from './sqlite.ts';
import type { TotalsReader } from './totals.ts';

type JoinFilter = PeriodFilter & { readonly email?: string | undefined };

type SummaryRow = Omit<JoinSummary, 'firstTime'> & { readonly firstTime: 0 | 1 };

export type JoinReader = {
  /** Whether a person has ever clicked. */
  readonly hasJoined: (email: string) => boolean;
  /** A page of clicks, newest first by id. */
  readonly list: (query: PageQuery & JoinFilter) => ListPage<JoinClick, number>;
  /**
   * The addresses of all people who clicked in the period. The person with the latest click is
   * first.
   */
  readonly search: (filter: JoinFilter) => readonly string[];
  /** A page of the people of `search`. @param emails from an earlier one */
  readonly summary: (
    query: PageQuery & JoinFilter,
    emails?: readonly string[],
  ) => PageOfPeople<JoinSummary>;
  /**
   * The clicks of the period, who clicked in it, and who first clicked in it.
   *
   * @param emails from an earlier `search`
   */
  readonly stats: (filter: JoinFilter, emails?: readonly string[]) => JoinStats;
};

export type JoinWriter = {
  /** Records a click of a session. @returns false if the session has ended */
  readonly record: (click: NewJoinClick) => boolean;
};

/** @param db has the tables of `createCountTables` */
export function joinReader(db: Database, totals: TotalsReader, people: PeopleReader): JoinReader {
  const readPage = pageReader<JoinClick>(db, 'project_joins');
  const searchOf = statementCache((sql) => db.prepare<[object], string>(sql).pluck());
  const clicksOfAllTime = db.prepare<[string], SummaryRow>(
    `select email, first_name as firstName, join_clicks as clicks, first_join as firstAt,
       last_join as lastAt, 1 as firstTime
     from person_totals left join invites using (email) where email = ? and join_clicks > 0`,
  );
  const clicksOfPeriod = db.prepare<[object], SummaryRow>(
    `select email, first_name as firstName, count(*) as clicks, min(clicked_at) as firstAt,
       max(clicked_at) as lastAt,
       min(clicked_at) = (select first_join from person_totals where email = @email) as firstTime
     from project_joins left join invites using (email)
     where email = @email and ${periodSql('clicked_at')} group by email`,
  );
  const countClicks = db
    .prepare<[object], number>(
      `select count(*) from project_joins where email = @email and ${periodSql('clicked_at')}`,
    )
    .pluck();
  const countFirstTime = db
    .prepare<[object], number>(
      `select count(*) from person_totals
       where ifnull(@email = email, true) and ${periodSql('first_join')}`,
    )
    .pluck();
  const newestId = db.prepare<[], number>('select click from counted').pluck();
  const selectAny = db.prepare<[string]>('select 1 from project_joins where email = ? limit 1');

  function search(filter: JoinFilter): readonly string[] {
    const { email, period = ALL_TIME } = filter;
    const sql = people.reachesNewestDay(period) ? searchByLastClick(filter) : searchInLog(filter);
    return searchOf(sql).all({ email, ...period });
  }

  function findSummary(email: string, period: Period | undefined): JoinSummary | undefined {
    const row = period ? clicksOfPeriod.get({ email, ...period }) : clicksOfAllTime.get(email);
    if (!row) return undefined;
    return { ...readNamedRow(row), firstTime: row.firstTime === 1 };
  }

  return {
    hasJoined(email) {
      return selectAny.get(email) !== undefined;
    },
    list(query) {
      const { email, period, limit, after } = query;
      const conditions = ['id between @first and @last'];
      if (email) conditions.push('email = @email');
      if (period) conditions.push(periodSql('clicked_at'));
      const sql = `select id, email, first_name as firstName, session_id as session,
          clicked_at as clickedAt
        from project_joins left join invites using (email)
        where ${conditions.join(' and ')}
        order by id desc limit @limit`;
      // Without a period, an index gives the rows of the page, so `visits` is left out.
      if (period === undefined) return withNames(readPage(sql, { email, limit, after }));
      // A search by period also visits other rows, and `visits` limits their number.
      const last = requireRow(newestId.get());
      return withNames(readPage(sql, query, { first: -Infinity, last }));
    },
    search,
    summary(query, emails) {
      const all = emails ?? search(query);
      return pageOfPeople(all, query, (email) => findSummary(email, query.period));
    },
    stats(filter, emails) {
      const { email, period = ALL_TIME } = filter;
      const users = (emails ?? search(filter)).length;
      const firstTime = requireRow(countFirstTime.get({ email: email ?? null, ...period }));
      const clicks =
        email === undefined
          ? totals.activity(period).joinClicks
          : requireRow(countClicks.get({ email, ...period }));
      return { clicks, users, firstTime };
    },
  };
}

function withNames(page: ListPage<JoinClick, number>): ListPage<JoinClick, number> {
  return { rows: page.rows.map(readNamedRow), next: page.next };
}

/**
 * Finds who clicked on or after the first day of a period, if nobody clicked after its last day.
 */
function searchByLastClick({ email }: JoinFilter): string {
  const conditions = ['last_join >= @from * 86400000'];
  if (email) conditions.push('email = @email');
  return `select email from person_totals
    where ${conditions.join(' and ')}
    order by last_join desc, email desc`;
}

/** Finds who clicked in a period. It reads all clicks of the period. */
function searchInLog({ email }: JoinFilter): string {
  const conditions = [periodSql('clicked_at')];
  if (email) conditions.push('email = @email');
  return `select email from project_joins
    where ${conditions.join(' and ')}
    group by email order by max(clicked_at) desc, email desc`;
}

export function joinWriter(db: Database): JoinWriter {
  const insert = db.prepare<[number, string]>(
    `insert into project_joins (email, session_id, clicked_at)
     select email, id, ? from sessions where id = ?`,
  );
  return {
    record({ session, clickedAt }) {
      return insert.run(clickedAt, session).changes > 0;
    },
  };
}
