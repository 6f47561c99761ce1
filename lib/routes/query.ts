/** Reads the query of a list: limit, cursor and filters. */
import { normalizeEmail } from '../addresses/address.ts';
import type { Context, Handler } from '../http/request.ts';
import { MAX_ROWS } from '../lists.ts';
import type { PageQuery } from '../store/paging.ts';
import { ALL_TIME, dayOf, type Period, parseDay } from '../store/period.ts';

/** A handler throws this for a reply 400 `invalid_query`. */
export class InvalidQuery extends Error {}

/** Reads parameters. Each call throws `InvalidQuery` for an invalid or repeated one. */
export type Query = {
  readonly oneOf: <T extends string>(name: string, allowed: readonly T[]) => T | undefined;
  /** Values with commas between them. */
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
  /** Without `to`, until today. `undefined` without both. */
  readonly period: () => Period | undefined;
  readonly text: (name: string) => string | undefined;
  /** A moment in epoch ms. */
  readonly time: (name: string) => number | undefined;
};

export type WithQuery = { readonly query: Query };

/** Adds the query to the handler's argument. */
export const withQuery =
  <Argument extends Context>(handler: Handler<Argument & WithQuery>): Handler<Argument> =>
  (context) =>
    handler({ ...context, query: readQuery(new URLSearchParams(context.request.query)) });

function readQuery(params: URLSearchParams): Query {
  /**
   * Reads a parameter; `undefined` if it is absent.
   *
   * @param parse returns `undefined` for an invalid value
   * @throws {InvalidQuery} if the value is invalid, or the parameter is repeated
   */
  function parameter<T>(name: string, parse: (value: string) => T | undefined): T | undefined {
    const values = params.getAll(name);
    const [value] = values;
    if (value === undefined) return undefined;
    const result = parse(value);
    if (result === undefined || values.length > 1) throw new InvalidQuery();
    return result;
  }

  const oneOf = <T extends string>(name: string, allowed: readonly T[]) =>
    parameter(name, (value) => allowed.find((each) => each === value));

  return {
    oneOf,
    someOf: <T extends string>(name: string, allowed: readonly T[]) =>
      parameter(name, (text) => {
        const isAllowed = (value: string): value is T => allowed.some((each) => each === value);
        const values = text.split(',');
        return values.every(isAllowed) ? values : undefined;
      }),
    page: (cursorName = 'cursor'): PageQuery => ({
      limit: parameter('limit', parseLimit) ?? 100,
      after: parameter(cursorName, parseCursor),
    }),
    email: (name: string) => parameter(name, normalizeEmail),
    period(): Period | undefined {
      if (!params.has('from') && !params.has('to')) return undefined;
      const from = parameter('from', parseDay) ?? ALL_TIME.from;
      const to = parameter('to', parseDay) ?? Math.max(from, dayOf(Date.now()));
      if (from > to) throw new InvalidQuery();
      return { from, to };
    },
    text: (name: string) => parameter(name, (value) => value),
    time: (name: string) => parameter(name, parseTime),
  };
}

/** A whole number without leading zeros: `0` and `1767225600000`, but not `01`, `1e3` or `-1`. */
const WHOLE_NUMBER = /^(0|[1-9]\d{0,15})$/;

function parseTime(value: string): number | undefined {
  const time = Number(value);
  return WHOLE_NUMBER.test(value) && Number.isSafeInteger(time) ? time : undefined;
}

function parseLimit(value: string): number | undefined {
  const limit = Number(value);
  if (!WHOLE_NUMBER.test(value) || limit === 0 || limit > MAX_ROWS) return undefined;
  return limit;
}

/** A cursor is the position of the last row: its id, or the number of rows before the next. */
const parseCursor = (value: string): number | undefined =>
  /^\d{1,15}$/.test(value) ? Number(value) : undefined;

/** The cursor for a position; `null` for the end of the list. */
export const toCursor = (position: number | null): string | null =>
  position === null ? null : String(position);
