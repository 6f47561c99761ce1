/** Reads lists in pages by key, so that a page costs the same at every position. */
import type { Database, Statement } from 'better-sqlite3';
import type { ListPage } from '../records.ts';
import { ALL_TIME, type PeriodFilter } from './period.ts';

/** The page of a list to read. */
export type PageQuery<Position> = {
  /** Maximum number of rows. */
  readonly limit: number;
  /** Only rows behind this position; without it, from the first row on. */
  readonly after?: Position | undefined;
};

/** The row of a statement that always returns one. */
export function requireRow<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error('the store has lost a row that it always has');
  return row;
}

/** The page of rows that were read up to `limit + 1`. */
export function toPage<Row, Position>(
  found: readonly Row[],
  limit: number,
  positionOf: (row: Row) => Position,
): ListPage<Row, Position> {
  const last = found.length > limit ? found[limit - 1] : undefined;
  return { rows: found.slice(0, limit), next: last ? positionOf(last) : null };
}

/** The parameters of a list's statement, by name. */
type Parameters = PageQuery<unknown> & PeriodFilter & { readonly [name: string]: unknown };

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
 * Makes a function that reads a page by a statement with `@limit`. Its other parameters are the
 * filters, `@from` and `@to` of the period, and `@after`, infinite for the first page.
 */
export function pageReader<Row, Position>(db: Database, positionOf: (row: Row) => Position) {
  const prepare = prepareOnce<Row>(db);
  return (sql: string, query: Parameters): ListPage<Row, Position> => {
    const { limit, after = Infinity, period = ALL_TIME } = query;
    const found = prepare(sql).all({ ...query, ...period, after, limit: limit + 1 });
    return toPage(found, limit, positionOf);
  };
}
