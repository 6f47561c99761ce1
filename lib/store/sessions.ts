/**
 * Sessions. The cookie is `<id>.<secret>`. The id (128 random bits) names the session in events,
 * pages and tools. The secret (256 random bits) proves it. The store holds only the secret's
 * SHA-256, so a backup gives no access. The secret cannot be guessed, so no slow hash is needed.
 */
import * as crypto from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Invite, Session } from '../records.ts';
import type { RecordChange } from './changes.ts';
import { requireRow } from './sqlite.ts';

/** The time from login to the end of a session, in ms. Activity does not extend it. */
export const SESSION_LIFETIME = 30 * 24 * 3_600_000;

/** An id of 16 bytes in base64url, and a secret of 32. */
const TOKEN = /^([\w-]{22})\.([\w-]{43})$/;

/** Sessions in memory, about 300 bytes each. */
const MAX_REMEMBERED = 20_000;

/** A valid session with its person's invite. */
export type Visitor = Session &
  Pick<Invite, 'firstName' | 'isAdmin'> & {
    /** In epoch ms. */
    readonly expiresAt: number;
  };

/**
 * Finds valid sessions, and remembers them until something is written that could change them. The
 * key is the token: the timing of a hash lookup reveals no part of a secret.
 *
 * @param db the connection that writes
 */
export function sessionReader(db: Database) {
  // As text, because a Buffer costs more than both hashes.
  const select = db
    .prepare<[string], [string, string, number, string | null, 0 | 1 | null]>(
      `select email, lower(hex(secret_hash)), expires_at, first_name, is_admin
       from sessions left join invites using (email) where id = ?`,
    )
    .raw();
  /** Changes when another connection writes, but not when this one does. */
  const dataVersion = db.prepare<[], number>('pragma data_version').pluck();
  const known = new Map<string, Visitor>();
  let version: number | undefined;

  /** The session that a token proves. */
  function prove(token: string): Visitor | undefined {
    const [, id = '', secret = ''] = TOKEN.exec(token) ?? [];
    const row = id && select.get(id);
    if (!row) return undefined;
    const [email, hash, expiresAt, firstName, isAdmin] = row;
    const hashes = [Buffer.from(hash), Buffer.from(sha256(secret))] as const;
    // 32 bytes in hexadecimal.
    if (hash.length !== 64 || !crypto.timingSafeEqual(...hashes)) return undefined;
    return { id, email, expiresAt, firstName, isAdmin: isAdmin === 1 };
  }

  function remember(token: string, visitor: Visitor | undefined): Visitor | undefined {
    if (!visitor) return undefined;
    if (known.size >= MAX_REMEMBERED) known.clear();
    // Copied, because V8's slices would retain the whole header.
    known.set(Buffer.from(token).toString(), visitor);
    return visitor;
  }

  return {
    /** The valid session of a token. Not called in a transaction, which may be rolled back. */
    find(token: string): Visitor | undefined {
      const now = dataVersion.get();
      if (now !== version) known.clear();
      version = now;
      const visitor = known.get(token) ?? remember(token, prove(token));
      return visitor && visitor.expiresAt > Date.now() ? visitor : undefined;
    },
    /** Forgets all sessions, because this connection writes sessions or invites. */
    forget: (): void => known.clear(),
  };
}

/** @param forget called when sessions end */
export function sessionWriter(db: Database, recordChange: RecordChange, forget: () => void) {
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
  const selectAdmin = db.prepare<[string]>(
    'select 1 from sessions join invites using (email) where id = ? and is_admin = 1',
  );

  return {
    /** Begins a session. The token is not stored. */
    begin(email: string, now: number): { readonly id: string; readonly token: string } {
      const id = crypto.randomBytes(16).toString('base64url');
      const secret = crypto.randomBytes(32).toString('base64url');
      insert.run(id, email, Buffer.from(sha256(secret), 'hex'), now, now + SESSION_LIFETIME);
      return { id, token: `${id}.${secret}` };
    },
    end({ id }: Session): void {
      remove.run(id);
      forget();
    },
    /** Ends all sessions of a person. @returns how many there were */
    endAllFor(email: string): number {
      const { changes } = removeAll.run(email);
      if (changes > 0) recordChange('sessions_ended', email, String(changes));
      return changes;
    },
    /** How many sessions of a person are valid at `now`. */
    countOpen: (email: string, now: number): number => requireRow(countOpen.get(email, now)),
    /** Deletes up to `limit` sessions that have expired at `now`. @returns how many */
    sweep(now: number, limit: number): number {
      const { changes } = removeExpired.run(now, limit);
      // The clock may be set back.
      if (changes > 0) forget();
      return changes;
    },
    /** Whether a session has not ended, and is an administrator's. */
    isAdmin: ({ id }: Session): boolean => selectAdmin.get(id) !== undefined,
  };
}

const sha256 = (text: string): string => crypto.hash('sha256', text);
