/** Join clicks: a row for each press of the join button. */
import type { Database } from 'better-sqlite3';
import type { JoinClick, JoinStats, JoinSummary, ListPage } from '../records.ts';
import { readNamedRow } from './first-name.ts';
import { type PageQuery, pageOfPeople, pageReader } from './paging.ts';
import type { PeopleReader } from './people.ts';
import { ALL_TIME, type Period, type PeriodFilter, periodSql } from './period.ts';
import { requireRow, statementCache } from './sqlite.ts';
import type { TotalsReader } from './totals.ts';

type JoinFilter = PeriodFilter & { readonly email?: string | undefined };

type SummaryRow = Omit<JoinSummary, 'firstTime'> & { readonly firstTime: 0 | 1 };

export function joinReader(db: Database, totals: TotalsReader, people: PeopleReader) {
  const readPage = pageReader<JoinClick>(db, 'project_joins');
  const prepareSearch = statementCache<string>(db);
  const totalsOf = db.prepare<[string], SummaryRow>(
    `select email, first_name as firstName, join_clicks as clicks, first_join as firstAt,
       last_join as lastAt, 1 as firstTime
     from people left join invites using (email) where email = ? and join_clicks > 0`,
  );
  const clicksOf = db.prepare<[object], SummaryRow>(
    `select email, first_name as firstName, count(*) as clicks, min(clicked_at) as firstAt,
       max(clicked_at) as lastAt,
       min(clicked_at) = (select first_join from people where email = @email) as firstTime
     from project_joins left join invites using (email)
     where email = @email and ${periodSql('clicked_at')} group by email`,
  );
  const countFirst = db
    .prepare<[object], number>(
      `select count(*) from people where ifnull(@email = email, true) and ${periodSql('first_join')}`,
    )
    .pluck();
  const count = db
    .prepare<[object], number>(
      `select count(*) from project_joins where email = @email and ${periodSql('clicked_at')}`,
    )
    .pluck();
  const newestId = db.prepare<[], number>('select click from counted').pluck();
  const any = db.prepare<[string]>('select 1 from project_joins where email = ? limit 1');

  /** The addresses of all people who clicked in the period, the latest click in it first. */
  function search({ email, period = ALL_TIME }: JoinFilter): readonly string[] {
    const ofPeople = people.reachesNewestDay(period);
    const conditions = [ofPeople ? 'last_join >= @from * 86400000' : periodSql('clicked_at')];
    if (email) conditions.push('email = @email');
    const where = conditions.join(' and ');
    const sql = ofPeople
      ? `select email from people where ${where} order by last_join desc, email desc`
      : `select email from project_joins where ${where}
         group by email order by max(clicked_at) desc, email desc`;
    return prepareSearch(sql)
      .pluck()
      .all({ email, ...period });
  }

  /** The clicks of a person in a period; without one, those of all time. */
  function summaryOf(email: string, period: Period | undefined): JoinSummary | undefined {
    const row = period ? clicksOf.get({ email, ...period }) : totalsOf.get(email);
    return row && { ...readNamedRow(row), firstTime: row.firstTime === 1 };
  }

  return {
    /** Whether a person has ever clicked. */
    hasJoined: (email: string): boolean => any.get(email) !== undefined,
    /** A page of clicks, newest first by id. */
    list(query: PageQuery & JoinFilter): ListPage<JoinClick, number> {
      const { email, period, limit, after } = query;
      const conditions = ['id between @first and @last'];
      if (email) conditions.push('email = @email');
      if (period) conditions.push(periodSql('clicked_at'));
      const sql = `select id, email, first_name as firstName, session_id as session,
          clicked_at as clickedAt
        from project_joins left join invites using (email)
        where ${conditions.join(' and ')}
        order by id desc limit @limit`;
      // Without a period, an index has the rows of the page.
      const { rows, next } = period
        ? readPage(sql, query, { first: -Infinity, last: requireRow(newestId.get()) })
        : readPage(sql, { email, limit, after });
      return { rows: rows.map(readNamedRow), next };
    },
    search,
    /** A page of the people of `search`. @param emails from an earlier one */
    summary(query: PageQuery & JoinFilter, emails?: readonly string[]) {
      return pageOfPeople(emails ?? search(query), query, (email) =>
        summaryOf(email, query.period),
      );
    },
    /** The clicks of the period, who clicked in it, and who first clicked in it. */
    stats({ email, period = ALL_TIME }: JoinFilter = {}): JoinStats {
      const firstTime = requireRow(countFirst.get({ email: email ?? null, ...period }));
      if (email === undefined) {
        const clicks = totals.activity(period).joinClicks;
        return { clicks, users: people.countActive(period).joined, firstTime };
      }
      const clicks = requireRow(count.get({ email, ...period }));
      return { clicks, users: Math.min(clicks, 1), firstTime };
    },
  };
}

export function joinWriter(db: Database) {
  const insert = db.prepare<[number, string]>(
    `insert into project_joins (email, session_id, clicked_at)
     select email, id, ? from sessions where id = ?`,
  );
  return {
    /** Records a click of a session. @returns false if the session has ended */
    record: ({ session, clickedAt }: Pick<JoinClick, 'session' | 'clickedAt'>): boolean =>
      insert.run(clickedAt, session).changes > 0,
  };
}
