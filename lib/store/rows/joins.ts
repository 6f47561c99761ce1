/** Presses of the join call-to-action: every one is kept. */
import type { Database } from 'better-sqlite3';
import { bounds, type Page } from './page.ts';

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

const LATEST: SummaryPosition = [Number.MAX_SAFE_INTEGER, ''];

export function joins(db: Database) {
  const insert = db.prepare<[Omit<JoinClick, 'id'>]>(
    'insert into project_joins (email, session_id, clicked_at) values (@email, @session, @clickedAt)',
  );
  const select = (condition: string) =>
    db.prepare<[object], JoinClick>(
      `select id, email, session_id as session, clicked_at as clickedAt from project_joins
       where ${condition} and id < @before order by id desc limit @limit`,
    );
  const selectSummary = (condition: string) =>
    db.prepare<[object], JoinSummary>(
      `select email, join_clicks as clicks, first_join_at as firstAt, last_join_at as lastAt
       from people where ${condition} and join_clicks > 0 and (last_join_at, email) < (@at, @last)
       order by last_join_at desc, email desc limit @limit`,
    );
  const [allClicks, clicksOfOne] = [select('true'), select('email = @email')];
  const [wholeSummary, summaryOfOne] = [selectSummary('true'), selectSummary('email = @email')];
  const clicksOf = (email?: string) => (email === undefined ? allClicks : clicksOfOne);
  const summaryOf = (email?: string) => (email === undefined ? wholeSummary : summaryOfOne);
  const clicks = db
    .prepare<[], number>('select ifnull(sum(join_clicks), 0) from day_totals')
    .pluck();
  const users = db.prepare<[], number>('select joiners from totals').pluck();

  return {
    record: (click: Omit<JoinClick, 'id'>): void => void insert.run(click),
    /** Clicks, newest first, of everybody or of one person. */
    list: (page: Page, email?: string): readonly JoinClick[] =>
      clicksOf(email).all({ ...bounds(page), email }),
    /** The same, read one by one. */
    iterate: (page: Page, email?: string): Iterable<JoinClick> =>
      clicksOf(email).iterate({ ...bounds(page), email }),
    /** One row for each person who has pressed, latest click first; or the row of one person. */
    summary: (limit: number, [at, last] = LATEST, email?: string): readonly JoinSummary[] =>
      summaryOf(email).all({ limit, at, last, email }),
    /** The whole summary, read one by one. */
    iterateSummary: (email?: string): Iterable<JoinSummary> =>
      summaryOf(email).iterate({ limit: -1, at: LATEST[0], last: LATEST[1], email }),
    stats: () => ({ clicks: clicks.get() ?? 0, users: users.get() ?? 0 }),
  };
}
