/** The invite list: who may log in, and who of them is an administrator. */
import type { Database } from 'better-sqlite3';
import type { Invite } from './invite-columns.ts';
import {
  type FoundInvites,
  type InviteSearch,
  inviteSearch,
  type SearchPosition,
} from './invite-search.ts';

export type { Invite };

/** The place of an invite in the list, newest first. */
export type InvitePosition = readonly [invitedAt: number, email: string];

export type NewInvite = Pick<Invite, 'email' | 'firstName' | 'invitedBy' | 'invitedAt'>;

export type Invites = {
  find(email: string): Invite | undefined;
  /** Adds an invite, never an administrator. @returns false where the email is already invited */
  add(invite: NewInvite): boolean;
  /** @returns false where the email is not invited */
  setFirstName(email: string, firstName: string): boolean;
  /** @returns false where the email is not invited */
  remove(email: string): boolean;
  isAdmin(email: string): boolean;
  /** @returns false where the email is not invited */
  setAdmin(email: string, isAdmin: boolean): boolean;
  listAdmins(): readonly Invite[];
  /** Up to `limit` invites, newest first, behind a position. */
  list(limit: number, after?: InvitePosition): readonly Invite[];
  /** Up to `limit` invites, sorted and filtered, behind a position. */
  search(search: InviteSearch, limit: number, after?: SearchPosition): FoundInvites;
};

type Row = Omit<Invite, 'isAdmin'> & { readonly isAdmin: 0 | 1 };

const COLUMNS = `email, first_name as firstName, is_admin as isAdmin, invited_by as invitedBy,
  invited_at as invitedAt`;

export function invites(db: Database): Invites {
  const select = db.prepare<[string], Row>(`select ${COLUMNS} from invites where email = ?`);
  const insert = db.prepare<[string, string | null, string, number]>(
    `insert into invites (email, first_name, invited_by, invited_at) values (?, ?, ?, ?)
     on conflict (email) do nothing`,
  );
  const updateFirstName = db.prepare<[string, string]>(
    'update invites set first_name = ? where email = ?',
  );
  const remove = db.prepare<[string]>('delete from invites where email = ?');
  const admin = db.prepare<[string], 0 | 1>('select is_admin from invites where email = ?').pluck();
  const updateAdmin = db.prepare<[number, string]>(
    'update invites set is_admin = ? where email = ?',
  );
  const selectAdmins = db.prepare<[], Row>(
    `select ${COLUMNS} from invites where is_admin = 1 order by email`,
  );
  const selectPage = db.prepare<[number, string, number], Row>(
    `select ${COLUMNS} from invites where (invited_at, email) < (?, ?)
     order by invited_at desc, email desc limit ?`,
  );

  return {
    find(email) {
      const row = select.get(email);
      return row && fromRow(row);
    },
    add: ({ email, firstName, invitedBy, invitedAt }) =>
      insert.run(email, firstName, invitedBy, invitedAt).changes > 0,
    setFirstName: (email, firstName) => updateFirstName.run(firstName, email).changes > 0,
    remove: (email) => remove.run(email).changes > 0,
    isAdmin: (email) => admin.get(email) === 1,
    setAdmin: (email, isAdmin) => updateAdmin.run(isAdmin ? 1 : 0, email).changes > 0,
    listAdmins: () => selectAdmins.all().map(fromRow),
    search: inviteSearch(db),
    list: (limit, [invitedAt, email] = [Number.MAX_SAFE_INTEGER, '']) =>
      selectPage.all(invitedAt, email, limit).map(fromRow),
  };
}

const fromRow = (row: Row) => ({ ...row, isAdmin: row.isAdmin === 1 });
