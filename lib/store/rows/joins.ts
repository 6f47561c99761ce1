/** Join clicks: one row for each press of the join button. */
import type { Database } from 'better-sqlite3';
import type { JoinClick, JoinStats, JoinSummary } from '../../records.ts';
import { LATEST, type Part, pager, single, type TimeAndEmail } from './page.ts';
import { ALWAYS, type InPeriod, type Period, rowsIn, timeIn } from './period.ts';

/** One person, or all. */
export type JoinFilter = InPeriod & { readonly email?: string | undefined };

export function joins(db: Database) {
  const readClicks = pager<JoinClick, number>(db, ({ id }) => id);
  const readSummary = pager<JoinSummary, TimeAndEmail>(db, ({ lastAt, email }) => [lastAt, email]);
  const stats = db.prepare<[], JoinStats>(
    `select ifnull(sum(join_clicks), 0) as clicks, joiners as users
     from totals left join day_totals`,
  );
  const statsIn = db.prepare<[Period], JoinStats>(
    `select count(*) as users, (
       select ifnull(sum(join_clicks), 0) from day_totals where day between @from and @to) as clicks
     from people where ${joinedIn(ALWAYS)}`,
  );

  return {
    /** Clicks, newest first. */
    list: ({ after = LATEST, ...part }: Part<number> & JoinFilter) =>
      readClicks(
        `select id, email, session_id as session, clicked_at as clickedAt from project_joins
         where ${personIn(part)} and ${rowsIn('join', 'clicked_at', part.period)}
         order by id desc limit @limit`,
        { ...part, ...part.period, after },
      ),
    /** One row for each person who has clicked, or joined in a period, latest click first. */
    summary: ({ after: [at, last] = [LATEST, ''], ...part }: Part<TimeAndEmail> & JoinFilter) =>
      readSummary(
        `select email, join_clicks as clicks, first_join_at as firstAt, last_join_at as lastAt
         from people
         where ${personIn(part)} and ${joinedIn(part.period)} and (last_join_at, email) < (@at, @last)
         order by last_join_at desc, email desc limit @limit`,
        { ...part, ...part.period, at, last },
      ),
    /** Over all time, or the clicks of a period and the people who joined in it. */
    stats: (period?: Period): JoinStats => single(period ? statsIn.get(period) : stats.get()),
  };
}

export function writeJoins(db: Database) {
  const insert = db.prepare<[string, string, number]>(
    'insert into project_joins (email, session_id, clicked_at) values (?, ?, ?)',
  );
  return {
    record: ({ email, session, clickedAt }: Omit<JoinClick, 'id'>): undefined =>
      void insert.run(email, session, clickedAt),
  };
}

/** A person joins by the first click. */
const joinedIn = (period: Period | undefined): string =>
  `join_clicks > 0 and ${period ? timeIn('first_join_at') : 'true'}`;

const personIn = ({ email }: JoinFilter): string =>
  email === undefined ? 'true' : 'email = @email';
