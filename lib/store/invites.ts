/** Invites: the people who may log in, and the administrators among them. */
import type { Database } from 'better-sqlite3';
import { composeEmail } from '../addresses/normalize.ts';
import { INVITE_COLUMNS } from '../lists.ts';
import type { Invite, NewInvite } from '../records.ts';
import type { ChangeAuthor, RecordChange } from './changes.ts';
import { readNamedRow } from './first-name.ts';

/** `email as email, first_name as firstName, …` */
export const INVITE_FIELDS = Object.entries(INVITE_COLUMNS)
  .map(([field, column]) => `${column} as ${field}`)
  .join(', ');

/** The fields of a new invite. Only a separate command sets the flag of an administrator. */
const NEW_FIELDS = Object.entries(INVITE_COLUMNS).filter(([field]) => field !== 'isAdmin');

/** `null` for each field, because a new invite may lack optional fields. */
const NO_VALUES = Object.fromEntries(NEW_FIELDS.map(([field]) => [field, null]));

type Row = Omit<Invite, 'isAdmin'> & { readonly isAdmin: 0 | 1 };

export type InviteReader = {
  readonly find: (email: string) => Invite | undefined;
  /**
   * The invite of a typed address. New invites are stored in NFC and with a plain apostrophe, older
   * ones as they were typed, so both forms are looked up.
   */
  readonly findByAddress: (email: string) => Invite | undefined;
  readonly isEmpty: () => boolean;
  /** Whether anybody is invited, apart from administrators. */
  readonly hasGuests: () => boolean;
  /** The addresses of all administrators, in any order. */
  readonly admins: () => readonly string[];
};

export type InviteWriter = {
  /**
   * A time for a new save, in epoch ms: now, or the next ms without an invite. Letters go to all
   * people of one time, so two saves in the same ms must not share it.
   */
  readonly newMoment: () => number;
  /** Adds an invite, never an administrator. @returns false if the email is already invited */
  readonly add: (invite: NewInvite, author?: ChangeAuthor) => boolean;
  /** @returns false if the email is not invited, or already has this first name */
  readonly setFirstName: (email: string, firstName: string) => boolean;
  /** @returns false if the email is not invited */
  readonly setAdmin: (email: string, isAdmin: boolean) => boolean;
  /** @returns false if the email is not invited */
  readonly remove: (email: string) => boolean;
};

export function inviteReader(db: Database): InviteReader {
  const select = db.prepare<[string], Row>(`select ${INVITE_FIELDS} from invites where email = ?`);
  const selectAny = db.prepare('select 1 from invites limit 1');
  const selectAnyGuest = db.prepare('select 1 from invites where is_admin = 0 limit 1');
  const selectAdmins = db
    .prepare<[], string>('select email from invites where is_admin = 1')
    .pluck();

  function find(email: string): Invite | undefined {
    const row = select.get(email);
    if (!row) return undefined;
    return { ...readNamedRow(row), isAdmin: row.isAdmin === 1 };
  }

  return {
    find,
    findByAddress(email) {
      return find(email) ?? find(composeEmail(email));
    },
    isEmpty() {
      return selectAny.get() === undefined;
    },
    hasGuests() {
      return selectAnyGuest.get() !== undefined;
    },
    admins() {
      return selectAdmins.all();
    },
  };
}

export function inviteWriter(db: Database, recordChange: RecordChange): InviteWriter {
  const columns = NEW_FIELDS.map(([, column]) => column).join(', ');
  const values = NEW_FIELDS.map(([field]) => `@${field}`).join(', ');
  const insert = db.prepare<[NewInvite]>(
    `insert into invites (${columns}) values (${values}) on conflict (email) do nothing`,
  );
  const updateFirstName = db.prepare<[string, string, string]>(
    'update invites set first_name = ? where email = ? and first_name is not ?',
  );
  const updateAdmin = db.prepare<[number, string]>(
    'update invites set is_admin = ? where email = ?',
  );
  const remove = db.prepare<[string]>('delete from invites where email = ?');
  const isTaken = db
    .prepare<[number], 0 | 1>('select exists (select 1 from invites where invited_at = ?)')
    .pluck();

  return {
    newMoment() {
      let moment = Date.now();
      while (isTaken.get(moment) === 1) moment += 1;
      return moment;
    },
    add(invite, author) {
      if (insert.run({ ...NO_VALUES, ...invite }).changes === 0) return false;
      recordChange('invited', invite.email, null, author);
      return true;
    },
    setFirstName(email, firstName) {
      if (updateFirstName.run(firstName, email, firstName).changes === 0) return false;
      recordChange('name_changed', email);
      return true;
    },
    setAdmin(email, isAdmin) {
      if (updateAdmin.run(isAdmin ? 1 : 0, email).changes === 0) return false;
      recordChange(isAdmin ? 'made_admin' : 'no_longer_admin', email);
      return true;
    },
    remove(email) {
      if (remove.run(email).changes === 0) return false;
      recordChange('removed', email);
      return true;
    },
  };
}
