/** Logs are read in pages by key, newest first: the cost of a page does not depend on where it lies. */

export type Page = {
  /** Rows at most. */
  readonly limit: number;
  /** Only rows older than the one with this id; all where it is left out. */
  readonly before?: number | undefined;
};

/** The page with its bound filled in. */
export const newestFirst = ({ limit, before = Number.MAX_SAFE_INTEGER }: Page) => ({
  limit,
  before,
});

/** Rows read at a time where a whole list is read: a millisecond or two. */
const PAGE = 500;

/**
 * Every row of a list that is read in pages, one after the other.
 *
 * @param read gives up to `limit` rows behind `last`, the last row of the page before
 * @param total rows at most
 */
export function* walk<T>(
  read: (limit: number, last: T | undefined) => readonly T[],
  total = Number.POSITIVE_INFINITY,
): Generator<T> {
  let last: T | undefined;
  for (let left = total; left > 0; left -= PAGE) {
    const limit = Math.min(PAGE, left);
    const rows = read(limit, last);
    yield* rows;
    if (rows.length < limit) return;
    last = rows.at(-1);
  }
}
