/** The invite list: who may log in, and who of them is an administrator. */
import type { Database } from 'better-sqlite3';
import { foldPerson } from './fold.ts';

export type Invite = {
  readonly email: string;
  readonly firstName: string | null;
  readonly isAdmin: boolean;
  /** The administrator's email, or `cli`. */
  readonly invitedBy: string;
  /** Epoch ms. */
  readonly invitedAt: number;
};

export type NewInvite = Pick<Invite, 'email' | 'firstName' | 'invitedBy' | 'invitedAt'>;

type Row = Omit<Invite, 'isAdmin'> & { readonly isAdmin: 0 | 1 };

const COLUMNS = `email, first_name as firstName, is_admin as isAdmin, invited_by as invitedBy,
  invited_at as invitedAt`;

export function invites(db: Database) {
  db.function('fold_person', { deterministic: true }, foldPerson);
  const select = db.prepare<[string], Row>(`select ${COLUMNS} from invites where email = ?`);
  const insert = db.prepare<[NewInvite]>(
    `insert into invites (email, first_name, invited_by, invited_at) values (@email, @firstName, @invitedBy, @invitedAt)
     on conflict (email) do nothing`,
  );
  const updateFirstName = db.prepare<[string, string]>(
    'update invites set first_name = ? where email = ?',
  );
  const fold = db.prepare<[string]>(
    'update people set folded = fold_person(first_name, email) where email = ?',
  );
  const foldAll = db.prepare(
    'update people set folded = fold_person(first_name, email) where invited and folded is null',
  );
  const remove = db.prepare<[string]>('delete from invites where email = ?');
  const admin = db.prepare<[string], 0 | 1>('select is_admin from invites where email = ?').pluck();
  const updateAdmin = db.prepare<[number, string]>(
    'update invites set is_admin = ? where email = ?',
  );
  const selectAdmins = db.prepare<[], Row>(
    `select ${COLUMNS} from invites where is_admin = 1 order by email`,
  );
  const selectAll = db.prepare<[], Row>(
    `select ${COLUMNS} from invites order by invited_at desc, email desc`,
  );

  return {
    find(email: string): Invite | undefined {
      const row = select.get(email);
      return row && fromRow(row);
    },
    /** Adds an invite, never an administrator. @returns false where the email is already invited */
    add: (invite: NewInvite): boolean =>
      insert.run(invite).changes > 0 && fold.run(invite.email).changes > 0,
    /** @returns false where the email is not invited */
    setFirstName: (email: string, firstName: string): boolean =>
      updateFirstName.run(firstName, email).changes > 0 && fold.run(email).changes > 0,
    /** Folds the names that other programs have written, for the search. */
    foldNames: () => void foldAll.run(),
    /** @returns false where the email is not invited */
    remove: (email: string): boolean => remove.run(email).changes > 0,
    isAdmin: (email: string): boolean => admin.get(email) === 1,
    /** @returns false where the email is not invited */
    setAdmin: (email: string, isAdmin: boolean): boolean =>
      updateAdmin.run(isAdmin ? 1 : 0, email).changes > 0,
    listAdmins: (): readonly Invite[] => selectAdmins.all().map(fromRow),
    /** All invites, newest first, read one by one. */
    *iterate(): Iterable<Invite> {
      for (const row of selectAll.iterate()) yield fromRow(row);
    },
  };
}

const fromRow = (row: Row) => ({ ...row, isAdmin: row.isAdmin === 1 });
