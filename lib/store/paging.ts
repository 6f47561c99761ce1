/** Reads lists in pages: a log by id, so that a page costs the same everywhere, or people by address. */
import type { Database } from 'better-sqlite3';
import type { ListPage } from '../records.ts';
import { ALL_TIME, type PeriodFilter } from './period.ts';
import { statementCache } from './sqlite.ts';

/** The page of a list to read. */
export type PageQuery = {
  /** Maximum number of rows. */
  readonly limit: number;
  /** Only rows behind this id, or, in a list of people, behind so many rows. */
  readonly after?: number | undefined;
};

/**
 * Makes a function that reads a page of a log by a statement with `@limit`. Its other parameters are
 * the filters, `@from` and `@to` of the period, and `@after`, infinite for the first page.
 */
export function pageReader<Row extends { readonly id: number }>(db: Database) {
  const prepare = statementCache<Row>(db);
  return (sql: string, query: PageQuery & PeriodFilter): ListPage<Row, number> => {
    const { limit, after = Infinity, period = ALL_TIME } = query;
    const found = prepare(sql).all({ ...query, ...period, after, limit: limit + 1 });
    const next = found.length > limit ? found[limit - 1]?.id : undefined;
    return { rows: found.slice(0, limit), next: next ?? null };
  };
}

/** A page of a list of people, as far as they are still there, and how many it has. */
export function pageOfPeople<Row>(
  emails: readonly string[],
  { limit, after = 0 }: PageQuery,
  find: (email: string) => Row | undefined,
): ListPage<Row, number> & { readonly total: number } {
  const end = after + limit;
  const rows = emails.slice(after, end).flatMap((email) => find(email) ?? []);
  return { rows, next: end < emails.length ? end : null, total: emails.length };
}
