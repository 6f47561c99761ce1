/**
 * Sessions. The cookie is `<id>.<secret>`. The id (128 random bits) names the session in events,
 * pages and tools. The secret (256 random bits) proves it. The store holds only the secret's
 * SHA-256, so nobody can log in with a backup. A slow hash is not needed, because the secret cannot
 * be guessed.
 */
import * as crypto from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Session } from '../../records.ts';
import type { Log } from './changes.ts';

/** The time from login to the end of a session, in ms. Activity does not extend it. */
export const SESSION_LIFETIME = 30 * 24 * 3_600_000;

/** A token: 16 and 32 bytes in base64url, with a point between them. */
const ID_LENGTH = 22;
const TOKEN_LENGTH = ID_LENGTH + 1 + 43;

type Row = readonly [email: string, hash: string, expiresAt: number];

export function sessions(db: Database) {
  // As text: a Buffer for each request costs more than both hashes.
  const select = db
    .prepare<[string], Row>(
      'select email, lower(hex(secret_hash)), expires_at from sessions where id = ?',
    )
    .raw();
  const count = db
    .prepare<[string, number], number>(
      'select count(*) from sessions where email = ? and expires_at > ?',
    )
    .pluck();
  const exists = db
    .prepare<[string, string, number], 1>(
      'select 1 from sessions where id = ? and email = ? and expires_at > ?',
    )
    .pluck();

  return {
    /** The session that a token proves, if it is valid at `now` (epoch ms). */
    find(token = '', now: number): Session | undefined {
      if (token.length !== TOKEN_LENGTH || token[ID_LENGTH] !== '.') return undefined;
      const id = token.slice(0, ID_LENGTH);
      const row = select.get(id);
      if (!row) return undefined;
      const [email, hash, expiresAt] = row;
      const proven = crypto.timingSafeEqual(
        Buffer.from(hash),
        Buffer.from(sha256(token.slice(ID_LENGTH + 1))),
      );
      return proven && expiresAt > now ? { id, email } : undefined;
    },
    /** Whether a session that was found is still valid at `now`. */
    isValid: ({ id, email }: Session, now: number): boolean => exists.get(id, email, now) === 1,
    /** How many sessions of a person are valid at `now`. */
    countFor: (email: string, now: number): number => count.get(email, now) ?? 0,
  };
}

export function writeSessions(db: Database, log: Log) {
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
    end: (id: string): void => void remove.run(id),
    /** Ends all sessions of a person. @returns how many there were */
    endAllFor(email: string): number {
      const { changes } = removeAll.run(email);
      if (changes > 0) log('sessions_ended', email, String(changes));
      return changes;
    },
    /** Deletes up to `limit` sessions that have expired at `now`. @returns how many */
    sweep: (now: number, limit: number): number => removeExpired.run(now, limit).changes,
  };
}

/** In hexadecimal. `hash` came with Node 20.12. */
const sha256: (text: string) => string =
  'hash' in crypto
    ? (text) => crypto.hash('sha256', text)
    : (text) => crypto.createHash('sha256').update(text).digest('hex');
