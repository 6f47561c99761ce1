/** Join clicks: one row for each press of the join button. */
import type { Database } from 'better-sqlite3';
import type { JoinClick, JoinStats, JoinSummary } from '../../records.ts';
import { asStored, LATEST, type Part, pager, single, type TimeAndEmail } from './page.ts';
import { ALWAYS, type InPeriod, type Period, rowsIn } from './period.ts';

/** One person, or all. */
type Filter = InPeriod & { readonly email?: string | undefined };

const clicksIn = (period: Period | undefined): string => rowsIn('join', 'clicked_at', period);

export function joins(db: Database) {
  const readClicks = pager(db, asStored<JoinClick>, ({ id }) => id);
  const readSummary = pager(
    db,
    asStored<JoinSummary>,
    ({ lastAt, email }): TimeAndEmail => [lastAt, email],
  );
  const stats = db.prepare<[], JoinStats>(
    `select ifnull(sum(join_clicks), 0) as clicks, joiners as users
     from totals left join day_totals`,
  );
  const statsIn = db.prepare<[object], JoinStats>(
    `select count(*) as clicks, count(distinct email) as users from project_joins
     where ${clicksIn(ALWAYS)}`,
  );

  return {
    /** Clicks, newest first. */
    list: ({ after = LATEST, ...part }: Part<number> & Filter) =>
      readClicks(
        `select id, email, session_id as session, clicked_at as clickedAt from project_joins
         where ${personIn(part)} and ${clicksIn(part.period)} order by id desc limit @limit`,
        { ...part, ...part.period, after },
      ),
    /** One row for each person who has clicked, latest click first. */
    summary: ({ after: [at, last] = [LATEST, ''], ...part }: Part<TimeAndEmail> & Filter) =>
      readSummary(
        `select email, join_clicks as clicks, first_join_at as firstAt, last_join_at as lastAt
         from ${part.period ? joiners(part.period) : 'people'}
         where ${personIn(part)} and join_clicks > 0 and (last_join_at, email) < (@at, @last)
         order by last_join_at desc, email desc limit @limit`,
        { ...part, ...part.period, after: LATEST, at, last },
      ),
    stats: (period?: Period): JoinStats =>
      single(period ? statsIn.get({ ...period, after: LATEST }) : stats.get()),
  };
}

export function writeJoins(db: Database) {
  const insert = db.prepare<[Omit<JoinClick, 'id'>]>(
    `insert into project_joins (email, session_id, clicked_at)
     values (@email, @session, @clickedAt)`,
  );
  return { record: (click: Omit<JoinClick, 'id'>): undefined => void insert.run(click) };
}

/** The people who clicked in a period, with these clicks alone. */
const joiners = (period: Period): string =>
  `(select email, count(*) as join_clicks, min(clicked_at) as first_join_at,
      max(clicked_at) as last_join_at
    from project_joins where ${clicksIn(period)} group by email)`;

const personIn = ({ email }: Filter): string => (email === undefined ? 'true' : 'email = @email');
