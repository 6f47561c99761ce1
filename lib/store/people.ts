/** One person in total: the invite, the running totals and the devices, for whoever was ever invited or recorded. */
import type { Database } from 'better-sqlite3';
import { COLUMNS, type ListedInvite, type PersonRow, statusOf } from './invite-columns.ts';

export type Person = Omit<ListedInvite, 'status' | 'invitedBy' | 'invitedAt'> & {
  /** The rest of the invite; `null` where the person is not invited, or no longer. */
  readonly status: ListedInvite['status'] | null;
  readonly invitedBy: string | null;
  readonly invitedAt: number | null;
  /** Epoch ms of the first and of the newest join click. */
  readonly firstJoinAt: number | null;
  readonly lastJoinAt: number | null;
};

export type PersonDevice = {
  readonly deviceType: string;
  readonly os: string;
  readonly browser: string;
  readonly count: number;
  /** Epoch ms. */
  readonly lastAt: number;
};

export type People = {
  find(email: string): Person | undefined;
  /** What a person came with, most used first, in their newest 100 logins and 100 views. */
  devices(email: string): readonly PersonDevice[];
};

/** Events looked at for a person's devices, of each type. */
const RECENT = 100;

type Row = PersonRow & {
  readonly status: number | null;
  readonly firstJoinAt: number | null;
  readonly lastJoinAt: number | null;
};

export function people(db: Database): People {
  const select = db.prepare<[string], Row>(
    `select ${COLUMNS}, first_join_at as firstJoinAt, last_join_at as lastJoinAt
     from people where email = ?`,
  );
  const recent = (type: string) =>
    `select * from (
       select device_type, os, browser, occurred_at from events
       where email = @email and event_type = '${type}' order by id desc limit ${RECENT})`;
  const selectDevices = db.prepare<[{ email: string }], PersonDevice>(
    `select device_type as deviceType, os, browser, count(*) as count, max(occurred_at) as lastAt
     from (${recent('login')} union all ${recent('timeline_view')})
     group by 1, 2, 3 order by count desc, 1, 2, 3`,
  );

  return {
    find(email) {
      const row = select.get(email);
      if (!row) return undefined;
      const invited = row.status !== null;
      return {
        ...row,
        isAdmin: row.isAdmin === 1,
        status: row.status === null ? null : statusOf(row.status),
        invitedBy: invited ? row.invitedBy : null,
        invitedAt: invited ? row.invitedAt : null,
      };
    },
    devices: (email) => selectDevices.all({ email }),
  };
}
