/** Reads the query of a list: how many rows, from where on, which of them, and as what. */

import { failure, type Reply } from '../../http/reply.ts';
import type { Request } from '../../http/request.ts';
import { normalizeEmail } from '../../store/rows/normalize.ts';

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;

/** Longest text to look for, in characters: as long as an address may be. */
const MAX_TEXT = 254;

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
  /** The parameter as `read` understands it; `undefined` where it is left out. */
  function optional<T>(name: string, read: (value: string) => T | undefined): T | undefined {
    const value = params.get(name);
    if (value === null) return undefined;
    const result = read(value);
    if (result === undefined) throw new InvalidQuery();
    return result;
  }

  return {
    /** Rows at most: 1 to 500, 100 where nothing is said. */
    limit: () => optional('limit', readLimit) ?? DEFAULT_LIMIT,
    /** The position that a cursor named `name` holds. */
    cursor: <P>(name: string, isPosition: (value: unknown) => value is P) =>
      optional(name, (cursor) => {
        const value = decode(cursor);
        return isPosition(value) ? value : undefined;
      }),
    /** One of the values allowed for `name`. */
    oneOf: <T extends string>(name: string, allowed: readonly T[]) =>
      optional(name, (value) => allowed.find((each) => each === value)),
    /** An address, in the form in which it is stored. */
    email: (name: string) => optional(name, normalizeEmail),
    /** A text to look for. */
    text: (name: string) =>
      optional(name, (value) =>
        value.length <= MAX_TEXT && !/[\p{Cc}\p{Cs}]/u.test(value) ? value : undefined,
      ),
  };
}

function readLimit(value: string): number | undefined {
  return /^[1-9]\d{0,2}$/.test(value) && Number(value) <= MAX_LIMIT ? Number(value) : undefined;
}

/**
 * A page of a list, and the cursor of the next page; `null` where nothing follows.
 *
 * @param read gives as many rows as it is asked for; that is one more than the page has
 * @param positionOf the place of a row in the list
 */
export function paged<T>(
  limit: number,
  read: (limit: number) => readonly T[],
  positionOf: (row: T) => unknown,
): { readonly rows: readonly T[]; readonly next: string | null } {
  const found = read(limit + 1);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, next: last === undefined ? null : encode(positionOf(last)) };
}

const encode = (position: unknown): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

function decode(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

/** Whether a position is an id. */
export const isId = (value: unknown): value is number => Number.isSafeInteger(value);

/** Whether a position is a time and an email. */
export const isTimeAndEmail = (value: unknown): value is readonly [number, string] =>
  Array.isArray(value) && value.length === 2 && isId(value[0]) && typeof value[1] === 'string';
