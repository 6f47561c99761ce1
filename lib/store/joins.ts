/** Join clicks: a row for each press of the join button. */
import type { JoinClick, JoinStats, JoinSummary, LogFilter } from '../records.ts';
import type { Visitor } from './sessions.ts';
import { type Database, readRow, statement } from './sqlite.ts';

export function recordJoinClick(db: Database, { session, email }: Visitor, now: number): void {
  statement<[string, string, number]>(
    db,
    'insert into project_joins (email, session_id, clicked_at) values (?, ?, ?)',
  ).run(email, session, now);
}

export function hasJoined(db: Database, email: string): boolean {
  const click = statement<[string]>(db, 'select 1 from project_joins where email = ? limit 1');
  return click.get(email) !== undefined;
}

/** Newest first. */
export function listJoinClicks(db: Database, filter: LogFilter): readonly JoinClick[] {
  const { email = null, before = null, limit = -1 } = filter;
  return statement<[object], JoinClick>(
    db,
    `select id, email, first_name as firstName, session_id as session, clicked_at as clickedAt
       from project_joins left join invites using (email)
       where (@before is null or id < @before) and (@email is null or email = @email)
       order by id desc limit @limit`,
  ).all({ email, before, limit });
}

/** One row per person, the latest click first. */
export function summarizeJoins(db: Database): readonly JoinSummary[] {
  return statement<[], JoinSummary>(
    db,
    `select email, first_name as firstName, count(*) as clicks,
         min(clicked_at) as firstAt, max(clicked_at) as lastAt
       from project_joins left join invites using (email)
       group by email order by lastAt desc, email`,
  ).all();
}

export function countJoins(db: Database): JoinStats {
  return readRow(
    db,
    'select count(*) as clicks, count(distinct email) as users from project_joins',
  );
}
