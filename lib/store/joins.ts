/** Presses of the join call-to-action: every one is kept. */
import type { Database } from 'better-sqlite3';
import { newestFirst, type Page } from './page.ts';

export type JoinClick = {
  readonly id: number;
  readonly email: string;
  /** The session identifier. */
  readonly session: string;
  /** Epoch ms. */
  readonly clickedAt: number;
};

export type JoinSummary = {
  readonly email: string;
  readonly clicks: number;
  /** Epoch ms. */
  readonly firstAt: number;
  readonly lastAt: number;
};

/** The place of a person in the summary, latest click first. */
export type SummaryPosition = readonly [lastAt: number, email: string];

export type Joins = {
  record(click: Omit<JoinClick, 'id'>): void;
  /** Clicks, newest first, of everybody or of one person. */
  list(page: Page, email?: string): readonly JoinClick[];
  /** One row for each person who has pressed, latest click first; or the row of one person. */
  summary(limit: number, after?: SummaryPosition, email?: string): readonly JoinSummary[];
  stats(): { readonly clicks: number; readonly users: number };
};

const COLUMNS = 'id, email, session_id as session, clicked_at as clickedAt';

const SUMMARY_COLUMNS =
  'email, join_clicks as clicks, first_join_at as firstAt, last_join_at as lastAt';

export function joins(db: Database): Joins {
  const insert = db.prepare<[string, string, number]>(
    'insert into project_joins (email, session_id, clicked_at) values (?, ?, ?)',
  );
  const select = db.prepare<[number, number], JoinClick>(
    `select ${COLUMNS} from project_joins where id < ? order by id desc limit ?`,
  );
  const selectFor = db.prepare<[string, number, number], JoinClick>(
    `select ${COLUMNS} from project_joins where email = ? and id < ? order by id desc limit ?`,
  );
  const selectSummaryFor = db.prepare<[string, number, string, number], JoinSummary>(
    `select ${SUMMARY_COLUMNS} from people
     where email = ? and join_clicks > 0 and (last_join_at, email) < (?, ?)
     limit ?`,
  );
  const selectSummary = db.prepare<[number, string, number], JoinSummary>(
    `select ${SUMMARY_COLUMNS} from people
     where join_clicks > 0 and (last_join_at, email) < (?, ?)
     order by last_join_at desc, email desc
     limit ?`,
  );
  const clicks = db
    .prepare<[], number>('select ifnull(sum(join_clicks), 0) from day_totals')
    .pluck();
  const users = db.prepare<[], number>('select joiners from totals').pluck();

  return {
    record: ({ email, session, clickedAt }) => void insert.run(email, session, clickedAt),
    list: (page, email) => {
      const { limit, before } = newestFirst(page);
      return email === undefined ? select.all(before, limit) : selectFor.all(email, before, limit);
    },
    summary: (limit, [lastAt, last] = [Number.MAX_SAFE_INTEGER, ''], email) =>
      email === undefined
        ? selectSummary.all(lastAt, last, limit)
        : selectSummaryFor.all(email, lastAt, last, limit),
    stats: () => ({ clicks: clicks.get() ?? 0, users: users.get() ?? 0 }),
  };
}
