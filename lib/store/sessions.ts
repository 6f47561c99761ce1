/**
 * Sessions. The cookie is `<id>.<secret>`. The id (128 random bits) names the session in events,
 * pages and tools. The secret (256 random bits) proves it. The store holds only the secret's
 * SHA-256, so a backup gives no access. The secret cannot be guessed, so no slow hash is needed.
 */
import * as crypto from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Session } from '../records.ts';
import type { RecordChange } from './changes.ts';
import { readFirstName } from './first-name.ts';
import { requireRow } from './sqlite.ts';

/** The time from login to the end of a session, in ms. Activity does not extend it. */
export const SESSION_LIFETIME = 30 * 24 * 3_600_000;

/** An id of 16 bytes in base64url, and a secret of 32: `<22 characters>.<43 characters>`. */
const TOKEN = /^([\w-]{22})\.([\w-]{43})$/;

/** A valid session with its person's invite. */
export type Visitor = {
  /** The id of the session. */
  readonly id: string;
  readonly email: string;
  /** `null` without an invite, or without a name. */
  readonly firstName: string | null;
  readonly isAdmin: boolean;
};

type Row = {
  readonly email: string;
  /** Hexadecimal text. A blob would be a Buffer outside V8's heap, which is slow to free. */
  readonly secretHash: string;
  readonly expiresAt: number;
  readonly firstName: string | null;
  /** `null` without an invite. */
  readonly isAdmin: 0 | 1 | null;
};

/** The hash of no session: no secret has it. */
const NO_HASH = '-'.repeat(64);

/** Makes a function that finds the valid session of a token. Each call reads the store. */
export function visitorFinder(db: Database): (token: string) => Visitor | undefined {
  const select = db.prepare<[string], Row>(
    `select email, lower(hex(secret_hash)) as secretHash, expires_at as expiresAt,
       first_name as firstName, is_admin as isAdmin
     from sessions left join invites using (email) where id = ?`,
  );

  return (token) => {
    const [, id, secret] = TOKEN.exec(token) ?? [];
    if (id === undefined || secret === undefined) return undefined;

    // A forged or expired token does the same work as a valid one, so the time reveals nothing.
    const row = select.get(id);
    const isProved = isEqual(sha256(secret), row?.secretHash ?? NO_HASH);
    const isExpired = (row?.expiresAt ?? 0) <= Date.now();
    if (!row || !isProved || isExpired) return undefined;

    const { email, firstName, isAdmin } = row;
    return { id, email, firstName: readFirstName(firstName), isAdmin: isAdmin === 1 };
  };
}

export type SessionReader = {
  /** Whether a session has not ended, and is an administrator's. */
  readonly isAdmin: (session: Session) => boolean;
};

export type SessionWriter = SessionReader & {
  /** Begins a session. The token is not stored. @param now epoch ms */
  readonly begin: (email: string, now: number) => NewSession;
  readonly end: (session: Session) => void;
  /** Ends all sessions of a person. @returns how many there were */
  readonly endAllFor: (email: string) => number;
  /** How many sessions of a person are valid. @param now epoch ms */
  readonly countOpen: (email: string, now: number) => number;
  /** Deletes up to `limit` sessions that have expired. @param now epoch ms @returns how many */
  readonly sweep: (now: number, limit: number) => number;
};

export type NewSession = {
  readonly id: string;
  /** The value of the cookie: `<id>.<secret>`. */
  readonly token: string;
};

export function sessionWriter(db: Database, recordChange: RecordChange): SessionWriter {
  const insert = db.prepare<[string, string, Buffer, number, number]>(
    'insert into sessions (id, email, secret_hash, created_at, expires_at) values (?, ?, ?, ?, ?)',
  );
  const remove = db.prepare<[string]>('delete from sessions where id = ?');
  const removeAll = db.prepare<[string]>('delete from sessions where email = ?');
  const removeExpired = db.prepare<[number, number]>(
    'delete from sessions where id in (select id from sessions where expires_at <= ? limit ?)',
  );
  const countOpen = db
    .prepare<[string, number], number>(
      'select count(*) from sessions where email = ? and expires_at > ?',
    )
    .pluck();

  return {
    begin(email, now) {
      const id = crypto.randomBytes(16).toString('base64url');
      const secret = crypto.randomBytes(32).toString('base64url');
      insert.run(id, email, Buffer.from(sha256(secret), 'hex'), now, now + SESSION_LIFETIME);
      return { id, token: `${id}.${secret}` };
    },
    end({ id }) {
      remove.run(id);
    },
    endAllFor(email) {
      const { changes } = removeAll.run(email);
      if (changes > 0) recordChange('sessions_ended', email, String(changes));
      return changes;
    },
    countOpen(email, now) {
      return requireRow(countOpen.get(email, now));
    },
    sweep(now, limit) {
      return removeExpired.run(now, limit).changes;
    },
    isAdmin: adminCheck(db),
  };
}

/** Makes a function that tells whether a session has not ended, and is an administrator's. */
export function adminCheck(db: Database): (session: Session) => boolean {
  const select = db.prepare<[string, number]>(
    `select 1 from sessions join invites using (email)
     where id = ? and expires_at > ? and is_admin = 1`,
  );
  return ({ id }) => select.get(id, Date.now()) !== undefined;
}

/** In hexadecimal. */
const sha256 = (secret: string): string => crypto.hash('sha256', secret);

/** Compares hashes in constant time. */
function isEqual(hash: string, other: string): boolean {
  const one = Buffer.from(hash);
  const two = Buffer.from(other);
  return one.length === two.length && crypto.timingSafeEqual(one, two);
}
