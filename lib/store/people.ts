/** People with their totals: the invite list, or one person. */
import type { Database } from 'better-sqlite3';
import type { ListedInvite, ListPage, Person, PersonTotals, Status } from '../records.ts';
import { ACTS, type Act, actReader } from './acts.ts';
import type { Sliced } from './counted-reads.ts';
import { foldText, readableEmail } from './normalize.ts';
import { type PageQuery, prepareOnce, requireRow } from './paging.ts';
import { ALL_TIME, type Period, type PeriodFilter, periodSql } from './period.ts';

/** The index of a status is its number in counted.db. */
export const STATUSES = ['not_come', 'logged_in', 'viewed', 'joined'] as const satisfies Status[];

/** The SQL expression of each sort. */
const SORTS = {
  email: 'email',
  firstName: "fold(ifnull(first_name, ''))",
  invitedBy: 'invited_by',
  invitedAt: 'invited_at',
  // Before the invited people, those who are not invited any more.
  status: 'iif(invited_at is null, -1, ifnull(status, 0))',
  logins: 'ifnull(logins, 0)',
  timelineViews: 'ifnull(timeline_views, 0)',
  joinClicks: 'ifnull(join_clicks, 0)',
  lastSeenAt: 'ifnull(last_seen_at, 0)',
} as const;

type InviteSort = keyof typeof SORTS;

export const INVITE_SORTS = Object.keys(SORTS) as readonly InviteSort[];

/** The period is that of `invitedAt`; with `did`, that of the act. */
export type InviteSearch = PeriodFilter & {
  readonly sort: InviteSort;
  readonly order: 'asc' | 'desc';
  /** Part of the address or of the first name; case and accents are ignored. */
  readonly text?: string | undefined;
  /** Any of these. */
  readonly statuses?: readonly Status[] | undefined;
  /** Who did this in the period, also people who are not invited any more. */
  readonly did?: Act | undefined;
  /** Only administrators. */
  readonly admins?: true;
};

const COLUMNS = `email, first_name as firstName, is_admin as isAdmin, invited_by as invitedBy,
  invited_at as invitedAt, iif(invited_at is null, null, ifnull(status, 0)) as status,
  ifnull(logins, 0) as logins, ifnull(timeline_views, 0) as timelineViews,
  ifnull(join_clicks, 0) as joinClicks, last_seen_at as lastSeenAt`;

type Row = Omit<Person, 'isAdmin' | 'status'> & {
  readonly isAdmin: 0 | 1 | null;
  readonly status: 0 | 1 | 2 | 3 | null;
};

type InvitePage = ListPage<ListedInvite, number> & { readonly total: number };

export type PeopleReader = ReturnType<typeof peopleReader>;

export function peopleReader(db: Database) {
  db.function('fold', { deterministic: true }, foldText);
  db.function('readable', { deterministic: true }, readableEmail);
  const prepareSearch = prepareOnce<string>(db);
  const select = db.prepare<[string], Row>(
    `select ${COLUMNS}, first_join_at as firstJoinAt, last_join_at as lastJoinAt
     from (select ? as email) left join invites using (email) left join people using (email)
     where ifnull(invited_at, id) is not null`,
  );
  const seen = db.prepare<[Period], PersonTotals>(
    `select email, sum(days.logins) as logins, sum(days.timeline_views) as timelineViews,
       max(days.last_seen_at) as lastSeenAt
     from person_days as days cross join people on id = person
     where day between @from and @to and days.last_seen_at is not null
     group by person order by lastSeenAt desc, email`,
  );
  const { count, idsIn } = actReader(db);

  /** The addresses of all people in a list, in its order. */
  function* search(query: InviteSearch): Sliced<readonly string[]> {
    const { did, period, text, statuses } = query;
    const ids = did && period && (yield* idsIn(did, period));
    const emails = prepareSearch(searchSql(query)).pluck();
    return emails.all({
      ...period,
      ids: JSON.stringify(ids),
      text: text && foldText(text.trim()),
      statuses: JSON.stringify(statuses?.map((status) => STATUSES.indexOf(status))),
    });
  }

  /** A person who was ever invited or recorded. */
  function find(email: string): Person | undefined {
    const row = select.get(email);
    if (!row) return undefined;
    const status = row.status === null ? null : STATUSES[row.status];
    return { ...row, isAdmin: row.isAdmin === 1, status };
  }

  const readListed = (email: string): ListedInvite => {
    const { firstJoinAt, lastJoinAt, ...row } = requireRow(find(email));
    return row;
  };

  return {
    count,
    find,
    /** A page of a list, sorted and filtered. Its position is a number of rows. */
    *list({ limit, after = 0, ...query }: PageQuery<number> & InviteSearch): Sliced<InvitePage> {
      const emails = yield* search(query);
      const end = after + limit;
      const next = end < emails.length ? end : null;
      return { rows: emails.slice(after, end).map(readListed), total: emails.length, next };
    },
    /** A whole list; `undefined` between slices of the search. */
    *all(query: InviteSearch): Generator<ListedInvite | undefined> {
      for (const email of yield* search(query)) yield readListed(email);
    },
    /** People who have logged in or viewed, most recent first. Not iterated: see sqlite.ts. */
    seen: (period = ALL_TIME): readonly PersonTotals[] => seen.all(period),
  };
}

/** Scans all people once. */
function searchSql({ sort, order, text, statuses, did, admins, period }: InviteSearch): string {
  const didSql = did && (period ? 'id in (select value from json_each(@ids))' : `${ACTS[did]} > 0`);
  const conditions = [
    didSql ?? periodSql('invited_at', period),
    statuses &&
      'invited_at is not null and ifnull(status, 0) in (select value from json_each(@statuses))',
    text &&
      `(instr(email, @text) or instr(${SORTS.firstName}, @text)
        or email glob '*[^ -~]*' and instr(fold(email), @text)
        or instr(email, 'xn--') and instr(fold(readable(email)), @text))`,
    admins && 'is_admin',
  ];
  // An index has the invites by time and address.
  const ties = sort === 'invitedAt' ? order : 'asc';
  return `select email
    from ${did ? 'people left join invites' : 'invites left join people'} using (email)
    where ${conditions.filter(Boolean).join(' and ')}
    order by ${SORTS[sort]} ${order}, email ${ties}`;
}
