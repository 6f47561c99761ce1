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
