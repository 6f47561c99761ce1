/** Reads the query of a list: how many rows, from where on, and as what. */
import { failure, type Reply } from '../http/reply.ts';
import type { Request } from '../http/request.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

/** The query makes no sense. */
class InvalidQuery extends Error {}

/** A handler of a list; a query that makes no sense is answered with 400 `invalid_query`. */
export function withQuery(handler: (query: Query) => Reply): (request: Request) => Reply {
  return ({ query }) => {
    try {
      return handler(readQuery(new URLSearchParams(query)));
    } catch (error) {
      if (error instanceof InvalidQuery) return failure(400, 'invalid_query');
      throw error;
    }
  };
}

export type Query = ReturnType<typeof readQuery>;

function readQuery(params: URLSearchParams) {
  const check = <T>(value: T | undefined): T => {
    if (value === undefined) throw new InvalidQuery();
    return value;
  };
  return {
    /** Rows at most: 1 to 500, 100 where nothing is said. */
    limit: () => {
      const limit = params.get('limit') ?? String(DEFAULT_LIMIT);
      return check(
        /^[1-9]\d{0,2}$/.test(limit) && Number(limit) <= MAX_LIMIT ? Number(limit) : undefined,
      );
    },
    /** The id that a cursor named `name` holds. */
    id: (name: string) => {
      const cursor = params.get(name);
      if (cursor === null) return undefined;
      return check(/^[1-9]\d{0,14}$/.test(cursor) ? Number(cursor) : undefined);
    },
    /** The place in a list by time and email that a cursor named `name` holds. */
    position: (name: string) => {
      const cursor = params.get(name);
      if (cursor === null) return undefined;
      const [, time, email] = check(/^(\d{1,15})~(.+)$/s.exec(cursor) ?? undefined);
      return [Number(time), String(email)] as const;
    },
    /** One of the values allowed for `name`. */
    oneOf: <T extends string>(name: string, allowed: readonly T[]) => {
      const value = params.get(name);
      return value === null ? undefined : check(allowed.find((each) => each === value));
    },
    text: (name: string) => params.get(name) ?? undefined,
  };
}

/** The cursor behind the last of `rows`; `null` at the end of the list. */
export function nextCursor<T>(
  rows: readonly T[],
  limit: number,
  key: (row: T) => readonly (string | number)[],
) {
  const last = rows.at(-1);
  return last !== undefined && rows.length === limit ? key(last).join('~') : null;
}
