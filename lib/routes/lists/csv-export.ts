/** Streams a list as CSV, page by page. Between two pages, other requests are answered. */
import { type Columns, csvHeading, csvLine, MAX_ROWS } from '../../csv.ts';
import type { ListPage } from '../../records.ts';
import type { Readers, ServerStore } from '../../store/open.ts';

/** Reads the page of a list behind a position. */
export type ReadPage<Row, Position> = (
  readers: Readers,
  after: Position | undefined,
) => ListPage<Row, Position>;

/**
 * Reads the first page, and returns a CSV file in chunks.
 *
 * @throws {StoreUnavailable} if the first page cannot be read
 */
export async function exportCsv<Row extends object, Position>(
  { read }: ServerStore,
  columns: Columns<Row>,
  readPage: ReadPage<Row, Position>,
): Promise<AsyncGenerator<string>> {
  const next = (after?: Position) => read((readers) => readPage(readers, after));
  return inPages(columns, await next(), next);
}

async function* inPages<Row extends object, Position>(
  columns: Columns<Row>,
  first: ListPage<Row, Position>,
  next: (after: Position) => Promise<ListPage<Row, Position>>,
): AsyncGenerator<string> {
  yield csvHeading(columns);
  for (let page = first; ; page = await next(page.next)) {
    yield page.rows.map((row) => csvLine(columns, row)).join('');
    if (page.next === null) return;
  }
}

/** Reads pages of people, whose addresses were read at the beginning. */
export const byAddress =
  <Row>(
    emails: readonly string[],
    find: (readers: Readers, emails: readonly string[]) => readonly Row[],
  ): ReadPage<Row, number> =>
  (readers, after = 0) => {
    const end = after + MAX_ROWS;
    const rows = find(readers, emails.slice(after, end));
    return { rows, next: end < emails.length ? end : null };
  };
