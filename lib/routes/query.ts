/** Reads the query of a list: limit, cursor and filters. */

import { normalizeEmail } from '../addresses/normalize.ts';
import type { Context, Handler } from '../http/request.ts';
import { MAX_ROWS } from '../lists.ts';
import type { PageQuery } from '../store/paging.ts';
import { ALL_TIME, dayOf, type Period, parseDay } from '../store/period.ts';

/** Thrown by a handler; the reply is 400 `invalid_query`. */
export class InvalidQuery extends Error {}

/** Reads parameters. Each call throws `InvalidQuery` for an invalid or repeated one. */
export type Query = {
  readonly oneOf: <T extends string>(name: string, allowed: readonly T[]) => T | undefined;
  /** Values that a comma separates. */
  readonly someOf: <T extends string>(
    name: string,
    allowed: readonly T[],
  ) => readonly T[] | undefined;
  /**
   * The page after the cursor: 1 to 500 rows, 100 by default.
   *
   * @param cursorName the parameter with the cursor, `cursor` by default
   */
  readonly page: (cursorName?: string) => PageQuery;
  readonly email: (name: string) => string | undefined;
  /** Until today without `to`; `undefined` without both. */
  readonly period: () => Period | undefined;
  readonly text: (name: string) => string | undefined;
  /** A moment in epoch ms. */
  readonly time: (name: string) => number | undefined;
};

export type WithQuery = { readonly query: Query };

/** Adds the query to the handler's argument. */
export const withQuery =
  <Given extends Context>(handler: Handler<Given & WithQuery>): Handler<Given> =>
  (given) =>
    handler({ ...given, query: readQuery(new URLSearchParams(given.request.query)) });

function readQuery(params: URLSearchParams): Query {
  /** @throws {InvalidQuery} if `read` returns `undefined`, or the parameter is repeated */
  function optional<T>(name: string, read: (value: string) => T | undefined): T | undefined {
    const [value, ...others] = params.getAll(name);
    if (value === undefined) return undefined;
    const result = others.length === 0 ? read(value) : undefined;
    if (result === undefined) throw new InvalidQuery();
    return result;
  }

  const oneOf = <T extends string>(name: string, allowed: readonly T[]) =>
    optional(name, (value) => allowed.find((each) => each === value));

  return {
    oneOf,
    someOf: <T extends string>(name: string, allowed: readonly T[]) =>
      optional(name, (text) => {
        const isAllowed = (value: string): value is T => allowed.some((each) => each === value);
        const values = text.split(',');
        return values.every(isAllowed) ? values : undefined;
      }),
    page: (cursorName = 'cursor'): PageQuery => ({
      limit: optional('limit', readLimit) ?? 100,
      after: optional(cursorName, readPosition),
    }),
    email: (name: string) => optional(name, normalizeEmail),
    period(): Period | undefined {
      if (!params.has('from') && !params.has('to')) return undefined;
      const from = optional('from', parseDay) ?? ALL_TIME.from;
      const to = optional('to', parseDay) ?? Math.max(from, dayOf(Date.now()));
      if (from > to) throw new InvalidQuery();
      return { from, to };
    },
    text: (name: string) => optional(name, (value) => value),
    time: (name: string) => optional(name, readTime),
  };
}

const readTime = (value: string): number | undefined =>
  /^(0|[1-9]\d{0,15})$/.test(value) && Number.isSafeInteger(Number(value))
    ? Number(value)
    : undefined;

const readLimit = (value: string): number | undefined =>
  /^[1-9]\d{0,2}$/.test(value) && Number(value) <= MAX_ROWS ? Number(value) : undefined;

/** A cursor is the position of the last row: its id, or the number of rows before the next. */
const readPosition = (value: string): number | undefined =>
  /^\d{1,15}$/.test(value) ? Number(value) : undefined;

/** The cursor for a position; `null` for the end of the list. */
export const toCursor = (position: number | null): string | null =>
  position === null ? null : String(position);
