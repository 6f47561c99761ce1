/** The invite list: who may log in, and who of them is an administrator. */
import type { Database } from 'better-sqlite3';
import type { Invite, NewInvite } from '../../records.ts';
import { LATEST, type Part, pager, type TimeAndEmail } from './page.ts';

type Row = Omit<Invite, 'isAdmin'> & { readonly isAdmin: 0 | 1 };

const SELECT = `select email, first_name as firstName, is_admin as isAdmin,
  invited_by as invitedBy, invited_at as invitedAt from invites`;

export function invites(db: Database) {
  const select = db.prepare<[string], Row>(`${SELECT} where email = ?`);
  const admin = db.prepare<[string], 0 | 1>('select is_admin from invites where email = ?').pluck();
  const readList = pager(db, fromRow, ({ invitedAt, email }): TimeAndEmail => [invitedAt, email]);
  const readAdmins = pager(db, fromRow, ({ email }) => email);

  return {
    find(email: string): Invite | undefined {
      const row = select.get(email);
      return row && fromRow(row);
    },
    isAdmin: (email: string): boolean => admin.get(email) === 1,
    /** All invites, newest first. */
    list: ({ limit, after: [at, last] = [LATEST, ''] }: Part<TimeAndEmail>) =>
      readList(
        `${SELECT} where (invited_at, email) < (@at, @last)
         order by invited_at desc, email desc limit @limit`,
        { limit, at, last },
      ),
    /** The invites of administrators, by address. */
    admins: ({ limit, after = '' }: Part<string>) =>
      readAdmins(`${SELECT} where is_admin = 1 and email > @after order by email limit @limit`, {
        limit,
        after,
      }),
  };
}

export function writeInvites(db: Database) {
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
  const fold = db.prepare<[string]>(
    'update people set folded = fold_person(first_name, email) where email = ?',
  );
  const foldAll = db.prepare(
    'update people set folded = fold_person(first_name, email) where invited and folded is null',
  );

  return {
    /** Adds an invite, never an administrator. @returns false where the email is already invited */
    add: (invite: NewInvite): boolean =>
      insert.run(invite).changes > 0 && fold.run(invite.email).changes > 0,
    /** @returns false where the email is not invited, or has this first name already */
    setFirstName: (email: string, firstName: string): boolean =>
      updateFirstName.run(firstName, email, firstName).changes > 0 && fold.run(email).changes > 0,
    /** @returns false where the email is not invited */
    setAdmin: (email: string, isAdmin: boolean): boolean =>
      updateAdmin.run(isAdmin ? 1 : 0, email).changes > 0,
    /** @returns false where the email is not invited */
    remove: (email: string): boolean => remove.run(email).changes > 0,
    /** Folds the names that other programs have written, for the search. */
    foldNames: () => void foldAll.run(),
  };
}

const fromRow = (row: Row): Invite => ({ ...row, isAdmin: row.isAdmin === 1 });
