/**
 * Reads pages of lists. A log is read in parts. Between two parts, the server answers requests.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ListPage } from '../records.ts';
import type { ServerStore } from '../store/open.ts';
import type { PageQuery } from '../store/paging.ts';
import type { Readers } from '../store/tables.ts';

/** Reads a page of a list. */
export type ReadPage<Row> = (readers: Readers, page: PageQuery) => ListPage<Row, number>;

/** The highest number of rows of a log that one part reads. */
const MAX_VISITS = 20_000;

let lastTurn = Promise.resolve();

/**
 * Resolves in a turn of the event loop that only one caller gets. So each turn reads one part,
 * however many exports run at the same time.
 */
export function takeTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn());
  return lastTurn;
}

/**
 * Reads a part of a list, for at most a few ms.
 *
 * @returns at most `limit` rows. If `next` is null, no row follows. Otherwise rows may follow.
 * @throws {StoreUnavailable} if it cannot be read
 */
export const readPart = <Row>(
  store: ServerStore,
  readPage: ReadPage<Row>,
  page: PageQuery,
): Promise<ListPage<Row, number>> =>
  store.read((readers) => readPage(readers, { ...page, visits: MAX_VISITS }));

/**
 * Reads a page of a log, in as many parts as it takes.
 *
 * @returns `limit` rows, or all if there are fewer. `next` is null exactly if no row follows.
 * @throws {StoreUnavailable} if it cannot be read
 */
export async function readLogPage<Row extends { readonly id: number }>(
  store: ServerStore,
  readPage: ReadPage<Row>,
  page: PageQuery,
): Promise<ListPage<Row, number>> {
  const { limit } = page;
  const rows: Row[] = [];
  let after = page.after;
  for (;;) {
    // One more row than the page has tells whether any row follows.
    const part = await readPart(store, readPage, { after, limit: limit + 1 - rows.length });
    rows.push(...part.rows);
    if (rows.length > limit)
      return { rows: rows.slice(0, limit), next: rows[limit - 1]?.id ?? null };
    if (part.next === null) return { rows, next: null };
    after = part.next;
    await takeTurn();
  }
}
