/**
 * Sessions. The cookie holds `<id>.<secret>`. The id, of 128 random bits, names the session in logs
 * and on pages. The secret, of 256, proves it, and only its SHA-256 is stored, so that reading
 * the store or a snapshot lets nobody in. A session ends 30 days after its login, or with its row.
 */
import { hash, randomBytes } from 'node:crypto';
import { fromRow, type Stored } from './invites.ts';
import { type Database, readValue, statement } from './sqlite.ts';

/** In ms: 30 days. */
export const SESSION_LIFETIME = 30 * 24 * 3_600_000;

/** Somebody with a session. */
export type Visitor = {
  /** The id of the session. */
  readonly session: string;
  readonly email: string;
  /** `null` without a first name, and once the invite is gone. */
  readonly firstName: string | null;
  readonly isAdmin: boolean;
};

/** 16 bytes in base64url, a dot, 32 bytes in base64url. */
const TOKEN = /^([\w-]{22})\.([\w-]{43})$/;

/** In hexadecimal digits. */
const hashOf = (secret: string): string => hash('sha256', secret);

/** @param token a cookie's value, from anybody */
export function findVisitor(db: Database, token: string, now: number): Visitor | undefined {
  const [, id, secret] = TOKEN.exec(token) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  const row = statement<[string, string, number], Stored<Visitor>>(
    db,
    `select id as session, email, first_name as firstName, ifnull(is_admin, 0) as isAdmin
       from sessions left join invites using (email)
       where id = ? and secret_hash = ? and expires_at > ?`,
  ).get(id, hashOf(secret), now);
  return row && fromRow(row);
}

/** A new session: its id, and the value of the cookie. */
export type NewSession = { readonly id: string; readonly token: string };

/** Begins a session, and clears away those that have expired. */
export function beginSession(db: Database, email: string, now: number): NewSession {
  statement<[number]>(db, 'delete from sessions where expires_at <= ?').run(now);
  const id = randomBytes(16).toString('base64url');
  const secret = randomBytes(32).toString('base64url');
  statement<[string, string, string, number, number]>(
    db,
    `insert into sessions (id, email, secret_hash, created_at, expires_at)
     values (?, ?, ?, ?, ?)`,
  ).run(id, email, hashOf(secret), now, now + SESSION_LIFETIME);
  return { id, token: `${id}.${secret}` };
}

export function endSession(db: Database, id: string): void {
  statement<[string]>(db, 'delete from sessions where id = ?').run(id);
}

/** @returns how many sessions of a person ended */
export function endSessions(db: Database, email: string): number {
  return statement<[string]>(db, 'delete from sessions where email = ?').run(email).changes;
}

/** How many sessions of a person are open. */
export function countSessions(db: Database, email: string, now: number): number {
  const query = 'select count(*) from sessions where email = @email and expires_at > @now';
  return Number(readValue(db, query, { email, now }));
}
