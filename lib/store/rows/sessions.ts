/**
 * Sessions. The cookie is `<id>.<secret>`. The id (128 random bits) names the session in events,
 * pages and tools. The secret (256 random bits) proves it. The store holds only the secret's
 * SHA-256, so nobody can log in with a backup. A slow hash is not needed, because the secret cannot
 * be guessed.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { Session } from '../../records.ts';
import type { Log } from './changes.ts';

/** The time from login to the end of a session, in ms. Activity does not extend it. */
export const SESSION_LIFETIME = 30 * 24 * 3_600_000;

/** 16 and 32 bytes in base64url. */
const TOKEN = /^([\w-]{22})\.([\w-]{43})$/;

type Row = { email: string; secret_hash: Buffer; expires_at: number };

export function sessions(db: Database) {
  const select = db.prepare<[string], Row>(
    'select email, secret_hash, expires_at from sessions where id = ?',
  );
  const count = db
    .prepare<[string, number], number>(
      'select count(*) from sessions where email = ? and expires_at > ?',
    )
    .pluck();

  return {
    /** The session that a token proves, if it is valid at `now` (epoch ms). */
    find(token = '', now: number): Session | undefined {
      const [, id, secret] = TOKEN.exec(token) ?? [];
      if (!id || !secret) return undefined;
      const row = select.get(id);
      if (!row || row.expires_at <= now || !timingSafeEqual(row.secret_hash, hash(secret)))
        return undefined;
      return { id, email: row.email, expiresAt: row.expires_at };
    },
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
    begin(email: string, now: number): { readonly session: Session; readonly token: string } {
      const id = randomBytes(16).toString('base64url');
      const secret = randomBytes(32).toString('base64url');
      const expiresAt = now + SESSION_LIFETIME;
      insert.run(id, email, hash(secret), now, expiresAt);
      return { session: { id, email, expiresAt }, token: `${id}.${secret}` };
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

const hash = (secret: string): Buffer => createHash('sha256').update(secret).digest();
