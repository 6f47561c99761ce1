/** The invite list: who may log in, who is an administrator, and what each guest did. */
import type { Guest, Invite, InvitedMany, RefusedGuest } from '../records.ts';
import { type Database, readValue, statement } from './sqlite.ts';

/** A guest who is no administrator yet. */
type NewInvite = Omit<Invite, 'isAdmin'>;

/** A person to invite. What cannot be invited is `undefined`. */
export type CheckedGuest = {
  readonly email: string | undefined;
  readonly firstName: string | null | undefined;
};

/** The column of each field. The compiler asks for a field that is missing here. */
const COLUMNS: Readonly<Record<keyof NewInvite, string>> = {
  email: 'email',
  firstName: 'first_name',
  invitedBy: 'invited_by',
  invitedAt: 'invited_at',
};

const selected = Object.entries(COLUMNS).map(([field, column]) => `${column} as ${field}`);
const INVITE = [...selected, 'is_admin as isAdmin'].join(', ');

const parameters = Object.keys(COLUMNS).map((field) => `@${field}`);
const INSERT = `insert into invites (${Object.values(COLUMNS).join(', ')})
  values (${parameters.join(', ')}) on conflict do nothing`;

/** A row: SQLite stores booleans as 0 and 1. */
export type Stored<T extends { readonly isAdmin: boolean }> = Omit<T, 'isAdmin'> & {
  readonly isAdmin: number;
};

export function fromRow<T extends { readonly isAdmin: boolean }>(row: Stored<T>) {
  return { ...row, isAdmin: row.isAdmin === 1 };
}

export function findInvite(db: Database, email: string): Invite | undefined {
  const row = statement<[string], Stored<Invite>>(
    db,
    `select ${INVITE} from invites where email = ?`,
  ).get(email);
  return row && fromRow(row);
}

export function isNobodyInvited(db: Database): boolean {
  return readValue(db, 'select exists (select 1 from invites)') === 0;
}

/** @returns false if the address was invited already; then nothing changes */
export function addInvite(db: Database, invite: NewInvite): boolean {
  return statement<[NewInvite]>(db, INSERT).run(invite).changes === 1;
}

/** Invites all who can be invited and are not yet. Call it in a transaction. */
export function addInvites(
  db: Database,
  guests: readonly CheckedGuest[],
  invitedBy: string,
  now: number,
): InvitedMany {
  const refused: RefusedGuest[] = [];
  let added = 0;
  let invited = 0;
  for (const [index, { email, firstName }] of guests.entries()) {
    if (email === undefined) refused.push({ index, reason: 'invalid_email' });
    else if (firstName === undefined) refused.push({ index, reason: 'invalid_first_name' });
    else if (addInvite(db, { email, firstName, invitedBy, invitedAt: now })) added += 1;
    else invited += 1;
  }
  return { added, invited, refused };
}

/** @returns false if the address is not invited */
export function setFirstName(db: Database, email: string, firstName: string | null): boolean {
  const update = 'update invites set first_name = ? where email = ?';
  return statement<[string | null, string]>(db, update).run(firstName, email).changes === 1;
}

/** @returns false if the address is not invited */
export function addAdmin(db: Database, email: string): boolean {
  const update = 'update invites set is_admin = 1 where email = ?';
  return statement<[string]>(db, update).run(email).changes === 1;
}

/** Makes an administrator a guest again. @returns false if the address is not invited */
export function removeAdmin(db: Database, email: string): boolean {
  const update = 'update invites set is_admin = 0 where email = ?';
  return statement<[string]>(db, update).run(email).changes === 1;
}

export function removeInvite(db: Database, email: string): void {
  statement<[string]>(db, 'delete from invites where email = ?').run(email);
}

/** All guests with what they did, the latest invite first. */
export function listGuests(db: Database): readonly Guest[] {
  return statement<[], Stored<Guest>>(
    db,
    `with seen as (
         select email, sum(event_type = 'login') as logins,
           sum(event_type = 'timeline_view') as views, max(occurred_at) as latest
         from events group by email
       ), joined as (
         select email, count(*) as clicks, max(clicked_at) as latest
         from project_joins group by email
       )
       select ${INVITE},
         case when clicks > 0 then 'joined' when views > 0 then 'viewed'
           when logins > 0 then 'logged_in' else 'pending' end as status,
         ifnull(logins, 0) as logins, ifnull(views, 0) as timelineViews,
         ifnull(clicks, 0) as joinClicks,
         nullif(max(ifnull(seen.latest, 0), ifnull(joined.latest, 0)), 0) as lastSeenAt
       from invites left join seen using (email) left join joined using (email)
       order by invited_at desc, email`,
  )
    .all()
    .map(fromRow);
}
