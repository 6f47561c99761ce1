/** Join clicks: a row for each press of the join button. */
import type { Database } from 'better-sqlite3';
import type { JoinClick, JoinStats, JoinSummary, ListPage } from '../records.ts';
import { readNamedRow } from './first-name.ts';
import { type PageQuery, pageOfPeople, pageReader } from './paging.ts';
import type { PeopleReader } from './people.ts';
import { ALL_TIME, type PeriodFilter, periodSql } from './period.ts';
import { requireRow, statementCache } from './sqlite.ts';
import type { TotalsReader } from './totals.ts';

type JoinFilter = PeriodFilter & { readonly email?: string | undefined };

export function joinReader(db: Database, totals: TotalsReader, people: PeopleReader) {
  const readPage = pageReader<JoinClick>(db, 'project_joins');
  const prepareSearch = statementCache<string>(db);
  const select = db.prepare<[string], JoinSummary>(
    `select email, first_name as firstName, join_clicks as clicks, first_join as firstAt,
       last_join as lastAt
     from people left join invites using (email) where email = ? and join_clicks > 0`,
  );
  const count = db
    .prepare<[object], number>(
      `select count(*) from project_joins where email = @email and ${periodSql('clicked_at')}`,
    )
    .pluck();
  const newestId = db.prepare<[], number>('select click from counted').pluck();
  const any = db.prepare<[string]>('select 1 from project_joins where email = ? limit 1');

  /** The addresses of all people who first clicked in the period, latest click first. */
  function search({ email, period = ALL_TIME }: JoinFilter): readonly string[] {
    const conditions = ['join_clicks > 0', periodSql('first_join')];
    if (email) conditions.push('email = @email');
    return prepareSearch(
      `select email from people
       where ${conditions.join(' and ')}
       order by last_join desc, email desc`,
    )
      .pluck()
      .all({ email, ...period });
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
      return pageOfPeople(emails ?? search(query), query, (email) => {
        const row = select.get(email);
        return row && readNamedRow(row);
      });
    },
    /** The clicks of the period, who clicked in it, and who first clicked in it. */
    stats({ email, period = ALL_TIME }: JoinFilter = {}): JoinStats {
      const firstTime = search({ email, period }).length;
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
