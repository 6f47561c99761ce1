/** A part of a log, newest first, found by key: its cost does not depend on where it lies. */
export type Page = {
  /** Rows at most; all where it is left out. */
  readonly limit?: number | undefined;
  /** Only rows older than the one with this id; all where it is left out. */
  readonly before?: number | undefined;
};

/** The page with its bounds filled in, as SQLite reads them. */
export const bounds = ({ limit = -1, before = Number.MAX_SAFE_INTEGER }: Page) => ({
  limit,
  before,
});
