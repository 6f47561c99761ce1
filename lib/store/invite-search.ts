/**
 * The invite list as administrators look through it: sorted by any column, filtered by text and by status, read in pages by
 * key. Every order is an index of `people` (see sql/006), so that a page costs the same wherever it lies.
 */
import type { Database, Statement } from 'better-sqlite3';
import {
  COLUMNS,
  type ListedInvite,
  type PersonRow,
  STATUSES,
  type Status,
  statusOf,
} from './invite-columns.ts';
import { type TextFilter, textFilters } from './text-filter.ts';

/** Where a page ends: the values of the sorting column, its rank first where it has one, then the email. */
export type SearchPosition = readonly (string | number)[];

export type InviteSearch = {
  readonly sort: InviteSort;
  readonly order: 'asc' | 'desc';
  /** Part of the address or of the first name; the beginning of one where it is shorter than three characters. */
  readonly text?: string | undefined;
  readonly status?: Status | undefined;
};

export type FoundInvites = {
  readonly rows: readonly ListedInvite[];
  /** Where the next page begins; `null` at the end of the list. */
  readonly next: SearchPosition | null;
};

/**
 * What each column sorts by, before the email. Two are sorted by a coarse rank that an index holds, then inside a rank by
 * the exact value; `exact` says in which ranks that is needed, the others hold one value each.
 */
const SORTS = {
  email: { keys: [] },
  firstName: { keys: ['first_name'] },
  invitedBy: { keys: ['invited_by'] },
  invitedAt: { keys: ['invited_at'] },
  status: { keys: ['status'] },
  logins: { keys: ['logins'] },
  timelineViews: {
    keys: ['views_rank', 'timeline_views'],
    exact: 'views_rank >= 1000',
    inexact: 'views_rank < 1000',
  },
  joinClicks: { keys: ['join_clicks'] },
  lastSeenAt: {
    keys: ['seen_hour', 'ifnull(last_seen_at, 0)'],
    exact: 'seen_hour > 0',
    inexact: 'seen_hour = 0',
  },
} as const;

export type InviteSort = keyof typeof SORTS;

export const INVITE_SORTS = Object.keys(SORTS) as readonly InviteSort[];

type Row = PersonRow & {
  readonly first: string | number;
  readonly second: string | number;
};

type Parameters = Readonly<Record<string, string | number>>;

export function inviteSearch(db: Database) {
  const chooseFilter = textFilters(db);
  const statements = new Map<string, Statement<[Parameters], Row>>();

  /** One statement for each sort, order, status and kind of filter; a few hundred at most. */
  function prepared(sql: string) {
    const known = statements.get(sql);
    if (known) return known;
    const statement = db.prepare<[Parameters], Row>(sql);
    statements.set(sql, statement);
    return statement;
  }

  return (search: InviteSearch, limit: number, after?: SearchPosition): FoundInvites => {
    const filter = chooseFilter(search.text);
    const rows = prepared(searchSql(search, filter, after !== undefined)).all({
      ...filter.parameters,
      ...Object.fromEntries((after ?? []).map((value, i) => [`after${i}`, value])),
      limit,
    });
    const last = rows.at(-1);
    return {
      rows: rows.map(toInvite),
      next: last && rows.length === limit ? positionOf(last, search.sort) : null,
    };
  };
}

/** Whether a value is a position in a list that is sorted so. */
export function isSearchPosition(sort: InviteSort) {
  const { keys } = SORTS[sort];
  const isText = [...keys.map((key) => key === 'first_name' || key === 'invited_by'), true];
  return (value: unknown): value is SearchPosition =>
    Array.isArray(value) &&
    value.length === isText.length &&
    value.every((part, i) => (isText[i] ? typeof part === 'string' : Number.isSafeInteger(part)));
}

function positionOf({ first, second, email }: Row, sort: InviteSort): SearchPosition {
  return [...[first, second].slice(0, SORTS[sort].keys.length), email];
}

const toInvite = ({ first, second, ...row }: Row): ListedInvite => ({
  ...row,
  isAdmin: row.isAdmin === 1,
  status: statusOf(row.status),
});

/**
 * The statement of a search. Few matches are fetched and sorted. Otherwise the list is made of branches, each of which
 * an index holds in order, merged: one for each status, two where a rank is not always exact.
 */
function searchSql({ sort, order, status }: InviteSearch, filter: TextFilter, behind: boolean) {
  const { keys, ...ranks } = SORTS[sort];
  const [first = "''", second = "''"] = keys;
  const columns = `${COLUMNS}, ${first} as first, ${second} as second`;
  const wanted = status === undefined ? [0, 1, 2, 3] : [STATUSES.indexOf(status)];
  const page = (from: string, where: readonly string[], by: readonly string[]) => {
    const bounds = by.map((_, i) => `@after${by.length === keys.length + 1 || i === 0 ? i : 2}`);
    const beyond = `(${by.join(', ')}) ${order === 'asc' ? '>' : '<'} (${bounds.join(', ')})`;
    return `select ${columns} from ${from}
      where ${[...where, ...(behind ? [beyond] : [])].join(' and ')}
      order by ${by.map((key) => `${key} ${order}`).join(', ')} limit @limit`;
  };

  if (filter.few) {
    return page(
      'people not indexed',
      [`id in (${filter.found})`, `status in (${wanted})`],
      [...keys, 'email'],
    );
  }
  const filtered = (where: readonly string[]) => [...where, ...filter.where];
  if (sort === 'status') {
    return page('people', filtered([`status between ${wanted[0]} and ${wanted.at(-1)}`]), [
      'status',
      'email',
    ]);
  }
  const branches = wanted.flatMap((each) => {
    const where = filtered([`status = ${each}`]);
    if (!('exact' in ranks)) return [page('people', where, [...keys, 'email'])];
    return [
      page('people', [...where, ranks.inexact], [first, 'email']),
      page('people', [...where, ranks.exact], [...keys, 'email']),
    ];
  });
  return `${branches.map((branch) => `select * from (${branch})`).join(' union all ')}
    order by ${['first', 'second', 'email'].map((key) => `${key} ${order}`).join(', ')} limit @limit`;
}
