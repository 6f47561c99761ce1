/** Streams a list as CSV, part by part. Between two parts, other requests are answered. */
import { CutReply, type Reply } from '../../http/reply.ts';
import { type Columns, MAX_ROWS } from '../../lists.ts';
import type { ListPage } from '../../records.ts';
import type { LoggedIn } from '../../routes/guards.ts';
import { type ReadPage, readPart, takeTurn } from '../../routes/list-page.ts';
import type { ServerStore } from '../../store/open.ts';
import { csvHeading, csvRows } from './csv.ts';

/**
 * A list as a CSV file. Its first part is read at once. Each part is read only for a visitor who is
 * still an administrator; otherwise the file ends as cut.
 *
 * @param name of the file, without `.csv`
 * @throws {StoreUnavailable} if the first part cannot be read
 */
export async function exportCsv<Row extends object>(
  store: ServerStore,
  { request, visitor, refuse }: LoggedIn,
  name: string,
  columns: Columns<Row>,
  readPage: ReadPage<Row>,
): Promise<Reply> {
  const readForAdmin: ReadPage<Row> = (readers, page) => {
    if (readers.sessions.isAdmin(visitor)) return readPage(readers, page);
    throw new CutReply(`${name}.csv was cut: its reader is no longer an administrator`);
  };

  function readFrom(after?: number): Promise<ListPage<Row, number>> {
    return readPart(store, readForAdmin, { after, limit: MAX_ROWS });
  }

  async function* lines(first: ListPage<Row, number>): AsyncGenerator<string> {
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

  try {
    return csvReply(`${name}.csv`, lines(await readFrom()));
  } catch (error) {
    if (error instanceof CutReply) return refuse(request);
    throw error;
  }
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
