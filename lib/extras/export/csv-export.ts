/** Streams a list as CSV in parts. The server answers other requests between two parts. */
import { CutReply, type Reply } from '../../http/reply.ts';
import { type Columns, MAX_ROWS } from '../../lists.ts';
import type { ListPage } from '../../records.ts';
import type { VisitorContext } from '../../routes/guards.ts';
import { type ReadPage, readPart, takeTurn } from '../../routes/list-page.ts';
import type { ServerStore } from '../../store/open.ts';
import { csvHeading, csvRows } from './csv.ts';

/**
 * Sends a list as a CSV file. Its first part is read before the reply. Before each part, the
 * session is checked again. If it is no longer an administrator's, the connection is closed.
 *
 * @param name of the file, without `.csv`
 * @throws {StoreUnavailable} if the first part cannot be read
 */
export async function exportCsv<Row extends object>(
  store: ServerStore,
  { visitor, replyWithoutSession }: VisitorContext,
  name: string,
  columns: Columns<Row>,
  readPage: ReadPage<Row>,
): Promise<Reply> {
  const readForAdmin: ReadPage<Row> = (readers, page) => {
    if (readers.sessions.isAdmin(visitor)) return readPage(readers, page);
    throw new CutReply(`${name}.csv was cut: the client is no longer an administrator`);
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
      // Without this, one export would block all other requests as long as its socket takes all
      // bytes.
      await takeTurn();
      part = await readFrom(part.next);
    }
  }

  try {
    return csvReply(`${name}.csv`, lines(await readFrom()));
  } catch (error) {
    if (error instanceof CutReply) return replyWithoutSession();
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
