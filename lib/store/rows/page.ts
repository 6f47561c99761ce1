/** Lists in pages by key: the cost of a page does not depend on where it lies. */
import type { Database, Statement } from 'better-sqlite3';
import type { Page } from '../../records.ts';

/** What part of a list is read. */
export type Part<Position> = {
  /** Rows at most. */
  readonly limit: number;
  /** Only rows behind this position; from the first one on where it is left out. */
  readonly after?: Position | undefined;
};

/** The place of a person in a list by time, latest first. */
export type TimeAndEmail = readonly [at: number, email: string];

/** Before all other places in a list, latest first. */
export const LATEST = Number.MAX_SAFE_INTEGER;

/**
 * Rows that `readAll` holds at a time. Each page of a sorted list reads the whole table once, so
 * pages are large.
 */
const PAGE = 5000;

/** For lists whose rows are given out as they are stored. */
export const asStored = <Row>(row: Row): Row => row;

/**
 * Makes a function that reads a page by a statement with `@limit`. A statement is prepared once.
 *
 * @param rowOf the row as the store gives it out
 * @param positionOf its place in the list
 */
export function pager<Stored extends object, Row, Position>(
  db: Database,
  rowOf: (stored: Stored) => Row,
  positionOf: (stored: Stored) => Position,
) {
  const statements = new Map<string, Statement<[object], Stored>>();
  return <P extends { readonly limit: number }>(
    sql: string,
    parameters: P,
  ): Page<Row, Position> => {
    const statement = statements.get(sql) ?? db.prepare<[object], Stored>(sql);
    statements.set(sql, statement);
    const { limit } = parameters;
    const found = statement.all({ ...parameters, limit: limit + 1 });
    const last = found.length > limit ? found[limit - 1] : undefined;
    return { rows: found.slice(0, limit).map(rowOf), next: last ? positionOf(last) : null };
  };
}

/**
 * The rows of a list from its first to its last, or to a limit.
 *
 * @param filter which rows
 */
export function* readAll<Row, Position, Filter extends object>(
  list: (query: Filter & Part<Position>) => Page<Row, Position>,
  filter: Filter,
  limit = Number.POSITIVE_INFINITY,
): Generator<Row> {
  let left = limit;
  let after: Position | undefined;
  while (left > 0) {
    const { rows, next } = list({ ...filter, limit: Math.min(left, PAGE), after });
    yield* rows;
    if (next === null) return;
    left -= rows.length;
    after = next;
  }
}
