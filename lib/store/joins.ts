/** Join clicks: a row for each press of the join button. */
import type { Database } from 'better-sqlite3';
import type { JoinClick, JoinStats, JoinSummary } from '../records.ts';
import type { Sliced } from './counted-reads.ts';
import { type PageQuery, pageReader, prepareOnce, requireRow } from './paging.ts';
import type { PeopleReader } from './people.ts';
import { ALL_TIME, type PeriodFilter, periodSql } from './period.ts';

/** The position of a person in the summary, latest first. */
export type TimeAndEmail = readonly [at: number, email: string];

type JoinFilter = PeriodFilter & { readonly email?: string | undefined };

export function joinReader(db: Database, people: Pick<PeopleReader, 'count'>) {
  const readClicks = pageReader<JoinClick, number>(db, ({ id }) => id);
  const readSummary = pageReader<JoinSummary, TimeAndEmail>(db, (row) => [row.lastAt, row.email]);
  const prepare = prepareOnce<Omit<JoinStats, 'users'>>(db);

  return {
    /** Clicks, newest first. */
    list: (query: PageQuery<number> & JoinFilter) => readClicks(clicksSql(query), query),
    /** A row for each person who first clicked in the period, latest click first. */
    summary(query: PageQuery<TimeAndEmail> & JoinFilter) {
      const [at, last] = query.after ?? [Infinity, ''];
      return readSummary(
        `select email, first_name as firstName, join_clicks as clicks,
           first_join_at as firstAt, last_join_at as lastAt
         from people left join invites using (email) where ${joinedIn(query)}
           and last_join_at <= @at and (last_join_at < @at or email < @last)
         order by last_join_at desc, email desc limit @limit`,
        { ...query, at, last },
      );
    },
    /** The clicks of the period, who clicked in it, and who first clicked in it. */
    *stats(filter: JoinFilter = {}): Sliced<JoinStats> {
      const { email, period = ALL_TIME } = filter;
      const found = requireRow(prepare(statsSql(filter)).get({ email, ...period }));
      if (email !== undefined) return { ...found, users: Math.min(found.clicks, 1) };
      return { ...found, users: (yield* people.count(period)).joined };
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

const ofPerson = (email: string | undefined): string =>
  email === undefined ? 'true' : 'email = @email';

function clicksSql({ email, period }: JoinFilter): string {
  const ofDays = (id: string) => `(select ${id} from days where day between @from and @to)`;
  return `select id, email, first_name as firstName, session_id as session, clicked_at as clickedAt
    from project_joins left join invites using (email)
    where ${ofPerson(email)} and ${periodSql('clicked_at', period)}
      and id >= ${ofDays('min(first_join)')} and id < @after and id <= ${ofDays('max(last_join)')}
    order by id desc limit @limit`;
}

/** The first click is the time of joining. */
const joinedIn = ({ email, period }: JoinFilter): string =>
  `join_clicks > 0 and ${periodSql('first_join_at', period)} and ${ofPerson(email)}`;

function statsSql({ email, period }: JoinFilter): string {
  const clicks =
    email === undefined
      ? 'ifnull(sum(join_clicks), 0) from days where day between @from and @to'
      : `count(*) from project_joins where ${ofPerson(email)} and ${periodSql('clicked_at', period)}`;
  return `select (select ${clicks}) as clicks, count(*) as firstTime
    from people where ${joinedIn({ email, period })}`;
}
