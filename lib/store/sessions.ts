/**
 * Sessions. The cookie is `<id>.<secret>`. The id (128 random bits) names the session in events,
 * pages and tools. The secret (256 random bits) proves it. The store holds only the secret's
 * SHA-256, so a backup gives no access. The secret cannot be guessed, so no slow hash is needed.
 */
import * as crypto from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Invite, Session } from '../records.ts';
import type { Invalidate, RecordChange } from './changes.ts';

/** The time from login to the end of a session, in ms. Activity does not extend it. */
export const SESSION_LIFETIME = 30 * 24 * 3_600_000;

/** Length of 16 bytes in base64url; a token is an id, a point and 32 bytes. */
const ID_LENGTH = 22;
const TOKEN_LENGTH = ID_LENGTH + 1 + 43;

/** Sessions in memory, about 300 bytes each. */
const MAX_REMEMBERED = 20_000;

/** A valid session with its person's invite. */
export type Visitor = Session &
  Pick<Invite, 'firstName' | 'isAdmin'> & {
    /** The cookie's value. */
    readonly token: string;
    /** In epoch ms. */
    readonly expiresAt: number;
  };

/**
 * Remembers proven sessions until a connection other than `db` writes to the store. Without an
 * entry, SQL decides. The key is the token: the timing of a hash lookup reveals no part of a secret.
 */
export function sessionMemory(db: Database) {
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
  /** When the version is read again, on the monotonic clock in ms; 0 in a new turn. */
  let freshUntil = 0;

  /** Forgets all sessions if another connection has written. */
  function refresh(): void {
    const now = dataVersion.get();
    if (now !== version) known.clear();
    version = now;
  }

  function endTurn(): void {
    freshUntil = 0;
  }

  /** The session that a token proves, if it is valid at `now` (epoch ms). */
  function prove(given: string, now: number): Visitor | undefined {
    if (given.length !== TOKEN_LENGTH || given[ID_LENGTH] !== '.') return undefined;
    // Copied, because V8's slices would retain the whole header.
    const token = Buffer.from(given).toString();
    const id = token.slice(0, ID_LENGTH);
    const row = select.get(id);
    if (!row) return undefined;
    const [email, hash, expiresAt, firstName, isAdmin] = row;
    const secretHash = sha256(token.slice(ID_LENGTH + 1));
    const isProven = crypto.timingSafeEqual(Buffer.from(hash), Buffer.from(secretHash));
    if (!isProven || expiresAt <= now) return undefined;
    return { id, email, token, expiresAt, firstName, isAdmin: isAdmin === 1 };
  }

  return {
    refresh,
    /** The valid session of a token. */
    find(token = ''): Visitor | undefined {
      const monotonic = performance.now();
      // A transaction refreshes when it begins.
      if (monotonic >= freshUntil && !db.inTransaction) {
        // At least every ms, because a turn of the event loop can be long.
        if (freshUntil === 0) setImmediate(endTurn);
        freshUntil = monotonic + 1;
        refresh();
      }
      const now = Date.now();
      const remembered = known.get(token);
      if (remembered && remembered.expiresAt > now) return remembered;
      const proven = prove(token, now);
      // A transaction may be rolled back.
      if (!proven || db.inTransaction) return proven;
      const [oldest] = known.keys();
      if (known.size >= MAX_REMEMBERED && oldest !== undefined) known.delete(oldest);
      known.set(proven.token, proven);
      return proven;
    },
    /** Forgets the sessions of a person. */
    invalidate(email: string): void {
      for (const [token, visitor] of known) if (visitor.email === email) known.delete(token);
    },
  };
}

/** @param invalidate called when a session ends */
export function sessionWriter(db: Database, recordChange: RecordChange, invalidate?: Invalidate) {
  const insert = db.prepare<[string, string, Buffer, number, number]>(
    'insert into sessions (id, email, secret_hash, created_at, expires_at) values (?, ?, ?, ?, ?)',
  );
  const remove = db.prepare<[string]>('delete from sessions where id = ?');
  const removeAll = db.prepare<[string]>('delete from sessions where email = ?');
  const removeExpired = db.prepare<[number, number]>(
    'delete from sessions where id in (select id from sessions where expires_at <= ? limit ?)',
  );

  return {
    /** Begins a session. The token is not stored. */
    begin(email: string, now: number): { readonly id: string; readonly token: string } {
      const id = crypto.randomBytes(16).toString('base64url');
      const secret = crypto.randomBytes(32).toString('base64url');
      insert.run(id, email, Buffer.from(sha256(secret), 'hex'), now, now + SESSION_LIFETIME);
      return { id, token: `${id}.${secret}` };
    },
    end({ id, email }: Session): void {
      remove.run(id);
      invalidate?.(email);
    },
    /** Ends all sessions of a person. @returns how many there were */
    endAllFor(email: string): number {
      const { changes } = removeAll.run(email);
      if (changes > 0) recordChange('sessions_ended', email, String(changes));
      return changes;
    },
    /** Deletes up to `limit` sessions that have expired at `now`. @returns how many */
    sweep: (now: number, limit: number): number => removeExpired.run(now, limit).changes,
  };
}

const sha256 = (text: string): string => crypto.createHash('sha256').update(text).digest('hex');
