/**
 * Reads lists in pages: a log by id, so that every page takes the same time, or people by address.
 */
import type { Database } from 'better-sqlite3';
import type { ListPage } from '../records.ts';
import type { PeriodFilter } from './period.ts';
import { statementCache } from './sqlite.ts';

/** The page of a list to read. */
export type PageQuery = {
  /** Maximum number of rows. */
  readonly limit: number;
  /** Only rows after this id, or, in a list of people, after this number of rows. */
  readonly after?: number | undefined;
  /**
   * Maximum number of rows that a search without an index visits; by default, all. With it, a page
   * may have fewer rows than `limit` although more follow.
   */
  readonly visits?: number | undefined;
};

/** Ids of a log, both included. It has none if `first` is greater than `last`. */
export type IdRange = {
  readonly first: number;
  readonly last: number;
};

type Log = 'events' | 'project_joins' | 'changes';

/** A page of a log, with the parameters of its filters. */
type LogQuery = PageQuery &
  PeriodFilter & {
    readonly email?: string | undefined;
  };

/**
 * Reads a page of a log, newest first by id.
 *
 * @param sql a statement with the parameters `@first` and `@last` (ids, both included), `@limit`,
 *   and those of the filters
 * @param ids the range that contains all rows of the filters; `last` is finite with `visits`
 * @returns `next` is null if no row follows. Otherwise rows may follow.
 */
type LogPageReader<Row> = (sql: string, query: LogQuery, ids?: IdRange) => ListPage<Row, number>;

const ALL_IDS: IdRange = { first: -Infinity, last: Infinity };

export function pageReader<Row extends { readonly id: number }>(
  db: Database,
  log: Log,
): LogPageReader<Row> {
  const statementOf = statementCache((sql) => db.prepare<[object], Row>(sql));
  const newestId = db
    .prepare<[IdRange], number | null>(
      `select max(id) from ${log} where id between @first and @last`,
    )
    .pluck();

  return (sql, query, ids = ALL_IDS) => {
    const { limit, after = Infinity, visits, period } = query;
    // There is only one upper bound. With two, SQLite would seek to one of them, and visit every
    // row down to the other.
    const last = Math.min(ids.last, after - 1);
    const first = visits === undefined ? ids.first : Math.max(ids.first, firstOf(last, visits));
    const rows = statementOf(sql).all({ ...query, ...period, first, last, limit });
    const lastRow = rows[limit - 1];
    if (lastRow) return { rows, next: lastRow.id };
    if (first <= ids.first) return { rows, next: null };
    // Skip a gap in the ids. Another program can cause a large one.
    const newest = newestId.get({ first: ids.first, last: first - 1 }) ?? null;
    return { rows, next: newest === null ? null : newest + 1 };
  };
}

/** The first id that a page may visit. One visit is left over, for the newest row after a gap. */
function firstOf(last: number, visits: number): number {
  const visitsOfPage = visits - 1;
  return last - visitsOfPage + 1;
}

/** A page of a list of people. */
export type PageOfPeople<Row> = ListPage<Row, number> & {
  /** How many people the list has. */
  readonly total: number;
};

/** A page of a list of people, without those who were deleted. @param emails of the whole list */
export function pageOfPeople<Row>(
  emails: readonly string[],
  { limit, after = 0 }: PageQuery,
  find: (email: string) => Row | undefined,
): PageOfPeople<Row> {
  const end = after + limit;
  const rows: Row[] = [];
  for (const email of emails.slice(after, end)) {
    const row = find(email);
    if (row !== undefined) rows.push(row);
  }
  return { rows, next: end < emails.length ? end : null, total: emails.length };
}
