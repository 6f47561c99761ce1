/** Reads lists in pages: a log by id, so that a page costs the same everywhere, or people by address. */
import type { Database, Statement } from 'better-sqlite3';
import type { ListPage } from '../records.ts';
import { ALL_TIME, type PeriodFilter } from './period.ts';

/** The page of a list to read. */
export type PageQuery = {
  /** Maximum number of rows. */
  readonly limit: number;
  /** Only rows behind this id, or, in a list of people, behind so many rows. */
  readonly after?: number | undefined;
};

/** The row of a statement that always returns one. */
export function requireRow<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('the store has lost a row that it always has');
  return row;
}

/** Makes a function that prepares each statement once. */
export function prepareOnce<Row>(db: Database) {
  const statements = new Map<string, Statement<[object], Row>>();
  return (sql: string): Statement<[object], Row> => {
    const statement = statements.get(sql) ?? db.prepare<[object], Row>(sql);
    statements.set(sql, statement);
    return statement;
  };
}

/**
 * Makes a function that reads a page of a log by a statement with `@limit`. Its other parameters are
 * the filters, `@from` and `@to` of the period, and `@after`, infinite for the first page.
 */
export function pageReader<Row extends { readonly id: number }>(db: Database) {
  const prepare = prepareOnce<Row>(db);
  return (sql: string, query: PageQuery & PeriodFilter): ListPage<Row, number> => {
    const { limit, after = Infinity, period = ALL_TIME } = query;
    const found = prepare(sql).all({ ...query, ...period, after, limit: limit + 1 });
    const next = found.length > limit ? found[limit - 1]?.id : undefined;
    return { rows: found.slice(0, limit), next: next ?? null };
  };
}

/** A page of a list of people. `find` reads their rows, as far as they are still there. */
export function pageOfPeople<Row>(
  emails: readonly string[],
  { limit, after = 0 }: PageQuery,
  find: (emails: readonly string[]) => readonly Row[],
): ListPage<Row, number> & { readonly total: number } {
  const end = after + limit;
  const next = end < emails.length ? end : null;
  return { rows: find(emails.slice(after, end)), next, total: emails.length };
}
