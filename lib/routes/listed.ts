/** A list that is read in pages: one shape for whatever is listed, as JSON or as CSV. */

export type Slice<T, P> = {
  readonly rows: readonly T[];
  /** Where the next page begins; `null` at the end of the list. */
  readonly next: P | null;
};

/** Gives up to `limit` rows from a position on; from the first where there is none. */
export type Listed<T, P> = (limit: number, after: P | undefined) => Slice<T, P>;

/** A list whose rows are their own positions: `positionOf` tells the place of the last row. */
export function listed<T, P>(
  read: (limit: number, after: P | undefined) => readonly T[],
  positionOf: (row: T) => P,
): Listed<T, P> {
  return (limit, after) => {
    const found = read(limit + 1, after);
    const rows = found.slice(0, limit);
    const last = rows.at(-1);
    return { rows, next: last !== undefined && found.length > limit ? positionOf(last) : null };
  };
}

/** A list of nothing. */
export const NOTHING = { rows: [], next: null } as const;
