/** Presses of the join call-to-action: every one is kept. */
import type { Database } from 'better-sqlite3';
import type { JoinClick, JoinStats, JoinSummary } from '../../records.ts';
import { asStored, LATEST, type Part, pager, type TimeAndEmail } from './page.ts';

/** One person, or everybody. */
type Filter = { readonly email?: string | undefined };

export function joins(db: Database) {
  const readClicks = pager(db, asStored<JoinClick>, ({ id }) => id);
  const readSummary = pager(db, asStored<JoinSummary>, placeOf);
  const clicks = db
    .prepare<[], number>('select ifnull(sum(join_clicks), 0) from day_totals')
    .pluck();
  const users = db.prepare<[], number>('select joiners from totals').pluck();

  return {
    /** Clicks, newest first. */
    list: ({ after = LATEST, ...part }: Part<number> & Filter) =>
      readClicks(
        `select id, email, session_id as session, clicked_at as clickedAt from project_joins
         where ${personIn(part)} and id < @after order by id desc limit @limit`,
        { ...part, after },
      ),
    /** One row for each person who has pressed, latest click first. */
    summary: ({ after: [at, last] = [LATEST, ''], ...part }: Part<TimeAndEmail> & Filter) =>
      readSummary(
        `select email, join_clicks as clicks, first_join_at as firstAt, last_join_at as lastAt
         from people
         where ${personIn(part)} and join_clicks > 0 and (last_join_at, email) < (@at, @last)
         order by last_join_at desc, email desc limit @limit`,
        { ...part, at, last },
      ),
    stats: (): JoinStats => ({ clicks: clicks.get() ?? 0, users: users.get() ?? 0 }),
  };
}

export function writeJoins(db: Database) {
  const insert = db.prepare<[Omit<JoinClick, 'id'>]>(
    `insert into project_joins (email, session_id, clicked_at)
     values (@email, @session, @clickedAt)`,
  );
  return { record: (click: Omit<JoinClick, 'id'>): void => void insert.run(click) };
}

const placeOf = ({ lastAt, email }: JoinSummary): TimeAndEmail => [lastAt, email];

const personIn = ({ email }: Filter): string => (email === undefined ? 'true' : 'email = @email');
