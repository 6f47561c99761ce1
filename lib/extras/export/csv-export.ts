/** Streams a list as CSV, part by part. Between two parts, other requests are answered. */
import type { Reply } from '../../http/reply.ts';
import { type Columns, MAX_ROWS } from '../../lists.ts';
import type { ListPage } from '../../records.ts';
import { type ReadPage, readPart, takeTurn } from '../../routes/list-page.ts';
import type { ServerStore } from '../../store/open.ts';
import { csvHeading, csvRows } from './csv.ts';

/**
 * A list as a CSV file. Its first part is read at once.
 *
 * @param name of the file, without `.csv`
 * @throws {StoreUnavailable} if the first part cannot be read
 */
export async function exportCsv<Row extends object>(
  store: ServerStore,
  name: string,
  columns: Columns<Row>,
  readPage: ReadPage<Row>,
): Promise<Reply> {
  function readFrom(after?: number): Promise<ListPage<Row, number>> {
    return readPart(store, readPage, { after, limit: MAX_ROWS });
  }

  const first = await readFrom();

  async function* lines(): AsyncGenerator<string> {
    yield csvHeading(columns);
    let part = first;
    for (;;) {
      yield csvRows(columns, part.rows);
      if (part.next === null) return;
      // Nothing else returns to the event loop as long as the socket takes all bytes.
      await takeTurn();
      part = await readFrom(part.next);
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
