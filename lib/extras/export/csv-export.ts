/** Streams a list as CSV, page by page. Between two pages, other requests are answered. */

import type { Reply } from '../../http/reply.ts';
import { type Columns, MAX_ROWS } from '../../lists.ts';
import type { ListPage } from '../../records.ts';
import type { Readers, ServerStore } from '../../store/open.ts';
import type { PageQuery } from '../../store/paging.ts';
import { csvHeading, csvRows } from './csv.ts';

/** Reads a page of a list. */
export type ReadPage<Row> = (readers: Readers, page: PageQuery) => ListPage<Row, number>;

/**
 * A list as a CSV file. Its first page is read at once.
 *
 * @param name of the file, without `.csv`
 * @throws {StoreUnavailable} if the first page cannot be read
 */
export async function exportCsv<Row extends object>(
  store: ServerStore,
  name: string,
  columns: Columns<Row>,
  readPage: ReadPage<Row>,
): Promise<Reply> {
  const readFrom = (after?: number) =>
    store.read((readers) => readPage(readers, { after, limit: MAX_ROWS }));
  const first = await readFrom();
  async function* lines() {
    yield csvHeading(columns);
    for (let page = first; ; page = await readFrom(page.next)) {
      yield csvRows(columns, page.rows);
      if (page.next === null) return;
    }
  }
  return csvReply(`${name}.csv`, lines());
}

/** A CSV file to save, streamed; no cache may store it. @param name the file's name */
function csvReply(name: string, rows: AsyncIterable<string>): Reply {
  const headers = [
    'Cache-Control',
    'no-store',
    'Content-Type',
    'text/csv; charset=utf-8; header=present',
    'Content-Disposition',
    `attachment; filename="${name}"`,
  ];
  return { status: 200, headers, body: rows };
}
