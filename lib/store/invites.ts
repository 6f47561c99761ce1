/** Invites: the people who may log in, and the administrators among them. */
import type { Database } from 'better-sqlite3';
import { composeEmail } from '../addresses/normalize.ts';
import type { Invite, NewInvite } from '../records.ts';
import type { ChangeAuthor, RecordChange } from './changes.ts';
import { readNamedRow } from './first-name.ts';

type Row = Omit<Invite, 'isAdmin'> & { readonly isAdmin: 0 | 1 };

export function inviteReader(db: Database) {
  const select = db.prepare<[string], Row>(
    `select email, first_name as firstName, is_admin as isAdmin, invited_by as invitedBy,
       invited_at as invitedAt from invites where email = ?`,
  );
  const any = db.prepare('select 1 from invites limit 1');
  const anyGuest = db.prepare('select 1 from invites where is_admin = 0 limit 1');

  function find(email: string): Invite | undefined {
    const row = select.get(email);
    return row && { ...readNamedRow(row), isAdmin: row.isAdmin === 1 };
  }

  return {
    find,
    /** The invite of an address as it was typed; without one, that of the form of new invites. */
    findTyped: (email: string): Invite | undefined => find(email) ?? find(composeEmail(email)),
    isEmpty: (): boolean => any.get() === undefined,
    /** Whether somebody is invited who is no administrator. */
    hasGuests: (): boolean => anyGuest.get() !== undefined,
  };
}

export function inviteWriter(db: Database, recordChange: RecordChange) {
  const insert = db.prepare<[NewInvite]>(
    `insert into invites (email, first_name, invited_by, invited_at)
     values (@email, @firstName, @invitedBy, @invitedAt) on conflict (email) do nothing`,
  );
  const updateFirstName = db.prepare<[string, string, string]>(
    'update invites set first_name = ? where email = ? and first_name is not ?',
  );
  const updateAdmin = db.prepare<[number, string]>(
    'update invites set is_admin = ? where email = ?',
  );
  const remove = db.prepare<[string]>('delete from invites where email = ?');

  return {
    /** Adds an invite, never an administrator. @returns false if the email is already invited */
    add(invite: NewInvite, author?: ChangeAuthor): boolean {
      if (insert.run(invite).changes === 0) return false;
      recordChange('invited', invite.email, null, author);
      return true;
    },
    /** @returns false if the email is not invited, or already has this first name */
    setFirstName(email: string, firstName: string): boolean {
      if (updateFirstName.run(firstName, email, firstName).changes === 0) return false;
      recordChange('name_changed', email);
      return true;
    },
    /** @returns false if the email is not invited */
    setAdmin(email: string, isAdmin: boolean): boolean {
      if (updateAdmin.run(isAdmin ? 1 : 0, email).changes === 0) return false;
      recordChange(isAdmin ? 'made_admin' : 'no_longer_admin', email);
      return true;
    },
    /** @returns false if the email is not invited */
    remove(email: string): boolean {
      if (remove.run(email).changes === 0) return false;
      recordChange('removed', email);
      return true;
    },
  };
}
