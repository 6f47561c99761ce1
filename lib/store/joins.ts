/** Join clicks: a row for each press of the join button. */
import type { Database } from 'better-sqlite3';
import type { JoinClick, JoinStats, JoinSummary } from '../records.ts';
import { type PageQuery, pageReader, prepareOnce, requireRow } from './paging.ts';
import type { PeopleReader } from './people.ts';
import { ALL_TIME, type PeriodFilter, periodSql } from './period.ts';
import type { TotalsReader } from './totals.ts';

/** The position of a person in the summary, latest first. */
export type TimeAndEmail = readonly [at: number, email: string];

type JoinFilter = PeriodFilter & { readonly email?: string | undefined };

export function clickReader(db: Database) {
  const read = pageReader<JoinClick, number>(db, ({ id }) => id);
  return {
    /** Clicks, newest first. */
    list: (query: PageQuery<number> & JoinFilter) =>
      read(
        `select id, email, first_name as firstName, session_id as session, clicked_at as clickedAt
         from project_joins left join invites using (email)
         where ${clickSql(query)} and id < @after order by id desc limit @limit`,
        query,
      ),
  };
}

const SUMMARY = `select email, first_name as firstName, join_clicks as clicks,
    first_join_at as firstAt, last_join_at as lastAt
  from people left join invites using (email)`;

export function joinReader(db: Database, totals: TotalsReader, people: PeopleReader) {
  const read = pageReader<JoinSummary, TimeAndEmail>(db, (row) => [row.lastAt, row.email]);
  const prepareEmails = prepareOnce<string>(db);
  const select = db.prepare<[string], JoinSummary>(
    `${SUMMARY} where email = ? and join_clicks > 0`,
  );
  const prepareCount = prepareOnce<number>(db);
  const count = (sql: string, filter: JoinFilter): number => {
    const { email, period = ALL_TIME } = filter;
    return requireRow(
      prepareCount(`select count(*) ${sql}`)
        .pluck()
        .get({ email, ...period }),
    );
  };

  return {
    /** A row for each person who first clicked in the period, latest click first. */
    summary(query: PageQuery<TimeAndEmail> & JoinFilter) {
      const [at, last] = query.after ?? [Infinity, ''];
      return read(
        `${SUMMARY} where ${joinedSql(query)}
           and last_join_at <= @at and (last_join_at < @at or email < @last)
         order by last_join_at desc, email desc limit @limit`,
        { ...query, at, last },
      );
    },
    /** The addresses of the whole summary, in its order. */
    joined: (filter: JoinFilter): readonly string[] =>
      prepareEmails(
        `select email from people where ${joinedSql(filter)}
         order by last_join_at desc, email desc`,
      )
        .pluck()
        .all({ ...filter, ...(filter.period ?? ALL_TIME) }),
    /** The rows of these people, as far as they are still there. */
    findJoined: (emails: readonly string[]): readonly JoinSummary[] =>
      emails.flatMap((email) => select.get(email) ?? []),
    /** The clicks of the period, who clicked in it, and who first clicked in it. */
    stats(filter: JoinFilter = {}): JoinStats {
      const { email, period = ALL_TIME } = filter;
      const firstTime = count(`from people where ${joinedSql(filter)}`, filter);
      if (email === undefined) {
        const clicks = totals.activity(period).joinClicks;
        return { clicks, users: people.count(period).joined, firstTime };
      }
      const clicks = count(`from project_joins where ${clickSql(filter)}`, filter);
      return { clicks, users: Math.min(clicks, 1), firstTime };
    },
  };
}

/** Tells whether a person has ever clicked. */
export function joinLookup(db: Database) {
  const select = db.prepare<[string]>('select 1 from project_joins where email = ? limit 1');
  return (email: string): boolean => select.get(email) !== undefined;
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

const ofPerson = ({ email }: JoinFilter): string =>
  email === undefined ? 'true' : 'email = @email';

const clickSql = (filter: JoinFilter): string =>
  `${ofPerson(filter)} and ${periodSql('clicked_at')}`;

/** The first click is the time of joining. */
const joinedSql = (filter: JoinFilter): string =>
  `${ofPerson(filter)} and join_clicks > 0 and ${periodSql('first_join_at')}`;
