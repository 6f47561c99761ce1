/** Join clicks: a row for each press of the join button. */
import type { Database } from 'better-sqlite3';
import type { JoinClick, JoinStats, JoinSummary } from '../../records.ts';
import { type PageQuery, pageReader, prepareOnce, requireRow } from './paging.ts';
import { idRangeSql, type PeriodFilter, periodSql } from './period.ts';

/** The position of a person in the summary, latest first. */
export type TimeAndEmail = readonly [at: number, email: string];

type JoinFilter = PeriodFilter & { readonly email?: string | undefined };

export function joinReader(db: Database) {
  const readClicks = pageReader<JoinClick, number>(db, ({ id }) => id);
  const readSummary = pageReader<JoinSummary, TimeAndEmail>(db, (row) => [row.lastAt, row.email]);
  const prepare = prepareOnce<JoinStats>(db);
  const first = db.prepare<[string]>('select 1 from project_joins where email = ? limit 1');

  return {
    /** Clicks, newest first. */
    list: (query: PageQuery<number> & JoinFilter) => readClicks(clicksSql(query), query),
    /** A row for each person who first clicked in the period, latest click first. */
    summary(query: PageQuery<TimeAndEmail> & JoinFilter) {
      const [at, last] = query.after ?? [Infinity, ''];
      return readSummary(
        `select email, first_name as firstName, join_clicks as clicks,
           first_join_at as firstAt, last_join_at as lastAt
         from activity cross join people on id = person where ${joinedIn(query)}
           and last_join_at <= @at and (last_join_at < @at or email < @last)
         order by last_join_at desc, email desc limit @limit`,
        { ...query, at, last },
      );
    },
    /** Whether a person has ever clicked. */
    hasJoined: (email: string): boolean => first.get(email) !== undefined,
    /** The clicks of the period, and the people who first clicked in it. */
    stats: (filter: JoinFilter = {}): JoinStats =>
      requireRow(prepare(statsSql(filter)).get({ ...filter, ...filter.period })),
  };
}

export function joinWriter(db: Database) {
  const insert = db.prepare<[string, string, number]>(
    'insert into project_joins (email, session_id, clicked_at) values (?, ?, ?)',
  );
  return {
    record: ({ email, session, clickedAt }: Omit<JoinClick, 'id' | 'firstName'>): undefined =>
      void insert.run(email, session, clickedAt),
  };
}

const ofPerson = (email: string | undefined): string =>
  email === undefined ? 'true' : 'person = (select id from people where email = @email)';

function clicksSql({ email, period }: JoinFilter): string {
  const { from, below } = idRangeSql('join', period);
  const [clicks, id] =
    email === undefined
      ? ['project_joins', 'project_joins.id']
      : ['person_clicks cross join project_joins on project_joins.id = click', 'click'];
  return `select project_joins.id, email, first_name as firstName, session_id as session,
      clicked_at as clickedAt
    from ${clicks} left join people using (email)
    where ${ofPerson(email)} and ${id} < ${below} and project_joins.id >= ${from}
      and ${periodSql('clicked_at', period)}
    order by ${id} desc limit @limit`;
}

/** The first click is the time of joining. */
const joinedIn = ({ email, period }: JoinFilter): string =>
  `join_clicks > 0 and ${periodSql('first_join_at', period)} and ${ofPerson(email)}`;

function statsSql({ email, period }: JoinFilter): string {
  const joined = `select count(*) from activity where ${joinedIn({ email, period })}`;
  if (email !== undefined)
    return `select count(*) as clicks, (${joined}) as users
      from person_clicks cross join project_joins on id = click
      where ${ofPerson(email)} and ${periodSql('clicked_at', period)}`;
  const users = period ? joined : 'select joiners from totals';
  return `select ifnull(sum(join_clicks), 0) as clicks, (${users}) as users
    from day_totals where ${period ? 'day between @from and @to' : 'true'}`;
}
